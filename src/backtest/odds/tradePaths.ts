/** Many possible futures of a trader: days drawn in blocks from those there were, each played through the rules. */
import { lifeOf, PATH_START, type PathOutcome } from '../evaluate/life.ts'
import type { RuleSet } from '../evaluate/rules.ts'
import { accountOf } from '../plan/options.ts'
import type { DecimalFields } from '../plan/plan.ts'
import { Random } from '../simulated/random.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { replayOf } from './replay.ts'
import type { DayTrade } from './tradeDays.ts'

export interface TradePathSetup {
  readonly days: readonly (readonly DayTrade[])[]
  /** Length of a path, in days. */
  readonly horizon: number
  /** Mean length of a block of days (stationary bootstrap). */
  readonly meanBlock: number
  readonly seed: string
}

/** Paths of one account: its rules, and how many times as large every trade is. */
export interface TradePathTask {
  readonly numbers: readonly number[]
  readonly rules: RuleSet
  readonly scale: number
}

const BALANCE = 10_000

/** The same number draws the same days, whatever the rules and the scale. */
export function tradePathRunner(setup: TradePathSetup): (task: TradePathTask) => Promise<PathOutcome[]> {
  return async ({ numbers, rules, scale }) => {
    const outcomes: PathOutcome[] = []
    for (const number of numbers) {
      const days = drawnDays(setup, number)
      const run = ({ balance = BALANCE, ...account }: DecimalFields, from: number) => {
        const left = days.slice((from - PATH_START) / DAY_MS)
        return replayOf(left, scale, Number(balance), accountOf(account), from)
      }
      outcomes.push(await lifeOf(run, rules, setup.horizon))
    }
    return outcomes
  }
}

/** Stationary bootstrap (D. N. Politis, J. P. Romano, JASA 89, 1994); the sample wraps around at its end. */
export function drawnDays(
  { days, horizon, meanBlock, seed }: TradePathSetup,
  number: number,
): (readonly DayTrade[])[] {
  const random = new Random(`${seed}/${number}`)
  let source = 0
  return Array.from({ length: horizon }, (_, day) => {
    const isNewBlock = day === 0 || random.uniform() < 1 / meanBlock
    source = isNewBlock ? random.below(days.length) : (source + 1) % days.length
    return days[source] as readonly DayTrade[]
  })
}
