// What a figure is, and how work is timed: rounds of everything that is compared take turns, and the best round of each
// counts, because whatever else runs on the machine can only slow a round down.

export interface Scale {
  /** Fewer and smaller, for a look in passing. */
  readonly quick: boolean
}

/** One line of the table. */
export interface Line {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** What it has to be. */
  readonly aim?: string
  /** What it is measured against in the same run, and how many times that it takes: 1 = as good as the floor. */
  readonly floor?: { readonly what: string; readonly value: number; readonly times: number }
}

export interface Figure {
  readonly name: string
  readonly about: string
  run(scale: Scale): Promise<readonly Line[]> | readonly Line[]
}

/** Something to be timed: does its work and says how many operations that was. */
export type Work = () => number

export interface Timing {
  readonly nsPerOperation: number
  readonly perSecond: number
}

const ROUNDS = 5

/** Times each kind of work, taking turns. `before` runs untimed ahead of every round. */
export function compare<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  rounds = ROUNDS,
  before: () => void = () => {},
): Record<Name, Timing> {
  const names = Object.keys(works) as Name[]
  const best = new Map<Name, number>()
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      before()
      collect()
      const started = process.hrtime.bigint()
      const operations = works[name]()
      const ns = Number(process.hrtime.bigint() - started) / operations
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, ns))
    }
  const timings = names.map((name) => [name, timing(best.get(name) as number)] as const)
  return Object.fromEntries(timings) as Record<Name, Timing>
}

export function timing(nsPerOperation: number): Timing {
  return { nsPerOperation, perSecond: 1e9 / nsPerOperation }
}

/** Times something that can be done only once. */
export function once(work: Work): Timing {
  collect()
  const started = process.hrtime.bigint()
  const operations = work()
  return timing(Number(process.hrtime.bigint() - started) / operations)
}

export function collect(): void {
  globalThis.gc?.()
}

/** A line in operations per second, beside a floor. `aim`: what it has to be, for people. */
export function rate(what: string, measured: Timing, floorWhat?: string, floor?: Timing, aim?: string): Line {
  const line = { what, value: measured.perSecond, unit: '/s', ...(aim !== undefined && { aim }) }
  if (floorWhat === undefined || floor === undefined) return line
  const times = measured.nsPerOperation / floor.nsPerOperation
  return { ...line, floor: { what: floorWhat, value: floor.perSecond, times } }
}
