// One scene, searched until so many states are known.

import { Reach, type ReachCounts } from '../../src/testing/index.ts'
import { SCENES } from './scenes.ts'
import { Search } from './search.ts'

/** Every state of the scene about rejections is asked a hundred things; each of the others, fifteen. */
const SHARES: Readonly<Record<string, number>> = { rejections: 0.1 }

export interface SceneSearch {
  readonly name: string
  readonly states: number
}

export interface SceneReport {
  readonly name: string
  readonly states: number
  /** Every sequence of so many commands has been tried. */
  readonly depth: number
  readonly perDepth: readonly number[]
  readonly steps: number
  readonly rejections: number
  /** Paths played whole. */
  readonly replays: number
  /** Whether there was nothing left to try. */
  readonly exhausted: boolean
  readonly seconds: number
  readonly reached: ReachCounts
}

/** How many states each scene goes to, so that they are `states` together. */
export function shared(states: number): SceneSearch[] {
  const names = Object.keys(SCENES)
  const shareOf = (name: string) => SHARES[name] ?? 1
  const whole = names.reduce((sum, name) => sum + shareOf(name), 0)
  return names.map((name) => ({ name, states: Math.ceil((states * shareOf(name)) / whole) }))
}

/**
 * `tell` is called with the states known so far, now and then.
 *
 * @throws Broken
 */
export async function searchScene(
  { name, states }: SceneSearch,
  tell: (known: number) => Promise<void> = async () => {},
): Promise<SceneReport> {
  const scene = SCENES[name]
  if (scene === undefined) throw new RangeError(`there is no scene ${name}`)
  const reach = new Reach()
  const search = new Search(scene, reach.witness())
  const began = performance.now()
  // At least a hundred paths are played whole, and one in a thousand.
  await search.run(states, Math.min(1_000, Math.ceil(states / 100)), tell)
  const { depth, perDepth, steps, rejections, replays, exhausted } = search
  const seconds = (performance.now() - began) / 1_000
  const counts = { depth, perDepth, steps, rejections, replays, exhausted, seconds }
  return { name, states: search.size, ...counts, reached: reach.counts() }
}

/** A line for people. */
export function lineOf({
  name,
  states,
  depth,
  perDepth,
  steps,
  rejections,
  replays,
  seconds,
}: SceneReport): string {
  return (
    `${name}: ${states} states, complete to ${depth} commands, by commands ${perDepth.join(' ')}; ` +
    `${steps} steps, ${rejections} refused, ${replays} paths whole, ${seconds.toFixed(0)} s`
  )
}
