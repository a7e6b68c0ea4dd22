// Waiting for what an answer comes to, without the clock: so many turns of what is waiting, and nothing else has its turn meanwhile.

/** What needs more turns waits for something outside. */
const TURNS = 400
const MOST_ITEMS = 30

/** What is said of a thing that does not come. */
const NOT_YET = 'not yet'

export function isToCome(value: unknown): value is ToCome {
  if (typeof value !== 'object' || value === null) return false
  return Symbol.asyncIterator in value || ('then' in value && typeof value.then === 'function')
}

type ToCome = PromiseLike<unknown> | AsyncIterable<unknown>

/** Goes on at once but for what is to come, which it gives and is given what it came to. */
export type Steps = Generator<ToCome, void, unknown>
export type Step = <T>(taken: () => T) => T

/** How Node says that a step was ended. */
export const isOutOfTime = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

export async function walked(steps: Steps, step: Step): Promise<void> {
  let next = step(() => steps.next())
  while (next.done !== true) {
    const came = await comeTo(next.value).then(
      (of) => () => steps.next(of),
      (error: unknown) => () => steps.throw(error),
    )
    next = step(came)
  }
}

/** What it comes to, in full where it comes one after the other; throws what it fails with. */
async function comeTo(value: ToCome): Promise<unknown> {
  if (!(Symbol.asyncIterator in value)) return settled(value)
  const items: unknown[] = []
  const iterator = value[Symbol.asyncIterator]()
  while (items.length < MOST_ITEMS) {
    const next = await settled(iterator.next())
    if (next === NOT_YET) return [...items, NOT_YET]
    const { done, value: item } = next as IteratorResult<unknown>
    if (done === true) break
    items.push(item)
  }
  return items
}

async function settled(value: PromiseLike<unknown>): Promise<unknown> {
  let outcome: { readonly of: unknown } | { readonly failed: unknown } | null = null
  value.then(
    (of) => {
      outcome = { of }
    },
    (failed: unknown) => {
      outcome = { failed }
    },
  )
  for (let turn = 0; turn < TURNS; turn++) {
    await null
    const now = outcome as { readonly of: unknown } | { readonly failed: unknown } | null
    if (now === null) continue
    if ('failed' in now) throw now.failed
    return now.of
  }
  return NOT_YET
}
