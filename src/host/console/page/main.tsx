// Starts the console.
import { render } from 'preact'
import { startTheme } from '../../../style/theme.js'
import { App } from './app.tsx'

startTheme()
const place = document.getElementById('console') as HTMLElement
place.replaceChildren()
render(<App />, place)
