// Tables that are larger than their place: whoever has no pointer moves them with the keys.

/** Lets every place that scrolls be reached by keyboard, for as long as there is more than it shows. */
export function makeScrollersReachable() {
  const watch = new ResizeObserver((changes) => {
    for (const { target } of changes) reach(target.closest('.scroll') ?? target)
  })
  for (const place of document.querySelectorAll('.scroll')) {
    watch.observe(place)
    for (const content of place.children) watch.observe(content)
  }
}

/** @param {Element} place */
function reach(place) {
  const scrolls = place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight
  if (!scrolls) {
    for (const name of ['tabindex', 'role', 'aria-label']) place.removeAttribute(name)
    return
  }
  place.setAttribute('tabindex', '0')
  place.setAttribute('role', 'group')
  place.setAttribute('aria-label', headingOf(place))
}

/** The heading that stands nearest above it. @param {Element} place */
function headingOf(place) {
  const card = place.closest('.card') ?? document
  const above = [...card.querySelectorAll('h2, h3')].filter(
    (heading) => heading.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  return above.at(-1)?.textContent ?? 'Table'
}
