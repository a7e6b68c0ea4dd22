/** Saved runs side by side: what was set otherwise, what came of it, and the trades that are not the same. */
import { FIGURES, type FigureName } from './figures.ts'
import type { SavedRun, SavedTrade } from './savedRun.ts'

/** What one run has and another has not, or has otherwise; one value per run, null where it is not set. */
export interface SettingDifference {
  readonly name: string
  readonly values: readonly (string | null)[]
}

/** A trade that is not the same in all runs: per run what became of it, null where the run has none. */
export interface TradeDifference {
  readonly asset: string
  readonly side: string
  /** Epoch ms. */
  readonly openedAt: number
  readonly trades: readonly (SavedTrade | null)[]
}

export interface RunComparison {
  readonly runs: readonly Pick<
    SavedRun,
    'place' | 'strategy' | 'from' | 'to' | 'outcome' | 'stateHash' | 'curve'
  >[]
  /** Whether all ended in the same state: then nothing else can differ but how they were made. */
  readonly same: boolean
  /** Null where a run does not say how it was made. */
  readonly settings: readonly SettingDifference[] | null
  readonly figures: readonly {
    readonly name: FigureName
    readonly values: readonly (bigint | number | null)[]
  }[]
  /** By the moment of opening. */
  readonly trades: readonly TradeDifference[]
  /** How many trades are the same in all. */
  readonly sameTrades: number
}

/** @throws RangeError for fewer than two runs. */
export function compareRuns(runs: readonly SavedRun[]): RunComparison {
  if (runs.length < 2) throw new RangeError('there is nothing to compare: give two saved runs or more')
  const { different, same } = comparedTrades(runs.map(({ trades }) => trades))
  return {
    runs: runs.map(({ place, strategy, from, to, outcome, stateHash, curve }) => ({
      place,
      strategy,
      from,
      to,
      outcome,
      stateHash,
      curve,
    })),
    same: new Set(runs.map(({ stateHash }) => stateHash)).size === 1,
    settings: comparedSettings(runs),
    figures: (Object.keys(FIGURES) as FigureName[]).map((name) => ({
      name,
      values: runs.map(({ figures }) => figures[name]),
    })),
    trades: different,
    sameTrades: same,
  }
}

function comparedSettings(runs: readonly SavedRun[]): SettingDifference[] | null {
  const all: ReadonlyMap<string, string>[] = []
  for (const { settings } of runs) {
    if (settings === null) return null
    all.push(settings)
  }
  const names = new Set(all.flatMap((settings) => [...settings.keys()]))
  return [...names]
    .map((name) => ({ name, values: all.map((settings) => settings.get(name) ?? null) }))
    .filter(({ values }) => new Set(values).size > 1)
}

/** Trades are paired by market, side and moment of opening; of several that share them, in the order of closing. */
function comparedTrades(runs: readonly (readonly SavedTrade[])[]) {
  const paired = new Map<string, (SavedTrade | null)[]>()
  for (const [run, trades] of runs.entries()) {
    const seen = new Map<string, number>()
    for (const trade of trades) {
      const opening = `${trade.openedAt} ${trade.asset} ${trade.side}`
      const number = seen.get(opening) ?? 0
      seen.set(opening, number + 1)
      const key = `${opening} ${number}`
      const pair = paired.get(key) ?? runs.map(() => null)
      pair[run] = trade
      paired.set(key, pair)
    }
  }
  const all = [...paired.values()]
  const different = all.filter((trades) => !areSame(trades)).map(differenceOf)
  return {
    different: different.sort((one, other) => one.openedAt - other.openedAt),
    same: all.length - different.length,
  }
}

function differenceOf(trades: readonly (SavedTrade | null)[]): TradeDifference {
  const { asset, side, openedAt } = trades.find((trade) => trade !== null) as SavedTrade
  return { asset, side, openedAt, trades }
}

function areSame([first = null, ...rest]: readonly (SavedTrade | null)[]): boolean {
  return rest.every(
    (trade) =>
      trade !== null &&
      first !== null &&
      (Object.keys(trade) as (keyof SavedTrade)[]).every((field) => trade[field] === first[field]),
  )
}

/** The equity at a moment, seconds since 1970: that of the last point before it; null outside of the run. */
export function equityAt({ time, equity }: SavedRun['curve'], second: number): number | null {
  if (time.length === 0 || second < (time[0] as number) || second > (time.at(-1) as number)) return null
  let [low, high] = [0, time.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((time[middle] as number) <= second) low = middle + 1
    else high = middle
  }
  return equity[low - 1] as number
}
