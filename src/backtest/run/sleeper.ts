/** Whoever is told of ticks and knows which is the next that concerns them: those before it need not be told one by one. */

export interface Sleeper {
  /** The first moment that they are to be told of, epoch ms; it may change whenever they are told of anything, or a feed is read. */
  readonly hearsFrom: number
}

/** The first moment at which one of them is to be told; at once where one does not say. */
export function wakingTime(listeners: readonly object[]): number {
  let time = Number.POSITIVE_INFINITY
  for (let index = 0; index < listeners.length; index++) {
    const own = hearsFrom(listeners[index] as object)
    if (own < time) time = own
  }
  return time
}

function hearsFrom(listener: object): number {
  return 'hearsFrom' in listener && typeof listener.hearsFrom === 'number'
    ? listener.hearsFrom
    : Number.NEGATIVE_INFINITY
}
