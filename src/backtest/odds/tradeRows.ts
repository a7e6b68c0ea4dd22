/** Rows of a table of trades as trades. */
import type { Direction } from '../../terms/direction.ts'
import type { OwnTrade, TradedAt } from './ownTrade.ts'
import type { TradeCells } from './tradeCells.ts'
import type { TradeColumns, TradeField } from './tradeColumns.ts'
import type { TradeTable } from './tradeTable.ts'

export class TradeRows {
  readonly #table: TradeTable
  readonly #columns: TradeColumns
  readonly #cells: TradeCells
  readonly #costs: readonly { readonly column: number; readonly sign: 1 | -1 }[]

  constructor(table: TradeTable, cells: TradeCells) {
    this.#table = table
    this.#columns = table.columns
    this.#cells = cells
    this.#costs = this.#isGrossNet() ? [] : table.columns.costs.map((column) => this.#costOf(column))
  }

  /** Rows of the table. */
  get count(): number {
    return this.#table.rows.length
  }

  trade(row: number): OwnTrade {
    const { at } = this.#columns
    const worst = this.#said(row, 'worst')
    const traded = this.#traded(row)
    const opened = at.openedAt === undefined ? null : this.time(row, 'openedAt')
    const closed = this.time(row, 'closedAt')
    const wasSoldFirst = this.#wasSoldFirst(row)
    if (!wasSoldFirst && opened !== null && closed < opened)
      this.#cells.refuse(this.#table.lines[row] as number, 'the trade was closed before it was opened')
    return {
      openedAt: wasSoldFirst ? closed : opened,
      closedAt: wasSoldFirst ? (opened as number) : closed,
      pnl: this.profit(row),
      worst: worst === undefined ? null : -Math.abs(worst),
      ...(Object.keys(traded).length === 0 ? {} : { traded }),
    }
  }

  /** Costs included. */
  profit(row: number): number {
    const { net, gross } = this.#columns.at
    return net === undefined
      ? this.#required(row, gross as number) + this.costs(row)
      : this.#required(row, net)
  }

  /** What the account was changed by: negative where it paid. */
  costs(row: number): number {
    return this.#costs.reduce((sum, { column, sign }) => sum + sign * (this.#amount(row, column) ?? 0), 0)
  }

  text(row: number, field: TradeField): string {
    const column = this.#columns.at[field]
    return column === undefined ? '' : (this.#table.rows[row]?.[column] ?? '')
  }

  has(field: TradeField): boolean {
    return this.#columns.at[field] !== undefined
  }

  time(row: number, field: 'openedAt' | 'closedAt'): number {
    return this.#cells.time(this.text(row, field), this.#table.lines[row] as number)
  }

  /** Undefined for what is no amount above 0, the sign of a side left aside. */
  positive(row: number, field: TradeField): number | undefined {
    const amount = this.#cells.amountOrNull(this.text(row, field).replace(/ ?lots?$/i, ''))
    return amount === null || amount === 0 ? undefined : Math.abs(amount)
  }

  side(row: number): Direction | undefined {
    if (this.#columns.isBoughtAndSold) return this.#wasSoldFirst(row) ? 'short' : 'long'
    return sideOf(this.text(row, 'side')) ?? closedSide(this.text(row, 'closingSide'))
  }

  #traded(row: number): TradedAt {
    const symbol = this.text(row, 'symbol')
    const { gross } = this.#columns.at
    const prices = [this.positive(row, 'entryPrice'), this.positive(row, 'exitPrice')]
    const [entryPrice, exitPrice] = this.#wasSoldFirst(row) ? prices.reverse() : prices
    const said = {
      symbol: symbol === '' ? undefined : symbol,
      side: this.side(row),
      size: this.positive(row, 'size'),
      entryPrice,
      exitPrice,
      leverage: this.positive(row, 'leverage'),
      gross: gross === undefined ? undefined : this.#required(row, gross),
    }
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  }

  #wasSoldFirst(row: number): boolean {
    return this.#columns.isBoughtAndSold && this.time(row, 'openedAt') > this.time(row, 'closedAt')
  }

  /** Some platforms write what was paid as it is, others as what the account was changed by. */
  #costOf(column: number): { readonly column: number; readonly sign: 1 | -1 } {
    const amounts = this.#table.rows.map((row) => this.#cells.amountOrNull(row[column] ?? '') ?? 0)
    const isPaid = amounts.every((amount) => amount >= 0) && amounts.some((amount) => amount > 0)
    return { column, sign: isPaid && !SWAP.test(this.#table.head[column] ?? '') ? -1 : 1 }
  }

  /** Whether a running sum of net profits is one of the profits as they stand. */
  #isGrossNet(): boolean {
    const { gross, cumulated } = this.#columns.at
    if (gross === undefined || cumulated === undefined) return false
    const read = (column: number) =>
      this.#table.rows.map((row) => this.#cells.amountOrNull(row[column] ?? '') ?? 0)
    const [profits, sums] = [read(gross), read(cumulated)]
    return profits.every(
      (profit, row) => Math.abs((sums[row] as number) - (sums[row - 1] ?? 0) - profit) < HALF_CENT * 2,
    )
  }

  #said(row: number, field: TradeField): number | undefined {
    const column = this.#columns.at[field]
    return column === undefined ? undefined : this.#amount(row, column)
  }

  #amount(row: number, column: number): number | undefined {
    return (this.#table.rows[row]?.[column] ?? '') === '' ? undefined : this.#required(row, column)
  }

  #required(row: number, column: number): number {
    return this.#cells.amount(this.#table.rows[row]?.[column] ?? '', this.#table.lines[row] as number)
  }
}

const SWAP = /swap/i
const HALF_CENT = 0.005

function sideOf(text: string): Direction | undefined {
  if (/^(buy|long|b$|l$)/i.test(text)) return 'long'
  return /^(sell|short|s$)/i.test(text) ? 'short' : undefined
}

/** A position is closed by the other side, unless it is itself named: `Close Long`. */
function closedSide(text: string): Direction | undefined {
  const named = /^close (.*)/i.exec(text)?.[1]
  if (named !== undefined) return sideOf(named)
  const side = sideOf(text)
  return side === undefined ? undefined : side === 'long' ? 'short' : 'long'
}
