/** What a saved result says of itself, whatever wrote it: what is not there is left open. */
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { plural } from '../backtest/output/presentation.ts'
import { writtenInstant } from '../terms/writtenInstant.ts'

type ResultKind =
  | 'backtest'
  | 'live'
  | 'sweep'
  | 'search'
  | 'walk-forward'
  | 'evaluate'
  | 'compare'
  | 'study'
  | 'page'
  | 'damaged'

export interface ReadResult {
  readonly kind: ResultKind
  readonly strategy: string
  readonly markets: readonly string[]
  /** Epoch ms. */
  readonly from: number | null
  readonly to: number | null
  /** The verdict of a run; of a study a few words that take its place. */
  readonly outcome: string | null
  /** A fraction. */
  readonly totalReturn: number | null
  /** A fraction, from its peak. */
  readonly maxDrawdown: number | null
  /** What else there is to say. */
  readonly note: string
  /** What was typed. */
  readonly command: string | null
  /** Whether it is a run that can be put beside others. */
  readonly isComparable: boolean
}

const orNull = (of: ReturnType<typeof Type.Number>) => Type.Union([of, Type.Null()])
const Made = Type.Object({ command: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
const Plan = Type.Object({
  strategy: Type.String(),
  markets: Type.Array(Type.Object({ asset: Type.String() })),
  from: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  to: Type.Optional(Type.Union([Type.String(), Type.Number()])),
})
const Figures = Type.Object({
  totalReturn: orNull(Type.Number()),
  maxDrawdown: orNull(Type.Number()),
  outcome: Type.Optional(Type.String()),
})

const Run = Type.Object({
  strategy: Type.String(),
  from: Type.String(),
  to: Type.String(),
  verdict: Type.Object({ outcome: Type.String() }),
  statistics: Type.Object({
    totalReturn: orNull(Type.Number()),
    maxDrawdown: Type.Union([Type.Object({ depth: Type.Number() }), Type.Null()]),
    trades: Type.Object({ trades: Type.Number() }),
  }),
  report: Type.Object({ charts: Type.Object({ assets: Type.Array(Type.String()) }) }),
})
const Sets = Type.Object({
  plan: Plan,
  rankedBy: Type.Array(Type.String()),
  rows: Type.Array(Type.Object({ parameters: Type.Record(Type.String(), Type.Unknown()), figures: Figures })),
})
const Walk = Type.Object({
  plan: Plan,
  folds: Type.Array(Type.Unknown()),
  outOfSample: Type.Intersect([
    Type.Omit(Figures, ['outcome']),
    Type.Object({ profitableFolds: Type.Number() }),
  ]),
})
const Odds = Type.Object({
  plan: Type.Optional(Plan),
  /** Of a trader's own trades there is no plan. */
  table: Type.Optional(Type.String()),
  paths: Type.Number(),
  days: Type.Number(),
  odds: Type.Array(
    Type.Object({
      passed: Type.Object({ share: Type.Number(), low: Type.Number(), high: Type.Number() }),
    }),
  ),
})
const Compared = Type.Object({
  runs: Type.Array(Type.Object({ place: Type.String(), strategy: Type.String() })),
  sameTrades: Type.Number(),
})

/** Null for what no command of this package wrote. */
export function resultOf(saved: object): ReadResult | null {
  const command = commandIn(saved)
  if (Check(Run, saved)) return { ...runRow(saved, 'live' in saved), command }
  if (Check(Walk, saved)) return { ...walkRow(saved), command }
  if (Check(Sets, saved)) return { ...setRow(saved, 'method' in saved), command }
  if (Check(Odds, saved)) return { ...oddsRow(saved), command }
  if (Check(Compared, saved)) return { ...comparedRow(saved), command }
  return null
}

/** What was typed; null where it does not say. */
export function commandIn(saved: object): string | null {
  const { madeBy } = saved as { readonly madeBy?: unknown }
  return Check(Made, madeBy) ? (madeBy.command ?? null) : null
}

type Told = Omit<ReadResult, 'command'>

function runRow(saved: Static<typeof Run>, isLive: boolean): Told {
  const { strategy, from, to, verdict, statistics, report } = saved
  const trades = statistics.trades.trades
  return {
    kind: isLive ? 'live' : 'backtest',
    strategy,
    markets: report.charts.assets,
    from: moment(from),
    to: moment(to),
    outcome: verdict.outcome,
    totalReturn: statistics.totalReturn,
    maxDrawdown: statistics.maxDrawdown?.depth ?? null,
    note: `${trades} ${plural(trades, 'trade')}`,
    isComparable: !isLive,
  }
}

function setRow({ plan, rankedBy, rows }: Static<typeof Sets>, isSearch: boolean): Told {
  const [best] = rows
  const set = Object.entries(best?.parameters ?? {}).map(([name, value]) => `${name}=${value}`)
  return {
    ...ofPlan(plan),
    kind: isSearch ? 'search' : 'sweep',
    outcome: best?.figures.outcome ?? null,
    totalReturn: best?.figures.totalReturn ?? null,
    maxDrawdown: best?.figures.maxDrawdown ?? null,
    note: `best of ${rows.length} by ${rankedBy.join(', ')}: ${set.join(' ')}`,
  }
}

function walkRow({ plan, folds, outOfSample }: Static<typeof Walk>): Told {
  const { totalReturn, maxDrawdown, profitableFolds } = outOfSample
  return {
    ...ofPlan(plan),
    kind: 'walk-forward',
    outcome: `${profitableFolds} of ${folds.length} ${plural(folds.length, 'fold')}`,
    totalReturn,
    maxDrawdown,
    note: 'outside of the trainings',
  }
}

function oddsRow({ plan, table = '', paths, days, odds }: Static<typeof Odds>): Told {
  const [best] = odds.map(({ passed }) => passed).sort((one, other) => other.share - one.share)
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`
  const cases = odds.length > 1 ? `, the best of ${odds.length} cases` : ''
  return {
    ...(plan === undefined ? { ...NO_PLAN, strategy: `the trades of ${table}` } : ofPlan(plan)),
    kind: 'evaluate',
    outcome: best === undefined ? null : `${percent(best.share)} pass`,
    totalReturn: null,
    maxDrawdown: null,
    note:
      best === undefined
        ? ''
        : `${percent(best.low)} to ${percent(best.high)}, ${paths} ${plural(paths, 'path')} of ${days} ${plural(days, 'day')}${cases}`,
  }
}

function comparedRow({ runs, sameTrades }: Static<typeof Compared>): Told {
  return {
    ...{
      kind: 'compare',
      strategy: runs.map(({ place }) => place).join(' · '),
      markets: [],
      from: null,
      to: null,
    },
    ...{ outcome: null, totalReturn: null, maxDrawdown: null, isComparable: false },
    note: `${sameTrades} ${plural(sameTrades, 'trade is', 'trades are')} the same`,
  }
}

const NO_PLAN = { strategy: '', markets: [], from: null, to: null, isComparable: false }

function ofPlan({ strategy, markets, from, to }: Static<typeof Plan>) {
  return {
    strategy,
    markets: markets.map(({ asset }) => asset),
    from: moment(from),
    to: moment(to),
    isComparable: false,
  }
}

function moment(said: string | number | undefined): number | null {
  return typeof said === 'string' ? writtenInstant(said) : (said ?? null)
}
