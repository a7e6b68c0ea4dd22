// Starts the page of a study: the theme, and tables that can be sorted and reached.

import { startTheme, switchTheme } from '../../../style/theme.js'
import { makeScrollersReachable } from './scrollers.js'
import { makeTablesSortable } from './sortableTables.js'

startTheme()
document.getElementById('theme')?.addEventListener('click', switchTheme)
makeTablesSortable()
makeScrollersReachable()
