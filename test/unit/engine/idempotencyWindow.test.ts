import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  IDEMPOTENCY_WINDOW_MS,
  IdempotencyWindow,
  type StoredOutcome,
} from '../../../src/engine/idempotency.ts'
import { createEngine } from '../../../src/index.ts'
import { Chance, drive, GENESIS } from '../../store/traffic.ts'

const engine = createEngine(GENESIS)
drive(engine, new Chance(1), 200)
const order = engine.read
  .accounts()
  .flatMap(({ accountId }) => engine.read.activeOrders(accountId))
  .at(0)
if (order === undefined) throw new Error('the traffic leaves no order')

const WAITS = [0, 1, IDEMPOTENCY_WINDOW_MS / 8, IDEMPOTENCY_WINDOW_MS - 1, IDEMPOTENCY_WINDOW_MS] as const

test('a window holds what a list of every outcome finds, and forgets what is over', () => {
  let [again, over, forgotten] = [0, 0, 0]
  const step = fc.record({
    wait: fc.oneof({ weight: 8, arbitrary: fc.nat({ max: 9 }) }, fc.constantFrom(...WAITS)),
    key: fc.nat({ max: 40 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 400, size: 'max' }), (steps) => {
      const window = new IdempotencyWindow()
      const all: StoredOutcome[] = []
      let at = 0
      for (const [seq, { wait, key }] of steps.entries()) {
        at += wait
        const live = all.filter((outcome) => at < outcome.at + IDEMPOTENCY_WINDOW_MS)
        const known = live.find((outcome) => outcome.key === `${key}`)
        expect(window.find('user', `${key}`, at)).toBe(known)
        expect(window.find('another', `${key}`, at)).toBeUndefined()
        expect(window.live(at)).toEqual(live)
        if (known !== undefined) {
          again += 1
          continue
        }
        if (all.some((outcome) => outcome.key === `${key}`)) over += 1
        const outcome = { userId: 'user', key: `${key}`, order, seq, at }
        window.keep(outcome)
        all.push(outcome)
        if (window.size < all.length) forgotten += 1
      }
    }),
  )
  for (const reached of [again, over, forgotten]) expect(reached).toBeGreaterThan(500)
})

test('room follows the outcomes of the last hour: each new one makes room for several', () => {
  const window = new IdempotencyWindow()
  const keep = (n: number, at: number) => window.keep({ userId: 'user', key: `${n}`, order, seq: n, at })
  for (let n = 0; n < 10_000; n++) keep(n, n)
  expect(window.size).toBe(10_000)
  for (let n = 0; n < 2_000; n++) keep(10_000 + n, 2 * IDEMPOTENCY_WINDOW_MS + n)
  expect(window.size).toBeLessThanOrEqual(4_000)
})
