// Who of a portfolio pays which fee: a close its own, what the platform closes all in proportion to what they have, and a trade has won only
// after them.

import { describe, expect, test } from 'vitest'
import { PartLedger } from '../../../../src/backtest/portfolio/partLedger.ts'
import type { StrategyEvent } from '../../../../src/backtest/strategy/strategyEvent.ts'

const POSITION = { positionId: 'p', accountId: 'a', marketId: 'm', direction: 'long' } as const
const UNIT = 1_000_000_000n

function entered(...sizes: readonly bigint[]): PartLedger {
  const ledger = new PartLedger(sizes.map((_, part) => ({ name: `part ${part}`, strategy: 'trades' })))
  for (const [part, size] of sizes.entries()) {
    const orderId = `entry of ${part}`
    ledger.placed(part, orderId)
    ledger.add(
      {
        ...{ type: 'increasePosition', ...POSITION, opens: part === 0, orderId, indexPrice: UNIT },
        ...{ size: size * UNIT, notional: size * UNIT, fee: 0n },
      },
      0,
    )
  }
  return ledger
}

/** Sold at a gain of a hundredth. */
function closed(size: bigint, fee: bigint, by: object): StrategyEvent {
  const [cost, exchangedQuote] = [size * UNIT, (size * UNIT * 101n) / 100n]
  const pnl = exchangedQuote - cost
  return { ...POSITION, size: cost, exchangedQuote, rawPnl: pnl, pnl, fee, ...by } as StrategyEvent
}

const feesOf = (ledger: PartLedger) => ledger.result(0n, () => UNIT).parts.map(({ fees }) => fees)
const winsOf = (ledger: PartLedger) =>
  ledger.result(0n, () => UNIT).parts.map(({ wins, trades }) => [wins, trades])

describe('the fee of a close', () => {
  test('is paid by whoever placed its order, to the last digit', () => {
    const ledger = entered(3n, 1n)
    ledger.placed(1, 'exit')
    ledger.add(closed(1n, 7n, { type: 'closePosition', orderId: 'exit', closes: false, indexPrice: UNIT }), 1)
    expect(feesOf(ledger)).toEqual([0n, 7n])
  })

  test('that goes beyond the share of whoever asked for it is paid by all that it closes', () => {
    const ledger = entered(3n, 1n)
    ledger.placed(1, 'exit')
    ledger.add(
      closed(2n, 10n, { type: 'closePosition', orderId: 'exit', closes: false, indexPrice: UNIT }),
      1,
    )
    expect(feesOf(ledger)).toEqual([5n, 5n])
  })

  test('by the platform is divided as what they had, and the last takes what does not divide', () => {
    const ledger = entered(3n, 1n, 2n)
    ledger.add(closed(6n, 13n, { type: 'forceClose', closeReason: 'force_close' }), 1)
    expect(feesOf(ledger)).toEqual([6n, 2n, 5n])
  })

  test('decides whether a trade has won', () => {
    // Gains of 0.03 and 0.01; the fee is divided 3 to 1.
    for (const [fee, won] of [
      [(4n * UNIT) / 100n - 4n, 1],
      [(4n * UNIT) / 100n, 0],
    ] as const) {
      const ledger = entered(3n, 1n)
      ledger.add(closed(4n, fee, { type: 'liquidate', orderId: 'of the platform', indexPrice: UNIT }), 1)
      expect(winsOf(ledger)).toEqual([
        [won, 1],
        [won, 1],
      ])
    }
  })
})

test('a trade in a position that others still hold begins with nothing earned', () => {
  const ledger = entered(1n, 1n)
  const traded = (exit: string, fee: bigint) => {
    ledger.placed(0, exit)
    ledger.add(closed(1n, fee, { type: 'closePosition', orderId: exit, closes: false, indexPrice: UNIT }), 1)
  }
  traded('exit', 0n)
  ledger.placed(0, 'again')
  const amounts = { size: UNIT, notional: UNIT, fee: 0n }
  const increased = { type: 'increasePosition', ...POSITION, opens: false, orderId: 'again' } as const
  ledger.add({ ...increased, ...amounts, indexPrice: UNIT }, 1)
  traded('as much as its fee', UNIT / 100n)
  expect(winsOf(ledger)[0]).toEqual([1, 2])
})

test('a close earns by what it closes alone, and takes as much of the cost as of the size', () => {
  const ledger = entered(3n, 1n)
  const earned = () => ledger.result(0n, () => UNIT).parts.map(({ realizedPnl }) => realizedPnl)
  for (const [size, ...expected] of [
    [1n, 1n, 0n],
    [1n, 2n, 0n],
    [2n, 3n, 1n],
  ] as const) {
    const orderId = `exit of ${earned()}`
    ledger.placed(0, orderId)
    ledger.add(closed(size, 0n, { type: 'closePosition', orderId, closes: size === 2n, indexPrice: UNIT }), 1)
    expect(earned()).toEqual(expected.map((hundredths) => (hundredths * UNIT) / 100n))
  }
})
