// What the processes of bench/stream.ts tell each other.

/** Whose load it is: of the engine that nobody listens to, or of the other. */
export type Side = 'alone' | 'heard'

/** When something was, by commit: ms of the machine's monotonic clock, which all processes read. */
export type Moments = readonly (readonly [seq: number, at: number])[]

/** What a stretch of load was like for the venue. */
export interface Stretch {
  readonly orders: number
  readonly seconds: number
  /** Processor time of the venue, seconds: what it did for orders and for listeners, and what of that was the system's. */
  readonly processor: number
  readonly system: number
  /** From each command to its acknowledgement, µs: the middle one, and the tenth part that took longest from there on. */
  readonly dispatch: { readonly median: number; readonly slow: number }
  /** Resident bytes after the stretch. */
  readonly bytes: number
  /** The longest the load waited for its turn of the loop, ms, and what of that the processor worked for the venue. */
  readonly held: { readonly ms: number; readonly processor: number }
  /** When each order was committed. */
  readonly given: Moments
}

/** What the venue has written of fills into connections. */
export interface Written {
  readonly at: Moments
  /** Of these, so many the system did not take at once, because whoever reads had too much unread. */
  readonly held: number
}

/** What subscribers have heard: when each fill came, and how many messages there were in all. */
export interface Heard {
  readonly at: Moments
  readonly messages: number
}

const hex = (number: number) => number.toString(16).padStart(12, '0')
export const accountOf = (number: number) => `a0000000-0000-4000-8000-${hex(number)}`
export const userOf = (number: number) => `c0000000-0000-4000-8000-${hex(number)}`
export const tokenOf = (number: number) => `session-${number}`

export const monotonicMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000

const [FILLED, TELLS] = ['"status":"executed"', '"type":"order","seq":']

/** The commits of which a piece of the stream tells that an order was executed. */
export function* fillsIn(text: string | Buffer): Generator<number> {
  let told = 0
  // The order of a position event is no message of its own: it stands in that of a commit that has been.
  for (let at = text.indexOf(FILLED); at !== -1; at = text.indexOf(FILLED, at + FILLED.length)) {
    const from = text.lastIndexOf(TELLS, at) + TELLS.length
    const seq = Number.parseInt(text.slice(from, from + 16).toString(), 10)
    if (seq > told) yield seq
    told = seq
  }
}

/** The value that so great a part of them stays below. */
export function shareOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
}
