/**
 * Trades played through the venue's own rules: a market is made whose price moves as each trade's profit needs it, and an
 * account trades it. Costs are in the profits already, so the market has none.
 */
import { fp9 } from '../../quantity/decimal.ts'
import { PATH_START } from '../evaluate/life.ts'
import type { TickColumns } from '../feed/columns.ts'
import type { TickFeed } from '../feed/feed.ts'
import { toPrice } from '../numbers/toNumber.ts'
import type { BacktestAccount, BacktestOptions } from '../run/run.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { DayTrade } from './tradeDays.ts'

const ASSET = 'TRADES'
const PRICE = 100
/** Of the balance; a trade cannot lose more than nearly all of it, which is beyond any loss limit. */
const NOTIONAL_SHARE = 0.5
const MOST_LOST = 0.9
/** People's decimals of a size. */
const SIZE_DIGITS = 6

type Action = 'open' | 'wait' | 'close'

/** The run that plays the days one after the other from a midnight on, every trade `scale` times as large. */
export function replayOf(
  days: readonly (readonly DayTrade[])[],
  scale: number,
  balance: number,
  account: BacktestAccount,
  begin = PATH_START,
): BacktestOptions {
  const times: number[] = []
  const prices: bigint[] = []
  const actions: Action[] = []
  const add = (time: number, gain: number, action: Action) => {
    times.push(time)
    prices.push(toPrice(PRICE * (1 + Math.max(-MOST_LOST, (gain * scale) / NOTIONAL_SHARE))))
    actions.push(action)
  }
  for (const [day, trades] of days.entries()) {
    const midnight = begin + day * DAY_MS
    if (day === 0 || (trades[0]?.opens ?? 1) > 0) add(midnight, 0, 'wait')
    for (const { opens, closes, gain, worst } of trades) {
      add(midnight + opens, 0, 'open')
      if (worst < Math.min(0, gain)) add(midnight + Math.floor((opens + closes) / 2), worst, 'wait')
      add(midnight + closes, gain, 'close')
    }
  }
  add(begin + days.length * DAY_MS, 0, 'wait')
  const size = ((balance * NOTIONAL_SHARE) / PRICE).toFixed(SIZE_DIGITS)
  const free = { spread: 0n, feeRate: 0n, fundingRate: 0n }
  return {
    markets: [{ asset: ASSET, feed: feedOf(times, prices), parameters: free }],
    strategy: new Replay(actions, size),
    account: { ...account, balance: fp9(String(balance)) },
    afterVerdict: 'stop',
    samplingMs: Number.POSITIVE_INFINITY,
  }
}

/** Does at each price what belongs to it. */
class Replay implements Strategy {
  readonly name = 'trades of one’s own'
  readonly #actions: readonly Action[]
  readonly #size: string
  #at = 0

  constructor(actions: readonly Action[], size: string) {
    this.#actions = actions
    this.#size = size
  }

  async onTick(_: unknown, context: Parameters<NonNullable<Strategy['onTick']>>[1]): Promise<void> {
    const action = this.#actions[this.#at++]
    if (action === 'open')
      await context.open({ asset: ASSET, direction: 'long', sizeBy: { base: this.#size }, leverage: '1' })
    if (action === 'close') await context.closeAll()
  }
}

function feedOf(times: readonly number[], prices: readonly bigint[]): TickFeed {
  const ticks: TickColumns = {
    length: times.length,
    time: Float64Array.from(times),
    price: BigInt64Array.from(prices),
  }
  return {
    kind: 'ticks',
    sources: ['trades of one’s own'],
    format: null,
    summary: () => ({
      rows: ticks.length,
      skipped: 0,
      firstSkipped: [],
      gaps: 0,
      missingBars: 0,
      largestGap: null,
    }),
    async *[Symbol.asyncIterator]() {
      yield ticks
    },
  }
}
