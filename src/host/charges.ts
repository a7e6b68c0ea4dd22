/** What an account was charged, added up over the positions of its current phase. */
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Engine } from '../engine/engine.ts'
import { askedHistoryOf } from '../engine/internals.ts'
import type { Page, Paging } from '../projections/history.ts'
import { notionalDown, notionalUp } from '../quantity/products.ts'
import type { Quote } from '../quantity/units.ts'

/** Of positions, quote. */
export interface Charges {
  readonly fees: Quote
  /** What liquidations kept (E2). */
  readonly liquidation: Quote
  readonly fundingPaid: Quote
  readonly fundingReceived: Quote
  /** What fills by orders cost against the index price (B1, B2); inside the pnl. Null: as `window`. */
  readonly spread: Quote | null
  /** Profit that the rule of the first minute did not pay out (D1). Null where events are in tables: each position would be asked for. */
  readonly window: Quote | null
}

/** After so long of its own time others have their turn, ms. */
const PATIENCE_MS = 2
/** Records that are made in one turn of the loop, and rows that are read by one statement. */
const [PAGE, PAGE_READ] = [100, 1_000]

/** `turn`: gives the loop its turn. */
export function chargesOf(engine: Engine, accountId: string, turn: () => Promise<void>): Promise<Charges> {
  const asked = askedHistoryOf(engine)
  if (asked !== undefined) return chargesIn(PAGE_READ, (paging) => asked.portfolio(accountId, paging))
  const eventsOf = async (positionId: string) => {
    if (performance.now() - began >= PATIENCE_MS) await next()
    return engine.read.positionEventRuns(positionId) ?? []
  }
  let began = performance.now()
  const next = async () => {
    await turn()
    began = performance.now()
  }
  return chargesIn(
    PAGE,
    async (paging) => {
      await next()
      return engine.read.portfolio(accountId, paging)
    },
    eventsOf,
  )
}

/** Of a portfolio that goes on while its pages are read. */
export async function chargesIn(
  limit: number,
  pageOf: (paging: Paging) => Promise<Page<PositionRecord>>,
  eventsOf: ((positionId: string) => Promise<Iterable<readonly PositionEventRecord[]>>) | null = null,
): Promise<Charges> {
  const charges = { fees: 0n, liquidation: 0n, fundingPaid: 0n, fundingReceived: 0n }
  const ofEvents = { spread: 0n, window: 0n }
  let [offset, before] = [0, 0]
  for (;;) {
    const page = await pageOf({ limit, offset })
    // Positions that were opened since the page before it stand in front, and have moved the others down.
    const moved = offset === 0 ? 0 : page.totalCount - before
    const data = page.data.slice(moved)
    for (const position of data) {
      add(charges, position)
      if (eventsOf === null) continue
      for (const run of await eventsOf(position.id)) for (const event of run) addEvent(ofEvents, event)
    }
    before = page.totalCount
    offset += page.data.length
    if (page.data.length < limit)
      return { ...charges, ...(eventsOf === null ? { spread: null, window: null } : ofEvents) }
  }
}

function addEvent(sums: { spread: Quote; window: Quote }, event: PositionEventRecord): void {
  const { eventName, direction, rawPnlInEvent, pnlInEvent, exchangedBase, exchangedQuote, order } = event
  sums.window += rawPnlInEvent - pnlInEvent
  const indexPrice = order?.indexPrice ?? null
  // What a liquidation leaves is counted as kept, whatever its price was.
  if (indexPrice === null || eventName === 'liquidate') return
  const cost =
    (eventName === 'increasePosition') === (direction === 'long')
      ? exchangedQuote - notionalUp(exchangedBase, indexPrice)
      : notionalDown(exchangedBase, indexPrice) - exchangedQuote
  if (cost > 0n) sums.spread += cost
}

type OfPositions = Omit<Charges, 'spread' | 'window'>

function add(charges: { -readonly [Kind in keyof OfPositions]: Quote }, position: PositionRecord): void {
  const { fee, feeInEvent, funding, status } = position
  const kept = status === 'liquidated' ? feeInEvent : 0n
  charges.liquidation += kept
  charges.fees += fee - kept
  if (funding < 0n) charges.fundingPaid -= funding
  else charges.fundingReceived += funding
}
