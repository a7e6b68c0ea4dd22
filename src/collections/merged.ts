/** Sorted runs as one: what comes next is found among k runs with log k comparisons. */

/** A run, and how far it has been given. */
interface Head<T> {
  readonly run: readonly T[]
  at: number
  first: T
}

/** What all runs hold, in order; of what is equal in two of them, either may come first. */
export function* merged<T>(
  runs: readonly (readonly T[])[],
  inOrder: (a: T, b: T) => number,
): Generator<T, void> {
  const heads: Head<T>[] = runs.flatMap((run) =>
    run.length === 0 ? [] : [{ run, at: 0, first: run[0] as T }],
  )
  for (let at = (heads.length >> 1) - 1; at >= 0; at--) sink(heads, at, inOrder)
  for (let head = heads[0]; head !== undefined; head = heads[0]) {
    yield head.first
    head.at += 1
    if (head.at < head.run.length) head.first = head.run[head.at] as T
    else {
      const last = heads.pop() as Head<T>
      if (last !== head) heads[0] = last
    }
    sink(heads, 0, inOrder)
  }
}

/** Moves a head down to where neither of the two below it comes before it. */
function sink<T>(heads: Head<T>[], from: number, inOrder: (a: T, b: T) => number): void {
  const head = heads[from]
  if (head === undefined) return
  let at = from
  for (;;) {
    const [left, right] = [heads[2 * at + 1], heads[2 * at + 2]]
    if (left === undefined) break
    const isRight = right !== undefined && inOrder(right.first, left.first) < 0
    const next = isRight ? right : left
    if (inOrder(head.first, next.first) <= 0) break
    heads[at] = next
    at = 2 * at + (isRight ? 2 : 1)
  }
  heads[at] = head
}
