/** A strategy's own run, for the bars that it was told and the entries that were filled. */
import type { Commit } from '../../events/commit.ts'
import { optionsOf, type PreparedPlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import { runBacktest } from '../run/run.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { PlacedEntry } from './pattern.ts'

export interface Observed {
  /** When the bars closed that every market had, epoch ms. */
  readonly closes: readonly number[]
  /** In the order of time. Of several fills of one side and market within a bar there is one. */
  readonly entries: readonly PlacedEntry[]
  /** The middle one of the times that positions were held, in bars; null where none was closed. */
  readonly medianHold: number | null
}

export async function observe(plan: RunPlan, prepared: PreparedPlan): Promise<Observed> {
  const options = optionsOf({ ...plan, afterVerdict: 'go-on' }, prepared)
  const told = new Map<string, number[]>(prepared.markets.map(({ asset }) => [asset, []]))
  const fills = new EntryFills()
  const strategy = withBarsNoted(options.strategy, told)
  const { from, trades } = await runBacktest({ ...options, strategy, recorder: fills })
  const closes = commonCloses([...told.values()], from)
  const barOf = (at: number) => firstAtOrAfter(closes, at)
  const entries = new Map<string, PlacedEntry>()
  for (const { at, market, side } of fills.entries) {
    const entry = { bar: barOf(at), market, side }
    if (entry.bar < closes.length) entries.set(`${entry.bar} ${market} ${side}`, entry)
  }
  const held = trades.map(({ openedAt, closedAt }) => Math.max(1, barOf(closedAt) - barOf(openedAt)))
  held.sort((a, b) => a - b)
  return {
    closes,
    entries: [...entries.values()],
    medianHold: held[Math.floor((held.length - 1) / 2)] ?? null,
  }
}

interface EntryFill extends Omit<PlacedEntry, 'bar'> {
  /** Epoch ms. */
  readonly at: number
}

class EntryFills implements RunRecorder {
  readonly entries: EntryFill[] = []
  #accountId = ''
  #markets: readonly string[] = []

  start({ accountId, markets }: Parameters<RunRecorder['start']>[0]): void {
    this.#accountId = accountId
    this.#markets = markets.map(({ id }) => id)
  }

  bar(): void {}

  tick(): void {}

  commit({ at, events }: Commit): void {
    for (const event of events)
      if (event.type === 'increasePosition' && event.accountId === this.#accountId)
        this.entries.push({ at, market: this.#markets.indexOf(event.marketId), side: event.direction })
  }
}

function withBarsNoted(strategy: Strategy, told: ReadonlyMap<string, number[]>): Strategy {
  const { name, parts, onTick, onEvent } = strategy
  return {
    name,
    ...(parts === undefined ? {} : { parts }),
    onStart: (context) => strategy.onStart?.(context),
    onBar(bar, context) {
      told.get(bar.asset)?.push(bar.closeTime)
      return strategy.onBar?.(bar, context)
    },
    ...(onTick && { onTick: (tick, context) => onTick.call(strategy, tick, context) }),
    ...(onEvent && { onEvent: (event, context) => onEvent.call(strategy, event, context) }),
    onEnd: (context) => strategy.onEnd?.(context),
  }
}

function commonCloses([first = [], ...others]: readonly (readonly number[])[], from: number): number[] {
  const known = others.map((closes) => new Set(closes))
  return first.filter((close) => close >= from && known.every((closes) => closes.has(close)))
}

/** Index of the first of them that is not before `at`; their number where there is none. */
function firstAtOrAfter(closes: readonly number[], at: number): number {
  let [low, high] = [0, closes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((closes[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return low
}
