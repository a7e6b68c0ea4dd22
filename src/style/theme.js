// Light and dark: as the system says until the reader chooses. Canvases ask here for the colours of the style sheet.

const probe = document.createElement('span')
probe.hidden = true
document.body.append(probe)

/** @type {Map<string, string>} */
const colours = new Map()

/** The current value of a colour variable. @param {string} name */
export function colour(name) {
  const known = colours.get(name)
  if (known !== undefined) return known
  probe.style.color = `var(--${name})`
  const value = getComputedStyle(probe).color
  colours.set(name, value)
  return value
}

/** @type {Set<() => void>} */
const listeners = new Set()

/** Returns what ends it. @param {() => void} listener */
export function onThemeChange(listener) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)')

/** As the reader chose when they were here last, where they did. */
export function startTheme() {
  const stored = remembered()
  if (stored !== null) document.documentElement.dataset.theme = stored
  dark.addEventListener('change', tell)
  beLightOnPaper()
}

/** Canvases are printed as they were drawn last. */
function beLightOnPaper() {
  const { dataset } = document.documentElement
  /** @type {string | undefined} */
  let before
  addEventListener('beforeprint', () => {
    before = dataset.theme
    dataset.theme = 'light'
    tell()
  })
  addEventListener('afterprint', () => {
    if (before === undefined) delete dataset.theme
    else dataset.theme = before
    tell()
  })
}

/** From light to dark, or back. */
export function switchTheme() {
  const { dataset } = document.documentElement
  const now = dataset.theme ?? (dark.matches ? 'dark' : 'light')
  dataset.theme = now === 'dark' ? 'light' : 'dark'
  remember(dataset.theme)
  tell()
}

function tell() {
  colours.clear()
  for (const listener of listeners) listener()
}

/** Files opened from disk may have no storage. */
function remembered() {
  try {
    return localStorage.getItem('margin-core-theme')
  } catch {
    return null
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem('margin-core-theme', theme)
  } catch {
    // The choice then lasts as long as the page.
  }
}
