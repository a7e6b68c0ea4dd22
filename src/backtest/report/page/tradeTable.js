// The trades: sorted by any column, filtered by outcome, side, ending and market; a row leads to its place on the chart.
import { child } from './elements.js'
import { amount, exact, moment, percent, signed, span } from './format.js'

/** @typedef {import('../tradeSeries.ts').TradeRow} TradeRow */
/** @typedef {import('../reportData.ts').ReportCharts} ReportCharts */
/** @typedef {{ name: string, by: (row: TradeRow) => number | string, text: (row: TradeRow) => string, kind?: 'number' | 'tone' | 'side' }} Column */

const PAGE = 25

export class TradeTable {
  /** @param {ReportCharts} charts @param {(trade: TradeRow) => void} onChosen */
  constructor(charts, onChosen) {
    this.charts = charts
    this.onChosen = onChosen
    this.sort = { column: 0, descending: false }
    this.page = 0
    /** @type {Record<string, string>} */
    this.filters = { outcome: 'all', side: 'all', end: 'all', market: 'all' }
    this.columns = columns(charts)
  }

  start() {
    const table = /** @type {HTMLTableElement} */ (document.getElementById('trade-table'))
    if (this.charts.trades.rows.length === 0) {
      const nothing = document.createElement('div')
      nothing.className = 'plot empty'
      nothing.textContent = 'No trade was closed. The notes and the refused actions below may say why.'
      table.parentElement?.replaceWith(nothing)
      return
    }
    this.buildFilters()
    this.head = table.createTHead().insertRow()
    this.body = table.createTBody()
    this.columns.forEach(({ name, kind }, index) => {
      const header = document.createElement('th')
      header.scope = 'col'
      if (kind === 'number' || kind === 'tone') header.className = 'number'
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = name
      button.addEventListener('click', () => this.sortBy(index))
      header.append(button)
      this.head?.append(header)
    })
    this.draw()
  }

  /** @param {number} column */
  sortBy(column) {
    const same = this.sort.column === column
    this.sort = { column, descending: same ? !this.sort.descending : this.columns[column].kind === 'tone' }
    this.page = 0
    this.draw()
  }

  /** The trades that pass the filters, in order. */
  chosen() {
    const { outcome, side, end, market } = this.filters
    const { column, descending } = this.sort
    const { by } = this.columns[column]
    const rows = this.charts.trades.rows.filter(
      (row) =>
        (outcome === 'all' || (outcome === 'won' ? row.pnl > 0 : row.pnl < 0)) &&
        (side === 'all' || row.side === side) &&
        (end === 'all' || row.end === end) &&
        (market === 'all' || row.market === Number(market)),
    )
    const order = descending ? -1 : 1
    return rows.sort((a, b) => {
      const [x, y] = [by(a), by(b)]
      return x < y ? -order : x > y ? order : a.number - b.number
    })
  }

  draw() {
    const rows = this.chosen()
    const pages = Math.max(Math.ceil(rows.length / PAGE), 1)
    this.page = Math.min(this.page, pages - 1)
    const from = this.page * PAGE
    const shown = rows.slice(from, from + PAGE)
    this.body?.replaceChildren(...shown.map((row) => this.row(row)))
    Array.from(this.head?.cells ?? []).forEach((header, index) => {
      if (index === this.sort.column)
        header.setAttribute('aria-sort', this.sort.descending ? 'descending' : 'ascending')
      else header.removeAttribute('aria-sort')
    })
    this.drawPager(rows, from, shown.length, pages)
  }

  /** @param {TradeRow} trade */
  row(trade) {
    const row = document.createElement('tr')
    row.title = 'Show on the price chart'
    for (const { text, kind } of this.columns) {
      const cell = row.insertCell()
      cell.textContent = text(trade)
      if (kind === 'number') cell.className = 'number'
      if (kind === 'tone') cell.className = `number ${trade.pnl > 0 ? 'gain' : trade.pnl < 0 ? 'loss' : ''}`
      if (kind === 'side') cell.className = `side ${trade.side}`
    }
    // The keyboard comes to its number; a click on that is one on the row.
    const number = child(/** @type {HTMLTableCellElement} */ (row.cells[0]), 'button', '')
    number.setAttribute('type', 'button')
    number.setAttribute('aria-label', `Show trade ${trade.number} on the price chart`)
    number.append(/** @type {ChildNode} */ (row.cells[0]?.firstChild))
    row.addEventListener('click', () => this.onChosen(trade))
    return row
  }

