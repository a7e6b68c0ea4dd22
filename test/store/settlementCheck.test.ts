// A liquidation or force close can be checked from its event alone, and an altered one does not pass.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEngine, type EvidencedClose, fp9, recheckSettlement } from '../../src/index.ts'
import { ACCOUNTS, GENESIS, MARKETS } from './traffic.ts'

interface Scene {
  readonly direction: 'long' | 'short'
  readonly leverage: bigint
  readonly amount: bigint
  readonly price: bigint
  readonly spread: bigint
  readonly feeRate: bigint
  readonly waitMs: number
  /** Where the price goes, in thousandths of where it was. */
  readonly move: bigint
  readonly forced: boolean
  /** Nothing is liquidated while the price moves: a force close may find nothing left. */
  readonly paused: boolean
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  direction: fc.constantFrom('long', 'short'),
  leverage: fc.bigInt({ min: fp9('2'), max: fp9('50') }),
  amount: fc.bigInt({ min: fp9('20'), max: fp9('9000') }),
  price: fc.bigInt({ min: fp9('1'), max: fp9('90000') }),
  spread: fc.bigInt({ min: 0n, max: fp9('0.002') }),
  feeRate: fc.bigInt({ min: 0n, max: fp9('0.002') }),
  waitMs: fc.constantFrom(0, 59_999, 60_000, 600_000),
  move: fc.bigInt({ min: 1n, max: 700n }),
  forced: fc.boolean(),
  paused: fc.boolean(),
})

/** Opens a position, moves the price against it (or, before a force close, either way), and gives what closed it. */
function receiptOf({
  direction,
  leverage,
  amount,
  price,
  spread,
  feeRate,
  waitMs,
  move,
  forced,
  paused,
}: Scene): EvidencedClose | null {
  const engine = createEngine({
    ...GENESIS,
    markets: [
      {
        id: MARKETS[0],
        baseAsset: 'BTC',
        ticker: 'BTC/USD',
        category: 'crypto',
        indexPrice: price,
        spread,
        feeRate,
        maxPriceAgeMs: 10_000_000,
      },
    ],
    accounts: [{ ...(GENESIS.accounts ?? [])[0], maxLeverage: fp9('100') } as never],
  })
  const on = { accountId: ACCOUNTS[0], marketId: MARKETS[0], direction, amount, leverage }
  engine.dispatch({ type: 'placeOrder', ...on, orderType: 'market' })
  const against = (direction === 'long') !== (forced && move % 2n === 0n)
  const indexPrice = against ? price - (price * move) / 1_000n : price + (price * move) / 1_000n
  if (forced && paused) engine.dispatch({ type: 'setMarketStatus', marketId: MARKETS[0], status: 'paused' })
  const at = engine.now + waitMs
  const moved = engine.dispatch({ type: 'updatePrice', marketId: MARKETS[0], indexPrice }, { at })
  const closed = forced
    ? engine.dispatch({ type: 'stopAccount', accountId: ACCOUNTS[0], reason: 'freeze' })
    : moved
  const events = [...(moved.ok ? moved.events : []), ...(closed.ok ? closed.events : [])]
  return (
    events.find(
      (event): event is EvidencedClose => event.type === 'liquidate' || event.type === 'forceClose',
    ) ?? null
  )
}

const receipts = scenes.map(receiptOf).filter((receipt) => receipt !== null)

describe('a receipt', () => {
  test('passes as it was issued, also where nothing is left to pay a fee from', () => {
    let nothingLeft = 0
    fc.assert(
      fc.property(receipts, (receipt) => {
        if (receipt.type === 'forceClose' && receipt.margin + receipt.pnl === 0n) nothingLeft += 1
        expect(recheckSettlement(receipt)).toEqual([])
      }),
      { numRuns: 200 },
    )
    expect(nothingLeft).toBeGreaterThan(0)
  })

  const settled = [
    'cost',
    'rawPnl',
    'pnl',
    'exchangedQuote',
    'fee',
    'marginReleased',
    'credit',
    'margin',
  ] as const
  const delta = fc.oneof(fc.bigInt({ min: 1n, max: 10n }), fc.bigInt({ min: 1n, max: 10n ** 15n }))

  test.each(settled)('with another %s does not', (field) => {
    fc.assert(
      fc.property(receipts, delta, fc.boolean(), (receipt, by, up) => {
        const altered = { ...receipt, [field]: receipt[field] + (up ? by : -by) }
        expect(recheckSettlement(altered)).not.toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('is told which amount is below zero, or whether the size is not above it, and nothing else', () => {
    const fields = ['margin', 'cost', 'spread', 'indexPrice', 'exchangedQuote', 'holdingTimeMs'] as const
    fc.assert(
      fc.property(receipts, fc.subarray([...fields, 'size']), (receipt, wrong) => {
        const below = (field: string) => (field === 'size' ? 0n : field === 'holdingTimeMs' ? -1 : -1n)
        const altered = { ...receipt, ...Object.fromEntries(wrong.map((field) => [field, below(field)])) }
        const told = recheckSettlement(altered).map(({ field }) => field)
        if (wrong.length > 0) expect(told.toSorted()).toEqual(wrong.toSorted())
      }),
      { numRuns: 30 },
    )
  })

  test('with another level, size, rate or side does not', () => {
    fc.assert(
      fc.property(receipts, delta, fc.boolean(), (receipt, by, up) => {
        const change = up ? by : -by
        if (receipt.type === 'liquidate') {
          expect(
            recheckSettlement({ ...receipt, liquidationPrice: receipt.liquidationPrice + change }),
          ).not.toEqual([])
          const rate = receipt.maintenanceMarginRate + BigInt(up ? 1_000_000 : -1_000_000)
          expect(recheckSettlement({ ...receipt, maintenanceMarginRate: rate })).not.toEqual([])
        }
        const direction = receipt.direction === 'long' ? 'short' : 'long'
        if (receipt.rawPnl !== 0n) expect(recheckSettlement({ ...receipt, direction })).not.toEqual([])
        // A hundredth more or less is beyond any rounding.
        const size = receipt.size + ((up ? 1n : -1n) * receipt.size) / 100n
        if (receipt.rawPnl > -receipt.margin) expect(recheckSettlement({ ...receipt, size })).not.toEqual([])
        expect(recheckSettlement({ ...receipt, formula: 2 as 1 })).not.toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('with an index price that does not explain the settlement does not', () => {
    fc.assert(
      fc.property(receipts, fc.boolean(), (receipt, up) => {
        // Where the loss is bounded by the margin (C10) many prices lead to the same settlement.
        fc.pre(receipt.rawPnl > -receipt.margin)
        const indexPrice = receipt.indexPrice + ((up ? 1n : -1n) * receipt.indexPrice) / 100n
        expect(recheckSettlement({ ...receipt, indexPrice })).not.toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('a profit of the first minute has to be capped, and only that', () => {
    fc.assert(
      fc.property(receipts, (receipt) => {
        fc.pre(receipt.type === 'forceClose' && receipt.rawPnl > receipt.profitReferenceUsed)
        const holdingTimeMs = receipt.holdingTimeMs < 60_000 ? 60_000 : 59_999
        expect(recheckSettlement({ ...receipt, holdingTimeMs })).toMatchObject([{ field: 'pnl' }])
      }),
      { numRuns: 50 },
    )
  })
})
