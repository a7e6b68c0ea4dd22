/** Which of many points no other is at least as good as in every cost, and better in one. */

/**
 * The front each point belongs to, by non-dominated sorting: 1 for the first.
 *
 * @param costs of each point, the same number of them; less is better, infinity is a cost.
 * @returns in the order of the points.
 */
export function frontsOf(costs: readonly (readonly number[])[]): number[] {
  const places = (costs[0] ?? []).map((_, objective) => placesOf(costs, objective))
  const fronts = new Array<number>(costs.length).fill(0)
  // Who dominates comes earlier in this order, so only earlier ones have to be looked at.
  const order = [...costs.keys()].sort((a, b) => firstApart(places, a, b))
  const members: number[][] = []
  for (const index of order) {
    // Dominated by one of a front is dominated by one of every front before it, so that halving finds the first that is open
    // (X. Zhang, Y. Tian, R. Cheng, Y. Jin, IEEE Transactions on Evolutionary Computation 19 (2), 2015).
    let [open, closed] = [0, members.length]
    while (open < closed) {
      const middle = (open + closed) >> 1
      if (isDominatedBy(members[middle] as number[], places, index)) open = middle + 1
      else closed = middle
    }
    if (open === members.length) members.push([index])
    else members[open]?.push(index)
    fronts[index] = open + 1
  }
  return fronts
}

/** The place of every point by one of the costs, from 0, the best; points that are equal share one. */
function placesOf(costs: readonly (readonly number[])[], objective: number): Uint32Array {
  const cost = (index: number) => costs[index]?.[objective] as number
  const order = [...costs.keys()].sort((a, b) => (cost(a) === cost(b) ? 0 : cost(a) - cost(b)))
  const places = new Uint32Array(costs.length)
  let place = 0
  for (const [at, index] of order.entries()) {
    const before = order[at - 1] ?? index
    if (cost(before) !== cost(index)) place += 1
    places[index] = place
  }
  return places
}

/** The latest first: they are the nearest in the first objective. */
function isDominatedBy(front: readonly number[], places: readonly Uint32Array[], index: number): boolean {
  for (let at = front.length - 1; at >= 0; at--) {
    const other = front[at] as number
    let [isAsGood, isBetter] = [true, false]
    for (const of of places) {
      const apart = (of[other] as number) - (of[index] as number)
      if (apart > 0) isAsGood = false
      if (apart < 0) isBetter = true
    }
    if (isAsGood && isBetter) return true
  }
  return false
}

function firstApart(places: readonly Uint32Array[], a: number, b: number): number {
  for (const of of places) {
    const apart = (of[a] as number) - (of[b] as number)
    if (apart !== 0) return apart
  }
  return 0
}