  /** @param {TradeRow[]} rows @param {number} from @param {number} count @param {number} pages */
  drawPager(rows, from, count, pages) {
    const pager = /** @type {HTMLElement} */ (document.getElementById('trade-pager'))
    const { total } = this.charts.trades
    const all = this.charts.trades.rows.length
    const sum = rows.reduce((pnl, row) => pnl + row.pnl, 0)
    const text = document.createElement('span')
    text.textContent =
      rows.length === 0
        ? 'No trade passes the filters.'
        : `${from + 1}–${from + count} of ${amount(rows.length, 0)} trades, pnl ${signed(sum)}` +
          (all < total ? `; the ${amount(all, 0)} that moved the account most of ${amount(total, 0)}` : '')
    const step = (/** @type {string} */ name, /** @type {number} */ by, /** @type {boolean} */ possible) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = name
      button.disabled = !possible
      button.addEventListener('click', () => {
        this.page += by
        this.draw()
      })
      return button
    }
    pager.replaceChildren(text)
    if (pages > 1)
      pager.append(
        step('Previous', -1, this.page > 0),
        `Page ${this.page + 1} of ${pages}`,
        step('Next', 1, this.page < pages - 1),
      )
  }

  buildFilters() {
    const place = /** @type {HTMLElement} */ (document.getElementById('trade-filters'))
    const { rows } = this.charts.trades
    const { assets } = this.charts
    const ends = [...new Set(rows.map(({ end }) => end))].sort()
    const choice = (
      /** @type {string} */ filter,
      /** @type {string} */ label,
      /** @type {[string, string][]} */ options,
    ) => {
      const select = document.createElement('select')
      select.setAttribute('aria-label', label)
      select.append(...options.map(([value, name]) => new Option(name, value)))
      select.addEventListener('change', () => {
        this.filters[filter] = select.value
        this.page = 0
        this.draw()
      })
      place.append(select)
    }
    choice('outcome', 'Outcome', [
      ['all', 'Won and lost'],
      ['won', 'Won'],
      ['lost', 'Lost'],
    ])
    choice('side', 'Side', [
      ['all', 'Long and short'],
      ['long', 'Long'],
      ['short', 'Short'],
    ])
    if (ends.length > 1)
      choice('end', 'Ended by', [
        ['all', 'Any ending'],
        ...ends.map((end) => /** @type {[string, string]} */ ([end, end])),
      ])
    if (assets.length > 1)
      choice('market', 'Market', [
        ['all', 'All markets'],
        ...assets.map((asset, index) => /** @type {[string, string]} */ ([String(index), asset])),
      ])
  }
}

/** @param {ReportCharts} charts @returns {Column[]} */
function columns({ assets, candles }) {
  const price = (/** @type {TradeRow} */ row, /** @type {number} */ value) =>
    amount(value, Math.min(Math.max(candles[row.market]?.decimals ?? 2, 2), 6))
  /** @type {Column[]} */
  const all = [
    { name: '#', by: (row) => row.number, text: (row) => String(row.number) },
    { name: 'Market', by: (row) => assets[row.market], text: (row) => assets[row.market] },
    { name: 'Side', by: (row) => row.side, text: (row) => row.side, kind: 'side' },
    { name: 'Opened (UTC)', by: (row) => row.opened, text: (row) => moment(row.opened) },
    {
      name: 'Held',
      by: (row) => row.closed - row.opened,
      text: (row) => span(row.closed - row.opened),
      kind: 'number',
    },
    { name: 'Size', by: (row) => row.size, text: (row) => exact(row.size), kind: 'number' },
    { name: 'Entry', by: (row) => row.entry, text: (row) => price(row, row.entry), kind: 'number' },
    { name: 'Exit', by: (row) => row.exit, text: (row) => price(row, row.exit), kind: 'number' },
    { name: 'Pnl', by: (row) => row.pnl, text: (row) => signed(row.pnl), kind: 'tone' },
    { name: 'Return', by: (row) => row.share, text: (row) => percent(row.share), kind: 'tone' },
    { name: 'Fees', by: (row) => row.fees, text: (row) => amount(row.fees), kind: 'number' },
    { name: 'Funding', by: (row) => row.funding, text: (row) => signed(row.funding), kind: 'number' },
    { name: 'Ended by', by: (row) => row.end, text: (row) => row.end },
  ]
  return assets.length > 1 ? all : all.filter(({ name }) => name !== 'Market')
}
