/**
 * Entries as a pattern on a ring of bars: slid along it they keep their sides, their markets and the distances between them, and lose only
 * what they had to do with the prices.
 */
import type { Direction } from '../../terms/direction.ts'
import { Random } from '../simulated/random.ts'

/** An entry by the bar at whose close it is made. */
export interface PlacedEntry {
  /** Counted from 0, among the bars that every market has. */
  readonly bar: number
  /** Index in the plan. */
  readonly market: number
  readonly side: Direction
}

/** An entry with the account that makes it: entries of a market that are held at once have different ones. */
export interface LanedEntry extends PlacedEntry {
  readonly lane: number
}

/** What of the entries can be tried at other times. */
export interface EntryPattern {
  /** In the order of their bars. */
  readonly entries: readonly LanedEntry[]
  /** Bars that an entry may be at: from each of them it can be held to its end. */
  readonly ring: number
  readonly lanes: number
  /** Entries of which nothing is said: too near the end of the data, or one too many at once. */
  readonly leftOut: number
}

const MOST_LANES = 8

/** @param hold bars that each entry is held for. */
export function patternOf(placed: readonly PlacedEntry[], bars: number, hold: number): EntryPattern {
  const ring = Math.max(0, bars - hold)
  const lanes: PlacedEntry[][][] = []
  const entries: LanedEntry[] = []
  let count = 0
  for (const entry of placed) {
    if (entry.bar >= ring) continue
    lanes[entry.market] ??= Array.from({ length: MOST_LANES }, () => [])
    const own = lanes[entry.market] as PlacedEntry[][]
    const lane = own.findIndex((before) => isFree(before, entry.bar, ring, hold))
    if (lane === -1) continue
    own[lane]?.push(entry)
    entries.push({ ...entry, lane })
    count = Math.max(count, lane + 1)
  }
  return { entries, ring, lanes: count, leftOut: placed.length - entries.length }
}

/** Whether nothing of the lane is held at the same time, wherever the ring is turned. */
function isFree(lane: readonly PlacedEntry[], bar: number, ring: number, hold: number): boolean {
  const [first, last] = [lane[0], lane.at(-1)]
  return (
    first === undefined || last === undefined || (bar - last.bar >= hold && first.bar + ring - bar >= hold)
  )
}

/** The same entries so many bars later, those beyond the end of the ring at its begin. */
export function shifted({ entries, ring }: EntryPattern, by: number): LanedEntry[] {
  return entries.map((entry) => ({ ...entry, bar: (entry.bar + by) % ring }))
}

/** So many different shifts, none of them by nothing, as far as there are so many. */
export function drawnShifts(ring: number, count: number, seed: string): number[] {
  if (ring - 1 <= count) return Array.from({ length: Math.max(0, ring - 1) }, (_, index) => index + 1)
  const random = new Random(`${seed} shifts`)
  const shifts = new Set<number>()
  while (shifts.size < count) shifts.add(1 + random.below(ring - 1))
  return [...shifts]
}

/** Whether a market has entries of both sides: only then can they be dealt otherwise. */
export function hasBothSides(entries: readonly PlacedEntry[]): boolean {
  const sides = new Set(entries.map(({ market, side }) => `${market} ${side}`))
  return sides.size > new Set(entries.map(({ market }) => market)).size
}

/** The entries of each market with their sides shuffled: as many are long as were. */
export function dealtSides(entries: readonly LanedEntry[], draw: number, seed: string): LanedEntry[] {
  const random = new Random(`${seed} sides ${draw}`)
  const dealt = new Map<number, Direction[]>()
  for (const { market, side } of entries) dealt.set(market, [...(dealt.get(market) ?? []), side])
  for (const sides of dealt.values()) shuffle(sides, random)
  return entries.map((entry) => ({ ...entry, side: dealt.get(entry.market)?.pop() ?? entry.side }))
}

/** Every order is equally likely (Fisher, Yates; in place). */
function shuffle<Item>(items: Item[], random: Random): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const item = items[last] as Item
    items[last] = items[other] as Item
    items[other] = item
  }
}
