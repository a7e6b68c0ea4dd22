/** What an account was charged, added up over the positions of its current phase. */
import type { PositionRecord } from '../domain/state/position.ts'
import { askedHistoryOf, type Engine } from '../engine/engine.ts'
import type { Page, Paging } from '../projections/history.ts'
import type { Quote } from '../quantity/units.ts'

/** Of positions, quote. */
export interface Charges {
  readonly fees: Quote
  /** What liquidations kept (E2). */
  readonly liquidation: Quote
  readonly fundingPaid: Quote
  readonly fundingReceived: Quote
}

/** Records that are made in one turn of the loop, and rows that are read by one statement. */
const [PAGE, PAGE_READ] = [100, 1_000]

/** `turn`: gives the loop its turn. */
export function chargesOf(engine: Engine, accountId: string, turn: () => Promise<void>): Promise<Charges> {
  const asked = askedHistoryOf(engine)
  if (asked !== undefined) return chargesIn(PAGE_READ, (paging) => asked.portfolio(accountId, paging))
  return chargesIn(PAGE, async (paging) => {
    await turn()
    return engine.read.portfolio(accountId, paging)
  })
}

/** Of a portfolio that goes on while its pages are read. */
export async function chargesIn(
  limit: number,
  pageOf: (paging: Paging) => Promise<Page<PositionRecord>>,
): Promise<Charges> {
  const charges = { fees: 0n, liquidation: 0n, fundingPaid: 0n, fundingReceived: 0n }
  let [offset, before] = [0, 0]
  for (;;) {
    const page = await pageOf({ limit, offset })
    // Positions that were opened since the page before it stand in front, and have moved the others down.
    const moved = offset === 0 ? 0 : page.totalCount - before
    const data = page.data.slice(moved)
    for (const position of data) add(charges, position)
    before = page.totalCount
    offset += page.data.length
    if (page.data.length < limit) return charges
  }
}

function add(charges: { -readonly [Kind in keyof Charges]: Quote }, position: PositionRecord): void {
  const { fee, feeInEvent, funding, status } = position
  const kept = status === 'liquidated' ? feeInEvent : 0n
  charges.liquidation += kept
  charges.fees += fee - kept
  if (funding < 0n) charges.fundingPaid -= funding
  else charges.fundingReceived += funding
}
