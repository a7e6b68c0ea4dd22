// Fills of an account by position: what each changed, and every payment of funding with exactly one of them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FillLog } from '../../../../src/backtest/replay/fillLog.ts'
import type { PositionRecord } from '../../../../src/domain/state/position.ts'
import type { Event } from '../../../../src/events/event.ts'

const position = (id: string) => ({
  ...{ positionId: id, accountId: 'a', marketId: 'm', direction: 'long', indexPrice: 1n },
})
const entry = (id: string, size: bigint, opens: boolean) =>
  ({
    ...{ type: 'increasePosition', ...position(id), orderId: `entry of ${id}`, opens },
    ...{ size, notional: size, fee: 0n },
  }) as unknown as Event
const exit = (id: string, size: bigint, closes: boolean, adjusted = 0n) =>
  ({
    ...{ type: 'closePosition', ...position(id), orderId: `exit of ${id}`, closes },
    ...{ size, exchangedQuote: size, rawPnl: 5n, pnl: 5n + adjusted, fee: 0n },
  }) as unknown as Event
const funding = (id: string, amount: bigint) =>
  ({ type: 'payFunding', ...position(id), amount }) as unknown as Event

const IDS = ['p', 'q', 'carried'] as const
const amount = fc.bigInt({ min: -9n, max: 9n })
const step = fc.record({
  id: fc.constantFrom(...IDS),
  does: fc.constantFrom('enter', 'exit', 'fund'),
  size: fc.bigInt({ min: 1n, max: 9n }),
  amount,
})

test('a fill has what its position had before and after it, and funding since the fill before: none is lost or counted twice', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const log = new FillLog()
      log.carry({ id: 'carried', marketId: 'm', direction: 'long', size: 100n } as PositionRecord)
      const paid = new Map<string, bigint>()
      const held = new Map<string, bigint>([['carried', 100n]])
      for (const [at, { id, does, size, amount: by }] of steps.entries()) {
        const had = held.get(id)
        if (does === 'enter') {
          held.set(id, (had ?? 0n) + size)
          log.add(entry(id, size, had === undefined), at, at, at)
        } else if (had === undefined) continue
        else if (does === 'exit') {
          held.set(id, had - size)
          log.add(exit(id, size, false, by), at, at, at)
        } else {
          paid.set(id, (paid.get(id) ?? 0n) + by)
          log.add(funding(id, by), at, at, at)
        }
      }
      log.end()
      for (const { id, fills, carried, held: left } of log.positions) {
        let before = carried ?? 0n
        for (const { heldBefore, held: after, isEntry, size } of fills) {
          expect(heldBefore).toBe(before)
          expect(after).toBe(before + (isEntry ? size : -size))
          before = after
        }
        expect(left).toBe(held.get(id))
        if (fills.length > 0)
          expect(fills.reduce((sum, fill) => sum + fill.funding, 0n)).toBe(paid.get(id) ?? 0n)
      }
    }),
    { numRuns: 200 },
  )
})

describe('funding', () => {
  test('counts with the next fill; after the last one, with that, and once however often the log is ended', () => {
    const log = new FillLog()
    log.add(entry('p', 4n, true), 1, 1, 1)
    log.add(funding('p', 3n), 2, 2, 2)
    log.add(exit('p', 1n, false, -2n), 3, 3, 3)
    log.add(funding('p', 5n), 4, 4, 4)
    log.end()
    log.end()
    const told = log.positions[0]?.fills.map(({ funding: of, adjusted, step: at }) => [of, adjusted, at])
    expect(told).toEqual([
      [0n, 0n, 1],
      [8n, -2n, 3],
    ])
  })
})

test('an order was placed when the first of its line was, whether it was edited or attached', () => {
  const log = new FillLog()
  log.asked('first', 7)
  log.asked('first', 9)
  log.add({ type: 'orderReplaced', orderId: 'first', replacementId: 'edited' } as Event, 1, 1, 8)
  const placed = { type: 'orderPlaced', orderType: 'stop_loss', triggerPrice: 1n }
  log.add({ ...placed, orderId: 'stop', parentOrderId: 'edited' } as Event, 2, 2, 9)
  log.add({ ...placed, orderId: 'own', parentOrderId: null } as Event, 3, 3, 10)
  expect(['first', 'edited', 'stop', 'own', 'nobody’s'].map((id) => log.placedAt(id))).toEqual([
    7,
    7,
    7,
    10,
    null,
  ])
})
