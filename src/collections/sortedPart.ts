/** A part of a sorted whole without sorting the rest: what a page of a long list takes. */

/** So few are sorted by putting each in its place. */
const FEW = 24

/**
 * Rearranges `items` so that the places from `from` up to, not including, `to` hold what they would if all were sorted.
 * Gives undefined after every `stride` items that were looked at, or so. `inOrder` says of no two items that they are equal.
 */
export function* sortPart(
  items: Uint32Array,
  from: number,
  to: number,
  inOrder: (a: number, b: number) => number,
  stride: number,
): Generator<undefined, void> {
  /** Stretches whose items belong to them, of which some are still wanted in order. */
  const stretches: [first: number, end: number][] = [[0, items.length]]
  let looked = 0
  for (let stretch = stretches.pop(); stretch !== undefined; stretch = stretches.pop()) {
    const [first, end] = stretch
    if (end <= from || first >= to || end - first < 2) continue
    if (end - first <= FEW) {
      place(items, first, end, inOrder)
      continue
    }
    swap(items, middleOf(items, first, end, inOrder), end - 1)
    const pivot = items[end - 1] as number
    let low = first
    for (let at = first; at < end - 1; at++) {
      if (inOrder(items[at] as number, pivot) < 0) swap(items, low++, at)
      looked += 1
      if (looked % stride === 0) yield
    }
    swap(items, low, end - 1)
    stretches.push([first, low], [low + 1, end])
  }
}

/** The place of one that likely has as many before it as after it: the middle one of the middle ones of three threes. */
function middleOf(
  items: Uint32Array,
  first: number,
  end: number,
  inOrder: (a: number, b: number) => number,
): number {
  const step = Math.floor((end - first - 1) / 8)
  const isAfter = (a: number, b: number) => inOrder(items[a] as number, items[b] as number) > 0
  const middle = (a: number, b: number, c: number) => {
    if (isAfter(a, b)) return isAfter(b, c) ? b : isAfter(a, c) ? c : a
    return isAfter(a, c) ? a : isAfter(b, c) ? c : b
  }
  const third = (at: number) => middle(first + at * step, first + (at + 1) * step, first + (at + 2) * step)
  return middle(third(0), third(3), third(6))
}

function place(
  items: Uint32Array,
  first: number,
  end: number,
  inOrder: (a: number, b: number) => number,
): void {
  for (let at = first + 1; at < end; at++) {
    const item = items[at] as number
    let hole = at
    for (; hole > first && inOrder(items[hole - 1] as number, item) > 0; hole--)
      items[hole] = items[hole - 1] as number
    items[hole] = item
  }
}

function swap(items: Uint32Array, a: number, b: number): void {
  const kept = items[a] as number
  items[a] = items[b] as number
  items[b] = kept
}
