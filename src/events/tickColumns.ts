/** Ticks as columns, one row per tick: a feed of millions without an object for each. */
import type { UpdatePrice } from './command.ts'
import type { Commit } from './commit.ts'

/** Ticks as columns, one row per tick: a feed of millions without an object for each. */
export interface TickColumns {
  /** Epoch ms. */
  readonly at: Float64Array
  /** The new index price. */
  readonly indexPrice: BigInt64Array
  /** Which of {@link marketIds} the tick is of. */
  readonly market: Uint16Array
  readonly marketIds: readonly string[]
}

/** @throws RangeError for columns of different lengths, a market listed twice, or rows that are not there. */
export function checkColumns(
  { at, indexPrice, market, marketIds }: TickColumns,
  from: number,
  to: number,
): void {
  if (indexPrice.length !== at.length || market.length !== at.length)
    throw new RangeError('the columns of a feed have different lengths')
  if (new Set(marketIds).size !== marketIds.length) throw new RangeError('a market is listed twice')
  if (!(from >= 0 && from <= to && to <= at.length)) throw new RangeError(`no rows ${from} to ${to}`)
}

/** The command of one row. */
export function tickCommand({ indexPrice, market, marketIds }: TickColumns, tick: number): UpdatePrice {
  return {
    type: 'updatePrice',
    marketId: marketIds[market[tick] as number] as string,
    indexPrice: indexPrice[tick] as bigint,
  }
}

/** The commit of a tick that changed nothing but its market's price. */
export function tickCommit(seq: number, at: number, marketId: string, indexPrice: bigint): Commit {
  return {
    seq,
    at,
    command: { type: 'updatePrice', marketId, indexPrice },
    events: [{ type: 'priceUpdated', marketId, indexPrice }],
  }
}

export type PlainTick = Commit & { readonly command: UpdatePrice }

/** Whether a commit says nothing that its row would not: one price of one market, and one that 64 bits hold. */
export function isPlainTick(commit: Commit): commit is PlainTick {
  const { by, command, events } = commit
  if (by !== undefined || command.type !== 'updatePrice' || events.length !== 1) return false
  if (command.commandId != null) return false
  const [event] = events
  return (
    event?.type === 'priceUpdated' &&
    event.marketId === command.marketId &&
    event.indexPrice === command.indexPrice &&
    BigInt.asIntN(64, event.indexPrice) === event.indexPrice
  )
}
