// Starts the page of a study: the theme, and tables that can be sorted.

import { startTheme, switchTheme } from '../../../style/theme.js'
import { makeTablesSortable } from './sortableTables.js'

startTheme()
document.getElementById('theme')?.addEventListener('click', switchTheme)
makeTablesSortable()
