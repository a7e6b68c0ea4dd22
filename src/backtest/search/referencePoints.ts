/**
 * Directions that are spread evenly between objectives: the points of the unit simplex whose coordinates are whole multiples of
 * one part (I. Das, J. E. Dennis, SIAM Journal on Optimization 8 (3), 1998).
 */

/** The most there are in one layer, and about as many sets survive. */
const MOST = 40

/** Where one layer has none between all objectives, a second lies half way to the middle (Deb and Jain 2014, §IV-A). */
export function referencePoints(objectives: number): number[][] {
  let parts = 1
  while (parts < MOST - 1 && countOf(objectives, parts + 1) <= MOST) parts += 1
  const outer = layer(objectives, parts)
  if (parts >= objectives) return outer
  const inner = layer(objectives, Math.max(1, parts - 1))
  return [...outer, ...inner.map((point) => point.map((u) => (u + 1 / objectives) / 2))]
}

/** How many have coordinates that are multiples of 1 / `parts`: so many parts, dealt among the objectives. */
function countOf(objectives: number, parts: number): number {
  let count = 1
  for (let k = 1; k < objectives; k++) count = (count * (parts + k)) / k
  return count
}

function layer(objectives: number, parts: number): number[][] {
  return dealt(objectives, parts).map((point) => point.map((share) => share / parts))
}

function dealt(among: number, parts: number): number[][] {
  if (among === 1) return [[parts]]
  return Array.from({ length: parts + 1 }, (_, first) => first).flatMap((first) =>
    dealt(among - 1, parts - first).map((rest) => [first, ...rest]),
  )
}
