/** What an account was charged, added up over the positions of its current phase. */
import type { PositionRecord } from '../domain/state/position.ts'
import type { Reader } from '../projections/reader.ts'
import type { Quote } from '../quantity/units.ts'

/** Of positions, quote. */
export interface Charges {
  readonly fees: Quote
  /** What liquidations kept (E2). */
  readonly liquidation: Quote
  readonly fundingPaid: Quote
  readonly fundingReceived: Quote
}

/** Records that are made in one turn of the loop. */
const PAGE = 100

/** Gives undefined wherever the loop may have its turn. */
export function* chargesOf(read: Reader, accountId: string): Generator<undefined, Charges> {
  const charges = { fees: 0n, liquidation: 0n, fundingPaid: 0n, fundingReceived: 0n }
  let [offset, before] = [0, 0]
  for (;;) {
    const page = read.portfolio(accountId, { limit: PAGE, offset })
    // Positions that were opened since the page before it stand in front, and have moved the others down.
    const moved = offset === 0 ? 0 : page.totalCount - before
    const data = page.data.slice(moved)
    for (const position of data) add(charges, position)
    before = page.totalCount
    offset += page.data.length
    if (page.data.length < PAGE) return charges
    yield
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
