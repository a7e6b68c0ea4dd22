// Tables whose rows are sorted by a click on the head of a column: by its numbers where they are numbers, else by its words.

/** Makes every table sortable that has a head, in the document. */
export function makeTablesSortable() {
  for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (
    document.querySelectorAll('table.sortable')
  ))
    for (const [column, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
      const button = document.createElement('button')
      button.type = 'button'
      button.append(...head.childNodes)
      head.append(button)
      button.addEventListener('click', () => sortBy(table, head, column))
    }
}

/** @param {HTMLTableElement} table @param {HTMLTableCellElement} head @param {number} column */
function sortBy(table, head, column) {
  const isFigure = head.classList.contains('number')
  const first = isFigure ? 'descending' : 'ascending'
  const other = isFigure ? 'ascending' : 'descending'
  const order = head.getAttribute('aria-sort') === first ? other : first
  for (const cell of table.tHead?.rows[0]?.cells ?? []) cell.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', order)
  const sign = order === 'ascending' ? 1 : -1
  const body = /** @type {HTMLTableSectionElement} */ (table.tBodies[0])
  const rows = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[column]?.textContent ?? '') }))
  rows.sort((a, b) => compareKeys(a.key, b.key, sign))
  body.append(...rows.map(({ row }) => row))
}

/** A number where the text begins with one; null for a dash, which comes last either way. @param {string} text */
function keyOf(text) {
  if (text.trim() === '–' || text.trim() === '') return null
  const number = Number.parseFloat(text.replaceAll(',', '').replace('−', '-'))
  return Number.isNaN(number) || /^\d{4}-\d/.test(text) ? text : number
}

/** @param {string | number | null} a @param {string | number | null} b @param {number} sign */
function compareKeys(a, b, sign) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * String(a).localeCompare(String(b), 'en')
}
