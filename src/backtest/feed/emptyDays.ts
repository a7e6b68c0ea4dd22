/** Days of ticks on which there is none: a day that an archive lacks looks like any other rest. */

const DAY_MS = 86_400_000

/** Whole days, UTC, after the one of an instant and before that of another, as 2025-01-05; epoch ms. */
function daysBetween(from: number, to: number): string[] {
  const [first, last] = [from, to].map((time) => Math.floor(time / DAY_MS)) as [number, number]
  return Array.from({ length: Math.max(0, last - first - 1) }, (_, index) =>
    new Date((first + 1 + index) * DAY_MS).toISOString().slice(0, 10),
  )
}

/** The empty days of several markets, each between its first tick and its last. */
export class EmptyDays {
  readonly #last: number[]
  readonly #days: readonly string[][]

  constructor(markets: number) {
    this.#last = new Array<number>(markets).fill(Number.NaN)
    this.#days = Array.from({ length: markets }, () => [])
  }

  /** A tick of a market, epoch ms. */
  add(market: number, time: number): void {
    const last = this.#last[market] as number
    // False before the first.
    if (time - last > DAY_MS) this.#days[market]?.push(...daysBetween(last, time))
    this.#last[market] = time
  }

  /** In their order. */
  of(market: number): readonly string[] {
    return this.#days[market] ?? []
  }
}

/** Days in a row as their first and their last, 2025-01-04 to 2025-01-06. */
export function dayStretches(days: readonly string[]): string[] {
  const stretches: { first: string; last: string }[] = []
  for (const day of days) {
    const open = stretches.at(-1)
    if (open !== undefined && Date.parse(day) - Date.parse(open.last) === DAY_MS) open.last = day
    else stretches.push({ first: day, last: day })
  }
  return stretches.map(({ first, last }) => (first === last ? first : `${first} to ${last}`))
}
