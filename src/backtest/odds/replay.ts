/**
 * Trades played through the venue's own rules: a market is made whose price moves as each trade's profit needs it, and an
 * account trades it. Costs are in the profits already, so the market has none. Trades that are open at once have a market each.
 */
import { fp9 } from '../../quantity/decimal.ts'
import { ACCOUNT_DEFAULTS } from '../../terms/parameterFields.ts'
import { PATH_START } from '../evaluate/life.ts'
import type { BacktestAccount, BacktestOptions } from '../run/run.ts'
import type { Sleeper } from '../run/sleeper.ts'
import type { Strategy, StrategyContext, Tick } from '../strategy/strategy.ts'
import { Lane, type LaneAct, type LaneAction } from './lane.ts'
import type { DayTrade } from './tradeDays.ts'

const ASSET = 'TRADES'

/** The run that plays the days one after the other from a midnight on, every trade `scale` times as large. */
export function replayOf(
  days: readonly (readonly DayTrade[])[],
  scale: number,
  balance: number,
  account: BacktestAccount,
  begin = PATH_START,
): BacktestOptions {
  const count = 1 + Math.max(0, ...days.flat().map(({ held }) => held?.lane ?? 0))
  const lanes = Array.from(
    { length: count },
    (_, number) => new Lane({ number, count, scale, balance, days, begin }),
  )
  const free = { spread: 0n, feeRate: 0n, fundingRate: 0n, minNotional: 0n }
  const assets = lanes.map((_, lane) => (lane === 0 ? ASSET : `${ASSET}${lane + 1}`))
  return {
    markets: lanes.map((lane, index) => ({
      asset: assets[index] as string,
      feed: lane.feed(),
      parameters: free,
    })),
    strategy: new Replay(
      new Map(lanes.map(({ acts }, index) => [assets[index] as string, new LaneActs(acts)])),
    ),
    account: { ...leveraged(account, days), balance: fp9(String(balance)) },
    afterVerdict: 'stop',
    samplingMs: Number.POSITIVE_INFINITY,
  }
}

/** The plan of an evaluation allows the leverage that trades were made with, unless it is given; the market's bound applies. */
function leveraged(account: BacktestAccount, days: readonly (readonly DayTrade[])[]): BacktestAccount {
  const most = Math.max(0, ...days.flat().map(({ held }) => held?.margin?.leverage ?? 0))
  const leverage = fp9(String(most))
  return account.maxLeverage === undefined && leverage > ACCOUNT_DEFAULTS.maxLeverage
    ? { ...account, maxLeverage: leverage }
    : account
}

/** The acts of a lane, each found by its price. */
class LaneActs {
  readonly #acts: readonly LaneAct[]
  #done = 0
  #time = Number.NaN
  #place = 0

  constructor(acts: readonly LaneAct[]) {
    this.#acts = acts
  }

  /** When the next one is, epoch ms; infinite without one. */
  get nextAt(): number {
    return this.#acts[this.#done]?.time ?? Number.POSITIVE_INFINITY
  }

  /** What is done at the next price; those before the next act may be left out, and none of its own time. */
  at(time: number): LaneAction | null {
    this.#place = time === this.#time ? this.#place + 1 : 0
    this.#time = time
    const next = this.#acts[this.#done]
    if (next?.time !== time || next.place !== this.#place) return null
    this.#done += 1
    return next.action
  }
}

/** Does at each price what belongs to it, and hears no other. */
class Replay implements Strategy, Sleeper {
  readonly name = 'trades of one’s own'
  readonly #lanes: ReadonlyMap<string, LaneActs>

  constructor(lanes: ReadonlyMap<string, LaneActs>) {
    this.#lanes = lanes
  }

  get hearsFrom(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { nextAt } of this.#lanes.values()) if (nextAt < first) first = nextAt
    return first
  }

  onTick({ asset, time }: Tick, context: StrategyContext): Promise<void> | undefined {
    const action = this.#lanes.get(asset)?.at(time) ?? null
    return action === null ? undefined : this.#do(action, asset, context)
  }

  async #do(action: LaneAction, asset: string, context: StrategyContext): Promise<void> {
    if (action !== 'close') await context.open({ asset, ...action })
    else for (const position of context.positions(asset)) await context.close({ position })
  }
}
