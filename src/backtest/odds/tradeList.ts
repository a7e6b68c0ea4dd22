/** A trader's own trades, from the table that a platform exports. */
import { parse } from 'csv-parse/sync'
import type { Direction } from '../../terms/direction.ts'
import { FeedError } from '../feed/feedError.ts'
import { TradeCells } from './tradeCells.ts'
import { type TradeColumns, type TradeField, tradeColumns } from './tradeColumns.ts'

/** One closed trade. Amounts are quote currency, costs included; times are epoch ms. */
export interface OwnTrade {
  /** Null where the table does not say it. */
  readonly openedAt: number | null
  /** Epoch ms. */
  readonly closedAt: number
  /** Quote currency, costs included. */
  readonly pnl: number
  /** The deepest loss while it was open, 0 or less; null where the table does not say it. */
  readonly worst: number | null
  /** What was traded, where the table says it: what its prices are found by. */
  readonly traded?: TradedAt
}

/** Where a trade was entered and left, as far as the table says it. */
export interface TradedAt {
  /** As the platform writes it. */
  readonly symbol?: string
  readonly side?: Direction
  /** How many lots, contracts or units of the asset, as the platform counts; above 0. */
  readonly size?: number
  /** Above 0, quote currency. */
  readonly entryPrice?: number
  /** Above 0, quote currency. */
  readonly exitPrice?: number
  /** How many times its margin the position was, from 1 up. */
  readonly leverage?: number
  /** What the prices alone brought, quote currency. */
  readonly gross?: number
}

/**
 * Reads a table with a header, separated by commas, semicolons or tabs. The time of closing and a profit are required.
 *
 * ```ts
 * const trades = readTradeList('closed,profit\n2026-01-05T12:00:00Z,12.5\n2026-01-05T13:00:00Z,-8\n', 'my trades')
 * trades.map(({ pnl }) => pnl).join() // → 12.5,-8
 * ```
 *
 * @param zone of times that do not say theirs: `UTC`, `+02:00`, `America/New_York`.
 * @returns in the order of closing.
 * @throws FeedError naming the column that is missing, or the line that cannot be read; RangeError for a zone there is not.
 */
export function readTradeList(text: string, shown: string, zone = 'UTC'): OwnTrade[] {
  const delimiter = [',', ';', '\t'].reduce((best, other) =>
    headOf(text).split(other).length > headOf(text).split(best).length ? other : best,
  )
  const [head = [], ...rows]: string[][] = parse(text, {
    delimiter,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    trim: true,
  })
  const columns = tradeColumns(head, rows[0] ?? [])
  const { closedAt, net, gross } = columns.at
  if (closedAt === undefined || (net ?? gross) === undefined)
    throw new FeedError(
      shown,
      1,
      `no column for ${closedAt === undefined ? 'the time of closing (closeTime, exitTime, date)' : 'the profit (pnl, profit)'} among ${head.join(', ')}`,
    )
  const table = new TradeTable(columns, rows, new TradeCells(rows, shown, zone))
  const trades = rows.map((_, index) => table.trade(index))
  if (trades.length === 0) throw new FeedError(shown, null, 'the table has no trade')
  return trades.sort((a, b) => a.closedAt - b.closedAt)
}

function headOf(text: string): string {
  return text.slice(0, text.indexOf('\n'))
}

class TradeTable {
  readonly #columns: TradeColumns
  readonly #rows: readonly (readonly string[])[]
  readonly #cells: TradeCells

  constructor(columns: TradeColumns, rows: readonly (readonly string[])[], cells: TradeCells) {
    this.#columns = columns
    this.#rows = rows
    this.#cells = cells
  }

  trade(row: number): OwnTrade {
    const { at } = this.#columns
    const opened = at.openedAt === undefined ? null : this.#time(row, at.openedAt)
    const worst = this.#said(row, 'worst')
    const { pnl, gross } = this.#profit(row)
    const traded = this.#traded(row, gross)
    return {
      openedAt: opened,
      closedAt: this.#time(row, at.closedAt as number),
      pnl,
      worst: worst === undefined ? null : -Math.abs(worst),
      ...(Object.keys(traded).length === 0 ? {} : { traded }),
    }
  }

  #profit(row: number): { readonly pnl: number; readonly gross: number | undefined } {
    const { at, costs } = this.#columns
    const charged = costs.reduce((sum, column) => sum + (this.#amount(row, column) ?? 0), 0)
    const gross = at.gross === undefined ? undefined : this.#required(row, at.gross)
    if (at.net === undefined) return { pnl: (gross as number) + charged, gross }
    return { pnl: this.#required(row, at.net), gross }
  }

  #traded(row: number, gross: number | undefined): TradedAt {
    const symbol = this.#text(row, 'symbol')
    const side = sideOf(this.#text(row, 'side')) ?? turnedSide(sideOf(this.#text(row, 'closingSide')))
    const positive = (field: TradeField) => {
      const column = this.#columns.at[field]
      const amount = column === undefined ? null : this.#cells.amountOrNull(this.#rows[row]?.[column] ?? '')
      return amount === null || amount === 0 ? undefined : Math.abs(amount)
    }
    const said = {
      symbol: symbol === '' ? undefined : symbol,
      side,
      size: positive('size'),
      entryPrice: positive('entryPrice'),
      exitPrice: positive('exitPrice'),
      leverage: positive('leverage'),
      gross,
    }
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  }

  #text(row: number, field: TradeField): string {
    const column = this.#columns.at[field]
    return column === undefined ? '' : (this.#rows[row]?.[column] ?? '')
  }

  #said(row: number, field: TradeField): number | undefined {
    const column = this.#columns.at[field]
    return column === undefined ? undefined : this.#amount(row, column)
  }

  #amount(row: number, column: number): number | undefined {
    return (this.#rows[row]?.[column] ?? '') === '' ? undefined : this.#required(row, column)
  }

  #required(row: number, column: number): number {
    return this.#cells.amount(this.#rows[row]?.[column] ?? '', row + 2)
  }

  #time(row: number, column: number): number {
    return this.#cells.time(this.#rows[row]?.[column] ?? '', row + 2)
  }
}

function sideOf(text: string): Direction | undefined {
  if (/^(buy|long|b$|l$)/i.test(text)) return 'long'
  return /^(sell|short|s$)/i.test(text) ? 'short' : undefined
}

/** A position is closed by the other side. */
function turnedSide(side: Direction | undefined): Direction | undefined {
  return side === undefined ? undefined : side === 'long' ? 'short' : 'long'
}
