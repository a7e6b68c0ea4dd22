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

/** @type {(() => void)[]} */
const listeners = []

/** @param {() => void} listener */
export function onThemeChange(listener) {
  listeners.push(listener)
}

export function startTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const { dataset } = document.documentElement
  const stored = remembered()
  if (stored !== null) dataset.theme = stored
  document.getElementById('theme')?.addEventListener('click', () => {
    const now = dataset.theme ?? (dark.matches ? 'dark' : 'light')
    dataset.theme = now === 'dark' ? 'light' : 'dark'
    remember(dataset.theme)
    tell()
  })
  dark.addEventListener('change', tell)
}

function tell() {
  colours.clear()
  for (const listener of listeners) listener()
}

/** Files opened from disk may have no storage. */
function remembered() {
  try {
    return localStorage.getItem('margin-core-report-theme')
  } catch {
    return null
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem('margin-core-report-theme', theme)
  } catch {
    // The choice then lasts as long as the page.
  }
}
