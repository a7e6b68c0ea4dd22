// Starts the workbench.
import { render } from 'preact'
import { startTheme } from '../../style/theme.js'
import { App } from './app.tsx'

startTheme()
const place = document.getElementById('workbench') as HTMLElement
place.replaceChildren()
render(<App />, place)
