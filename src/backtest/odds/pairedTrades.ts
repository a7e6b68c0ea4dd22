/** Tables in which a trade has a row of its entry and one of its exit, under one number. */
import type { OwnTrade } from './ownTrade.ts'
import type { TradeRows } from './tradeRows.ts'

const KIND = /^(entry|exit)\b/i
const SHORT = /short/i

export function arePaired(rows: TradeRows): boolean {
  return rows.has('number') && rows.count > 0 && numbered(rows).every(({ kind }) => kind !== null)
}

/** What was not left has no exit, or one that the table does not time. */
export function pairedTrades(rows: TradeRows): OwnTrade[] {
  const entries = new Map(
    numbered(rows).flatMap(({ row, kind, number }) => (kind === 'entry' ? [[number, row] as const] : [])),
  )
  return numbered(rows).flatMap(({ row, kind, number }) => {
    const entry = entries.get(number)
    if (kind !== 'exit' || entry === undefined) return []
    const exit = rows.trade(row)
    const [entryPrice, exitPrice] = [rows.positive(entry, 'price'), rows.positive(row, 'price')]
    const side = SHORT.test(rows.text(entry, 'side')) ? 'short' : 'long'
    return [
      {
        ...exit,
        openedAt: rows.time(entry, 'closedAt'),
        traded: {
          ...exit.traded,
          side,
          ...(entryPrice === undefined ? {} : { entryPrice }),
          ...(exitPrice === undefined ? {} : { exitPrice }),
        } as const,
      },
    ]
  })
}

function numbered(rows: TradeRows) {
  return Array.from({ length: rows.count }, (_, row) => ({
    row,
    kind: KIND.exec(rows.text(row, 'side'))?.[1]?.toLowerCase() ?? null,
    number: rows.text(row, 'number'),
  }))
}
