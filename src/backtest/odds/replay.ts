/**
 * Trades played through the venue's own rules: a market is made whose price moves as each trade's profit needs it, and an
 * account trades it. Costs are in the profits already, so the market has none. Trades that are open at once have a market each.
 */
import { fp9 } from '../../quantity/decimal.ts'
import { ACCOUNT_DEFAULTS } from '../../terms/parameterFields.ts'
import { PATH_START } from '../evaluate/life.ts'
import type { BacktestAccount, BacktestOptions } from '../run/run.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { Strategy, StrategyContext, Tick } from '../strategy/strategy.ts'
import { Lane, type LaneAction } from './lane.ts'
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
  const lanes = Array.from({ length: count }, () => new Lane(scale, balance, count))
  const [main] = lanes as [Lane]
  for (const [day, trades] of days.entries()) {
    const midnight = begin + day * DAY_MS
    if (day === 0 || (trades[0]?.opens ?? 1) > 0) main.wait(midnight)
    for (const trade of trades) {
      const { held } = trade
      if (held === undefined) main.play(trade, midnight)
      else (lanes[held.lane] as Lane).hold(trade, held, midnight, days[day - 1], days[day + 1])
    }
  }
  for (const lane of lanes) lane.wait(begin + days.length * DAY_MS)
  const free = { spread: 0n, feeRate: 0n, fundingRate: 0n, minNotional: 0n }
  const assets = lanes.map((_, lane) => (lane === 0 ? ASSET : `${ASSET}${lane + 1}`))
  return {
    markets: lanes.map((lane, index) => ({
      asset: assets[index] as string,
      feed: lane.feed(),
      parameters: free,
    })),
    strategy: new Replay(new Map(lanes.map(({ actions }, index) => [assets[index] as string, actions]))),
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

/** Does at each price what belongs to it. */
class Replay implements Strategy {
  readonly name = 'trades of one’s own'
  readonly #actions: ReadonlyMap<string, readonly LaneAction[]>
  readonly #at = new Map<string, number>()

  constructor(actions: ReadonlyMap<string, readonly LaneAction[]>) {
    this.#actions = actions
  }

  onTick({ asset }: Tick, context: StrategyContext): Promise<void> | undefined {
    const at = this.#at.get(asset) ?? 0
    this.#at.set(asset, at + 1)
    const action = this.#actions.get(asset)?.[at] ?? 'wait'
    return action === 'wait' ? undefined : this.#do(action, asset, context)
  }

  async #do(action: Exclude<LaneAction, 'wait'>, asset: string, context: StrategyContext): Promise<void> {
    if (action !== 'close') await context.open({ asset, ...action })
    else for (const position of context.positions(asset)) await context.close({ position })
  }
}
