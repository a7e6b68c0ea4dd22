// Ticks that nobody is to be told of are played as a stretch: whoever says when they hear next comes to the same as whoever hears all.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PayoutWatch } from '../../../../src/backtest/evaluate/payout.ts'
import type { TickFeed } from '../../../../src/backtest/feed/feed.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2025, 0, 1)

interface Row {
  readonly wait: number
  readonly price: number
}

function ticks(rows: readonly Row[], chunk: number): TickFeed {
  let at = START
  const times = rows.map(({ wait }) => {
    at += wait
    return at
  })
  return {
    kind: 'ticks',
    sources: ['drawn'],
    format: null,
    summary: () => ({
      ...{ rows: rows.length, skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null },
    }),
    async *[Symbol.asyncIterator]() {
      for (let first = 0; first < rows.length; first += chunk) {
        const own = rows.slice(first, first + chunk)
        yield {
          length: own.length,
          time: Float64Array.from(times.slice(first, first + chunk)),
          price: BigInt64Array.from(own, ({ price }) => fp9(price.toFixed(3))),
        }
      }
    },
  }
}

/** At the first tick of each hour that is due it turns: what was open is closed, what was not is opened. */
class Turns implements Strategy {
  readonly name = 'turns'
  heard = 0
  #due = START + HOUR_MS
  readonly #leverage: string

  constructor(leverage: string) {
    this.#leverage = leverage
  }

  get hearsFrom(): number {
    return this.#due
  }

  async onTick(
    { asset, time, price }: Parameters<NonNullable<Strategy['onTick']>>[0],
    context: Parameters<NonNullable<Strategy['onTick']>>[1],
  ) {
    this.heard += 1
    if (time < this.#due) return
    this.#due = time - (time % HOUR_MS) + HOUR_MS
    const [position] = context.positions(asset)
    if (position !== undefined) await context.close({ position })
    else
      await context.open({
        ...{ asset, direction: price % 2n === 0n ? 'long' : 'short', leverage: this.#leverage },
        ...{ sizeBy: { margin: '45%' }, ...(price % 3n === 0n ? { stopLoss: (price * 99n) / 100n } : {}) },
      })
  }
}

/** Says nothing of when it hears. */
const wakeful = (strategy: Turns): Strategy => ({
  name: strategy.name,
  onTick: (tick, context) => strategy.onTick(tick, context),
})

const row = fc.record({
  wait: fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 400_000 }), weight: 8 },
    { arbitrary: fc.constantFrom(0, 1, HOUR_MS, 9 * HOUR_MS, 30 * HOUR_MS), weight: 1 },
  ),
  price: fc.double({ min: 99.2, max: 100.8, noNaN: true }),
})
const rows = fc.array(row, { minLength: 20, maxLength: 160 })
const drawn = fc.record({
  markets: fc.array(rows, { minLength: 1, maxLength: 3 }),
  chunk: fc.integer({ min: 1, max: 90 }),
  leverage: fc.constantFrom('1', '2', '10'),
  samplingMs: fc.constantFrom(undefined, 1_800_000, Number.POSITIVE_INFINITY),
  isPaid: fc.boolean(),
  isHighPriced: fc.boolean(),
})

describe('ticks that nobody is to be told of', () => {
  test('come to the same state, curve, trades and days as those that are all told', async () => {
    let [heard, all, fills] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(drawn, async ({ markets, chunk, leverage, samplingMs, isPaid, isHighPriced }) => {
        const times = isHighPriced ? 200_000 : 1
        const made = (strategy: Strategy, recorder: PayoutWatch | undefined): BacktestOptions => ({
          markets: markets.map((own, index) => ({
            asset: `M${index}`,
            feed: ticks(
              own.map(({ wait, price }) => ({ wait, price: price * times })),
              chunk,
            ),
          })),
          strategy,
          ...(samplingMs === undefined ? {} : { samplingMs }),
          ...(recorder === undefined ? {} : { recorder }),
        })
        const rule = { days: 1, share: 0.5 }
        const watches = isPaid ? [new PayoutWatch(rule, START), new PayoutWatch(rule, START)] : []
        const [sleeper, waking] = [new Turns(leverage), new Turns(leverage)]
        const quiet = await runBacktest(made(sleeper, watches[0]))
        expect(quiet).toEqual(await runBacktest(made(wakeful(waking), watches[1])))
        expect(watches[0]?.paid).toEqual(watches[1]?.paid)
        heard += sleeper.heard
        all += waking.heard
        fills += quiet.fills
      }),
      { numRuns: 60 },
    )
    expect(heard).toBeLessThan(all * 0.9)
    expect(fills).toBeGreaterThan(100)
  })
})
