// Whatever strategies of a portfolio do on one position, and the platform to it: they add up to the account, and nobody has what is another's.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PartLedger } from '../../../../src/backtest/portfolio/partLedger.ts'
import type { StrategyEvent } from '../../../../src/backtest/strategy/strategyEvent.ts'
import { notionalDown, notionalUp } from '../../../../src/quantity/products.ts'
import type { Direction } from '../../../../src/terms/direction.ts'

const UNIT = 1_000_000_000n
const PARTS = [0, 1, 2] as const
/** What an account had outside of the run, which no entry tells of. */
const NETS = [-5n * UNIT, 0n, 7n * UNIT]

const part = fc.constantFrom(...PARTS)
const size = fc.bigInt({ min: 1n, max: 5n * UNIT })
const price = fc.bigInt({ min: UNIT / 2n, max: 2n * UNIT })
const fee = fc.bigInt({ min: 0n, max: 1_000n })
const step = fc.oneof(
  fc.record({ does: fc.constant('enter' as const), part, size, price, fee }),
  fc.record({
    does: fc.constant('close' as const),
    part,
    share: fc.integer({ min: 1, max: 100 }),
    price,
    fee,
  }),
  fc.record({ does: fc.constant('force' as const), share: fc.integer({ min: 1, max: 100 }), price, fee }),
  fc.record({ does: fc.constant('fund' as const), amount: fc.bigInt({ min: -1_000n, max: 1_000n }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The account beside the ledger, and what each part should have by the words of the rule. */
class Account {
  readonly ledger = new PartLedger(PARTS.map((own) => ({ name: `part ${own}`, strategy: 'trades' })))
  readonly #direction: Direction
  size = 0n
  cost = 0n
  fees = 0n
  funding = 0n
  realized = 0n
  trades = PARTS.map(() => 0)
  #orders = 0
  #at = 0

  constructor(direction: Direction) {
    this.#direction = direction
  }

  shares(): bigint[] {
    return PARTS.map((own) => this.ledger.shareOf('p', own))
  }

  take(next: Step): void {
    this.#at += 1
    const before = this.shares()
    if (next.does === 'enter') this.#enter(next)
    else if (this.size === 0n) return
    else if (next.does === 'fund') {
      this.funding += next.amount
      this.#tell({ type: 'payFunding', amount: next.amount })
    } else this.#close(next, before)
    const after = this.shares()
    for (const own of PARTS) if (before[own] !== 0n && after[own] === 0n) (this.trades[own] as number) += 1
  }

  /** Of what is open, at a price. */
  openPnl(at: bigint): bigint {
    return this.#direction === 'long'
      ? notionalDown(this.size, at) - this.cost
      : this.cost - notionalUp(this.size, at)
  }

  #enter({ part: own, size: entered, price: at, fee: paid }: Extract<Step, { does: 'enter' }>): void {
    const before = this.ledger.shareOf('p', own)
    const orderId = this.#order(own)
    const notional = notionalUp(entered, at)
    this.#tell({
      type: 'increasePosition',
      opens: this.size === 0n,
      ...{ orderId, indexPrice: at, size: entered, notional, fee: paid },
    })
    this.size += entered
    this.cost += notional
    this.fees += paid
    expect(this.ledger.shareOf('p', own)).toBe(before + entered)
  }

  #close(next: Extract<Step, { does: 'close' | 'force' }>, before: readonly bigint[]): void {
    const closed = next.share === 100 ? this.size : (this.size * BigInt(next.share)) / 100n || 1n
    const exchangedQuote = notionalDown(closed, next.price)
    const cost = closed === this.size ? this.cost : (this.cost * closed) / this.size
    const pnl = (exchangedQuote - cost) * (this.#direction === 'long' ? 1n : -1n)
    const fill = { size: closed, exchangedQuote, rawPnl: pnl, pnl, fee: next.fee }
    if (next.does === 'force') this.#tell({ type: 'forceClose', closeReason: 'force_close', ...fill })
    else {
      const orderId = this.#order(next.part)
      const closes = closed === this.size
      this.#tell({ type: 'closePosition', orderId, closes, indexPrice: next.price, ...fill })
    }
    this.size -= closed
    this.cost -= cost
    this.fees += next.fee
    this.realized += pnl
    const after = this.shares()
    const taken = PARTS.map((own) => (before[own] as bigint) - (after[own] as bigint))
    for (const own of PARTS) expect(taken[own]).toBeGreaterThanOrEqual(0n)
    if (next.does === 'force') return
    const own = before[next.part] as bigint
    // Its own share first; others give no more than what goes beyond it.
    if (closed <= own) expect(taken[next.part]).toBe(closed)
    else expect(taken[next.part]).toBe(own)
  }

  #order(own: number): string {
    this.#orders += 1
    const orderId = `order ${this.#orders}`
    this.ledger.placed(own, orderId)
    return orderId
  }

  #tell(event: object): void {
    const position = { positionId: 'p', accountId: 'a', marketId: 'm', direction: this.#direction }
    this.ledger.add({ ...position, ...event } as StrategyEvent, this.#at)
  }
}

describe.each(['long', 'short'] as const)('the strategies of a %s position', (direction) => {
  test('have all of it and add up to the account; whoever has nothing open has gained nothing there', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        price,
        fc.constantFrom(...NETS),
        (steps, last, beside) => {
          const account = new Account(direction)
          for (const next of steps) account.take(next)
          const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n)
          const shares = account.shares()
          expect(sum(shares)).toBe(account.size)
          const net = account.realized - account.fees + account.funding + account.openPnl(last) + beside
          const { parts, unattributed } = account.ledger.result(net, () => last)
          expect(sum(parts.map(({ netProfit }) => netProfit)) + unattributed).toBe(net)
          expect(sum(parts.map(({ fees }) => fees))).toBe(account.fees)
          expect(sum(parts.map(({ funding }) => funding))).toBe(account.funding)
          expect(parts.map(({ trades }) => trades)).toEqual(account.trades)
          if (account.size > 0n) expect(unattributed).toBe(0n)
          for (const [own, result] of parts.entries()) {
            const { realizedPnl, fees, funding, openPnl, netProfit, wins, trades, earned } = result
            const settled = realizedPnl - fees + funding
            expect(netProfit).toBe(settled + openPnl)
            expect(earned.at(-1)?.[1] ?? 0n).toBe(settled)
            expect(wins).toBeLessThanOrEqual(trades)
            if (shares[own] === 0n) expect(openPnl).toBe(0n)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('have earned what the account has, once all of it is closed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), price, (steps, last) => {
        const account = new Account(direction)
        for (const next of steps) account.take(next)
        account.take({ does: 'force', share: 100, price: last, fee: 0n })
        const { parts } = account.ledger.result(0n, () => last)
        expect(parts.reduce((sum, { realizedPnl }) => sum + realizedPnl, 0n)).toBe(account.realized)
      }),
      { numRuns: 200 },
    )
  })
})
