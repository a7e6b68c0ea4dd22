// Elements of the page that scripts make.

/** @param {Element} parent @param {string} name @param {string} className */
export function child(parent, name, className) {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  parent.append(element)
  return element
}
