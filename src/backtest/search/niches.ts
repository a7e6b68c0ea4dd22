/**
 * Which direction each of many costs lies nearest to, once all objectives are measured alike: from the best that there is of each
 * to where the plane through the extreme costs meets its axis (K. Deb, H. Jain, IEEE Transactions on Evolutionary Computation 18 (4), 2014, §IV-C and D).
 */

/** A direction by its number, and how far from its line. */
export interface Niche {
  readonly direction: number
  readonly away: number
}

/** What an axis counts where it is not the one whose extreme is looked for. */
const ASIDE = 1e6
/** Narrower than this two costs are told apart by nothing. */
const NARROWEST = 1e-12

/**
 * @param costs finite, of each point as many as there are objectives.
 * @param first whether a point belongs to the first front.
 */
export function nichesOf(
  costs: readonly (readonly number[])[],
  first: readonly boolean[],
  directions: readonly (readonly number[])[],
): Niche[] {
  const ideal = (costs[0] ?? []).map((_, objective) =>
    Math.min(...costs.map((cost) => cost[objective] as number)),
  )
  const apart = costs.map((cost) => cost.map((value, objective) => value - (ideal[objective] as number)))
  const widths = widthsOf(apart.filter((_, index) => first[index]))
  return apart.map((cost) =>
    nearest(
      cost.map((value, objective) => value / (widths[objective] as number)),
      directions,
    ),
  )
}

/** Where the plane through the extreme points meets each axis; where there is none, the worst of the front. */
function widthsOf(front: readonly (readonly number[])[]): number[] {
  const axes = [...(front[0] ?? []).keys()]
  const worst = axes.map((axis) => Math.max(NARROWEST, ...front.map((cost) => cost[axis] as number)))
  const plane = solvedFor(axes.map((axis) => [...extremeAlong(front, axis), 1]))
  const widths = plane?.map((slope) => 1 / slope)
  const isThere = widths?.every(
    (width, axis) => width > NARROWEST && width <= (worst[axis] as number) * (1 + 1e-9),
  )
  return widths !== undefined && isThere === true ? widths : worst
}

/** The point nearest to an axis, by its largest cost beside that axis. */
function extremeAlong(front: readonly (readonly number[])[], axis: number): readonly number[] {
  const asideOf = (cost: readonly number[]) =>
    Math.max(...cost.map((value, other) => (other === axis ? value : value * ASIDE)))
  return front.reduce((best, cost) => (asideOf(cost) < asideOf(best) ? cost : best))
}

/** By elimination with pivots; undefined where the rows hang on each other. @param rows each with its right side last. */
function solvedFor(rows: number[][]): number[] | undefined {
  const size = rows.length
  for (let column = 0; column < size; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row) =>
        Math.abs(row[column] as number) > Math.abs(best[column] as number) ? row : best,
      )
    const head = pivot[column] as number
    if (!(Math.abs(head) > NARROWEST)) return undefined
    const place = rows.indexOf(pivot)
    ;[rows[place], rows[column]] = [rows[column] as number[], pivot.map((value) => value / head)]
    const top = rows[column] as number[]
    for (const [index, row] of rows.entries()) {
      const factor = row[column] as number
      if (index !== column) rows[index] = row.map((value, at) => value - factor * (top[at] as number))
    }
  }
  return rows.map((row) => row[size] as number)
}

function nearest(cost: readonly number[], directions: readonly (readonly number[])[]): Niche {
  let best: Niche = { direction: 0, away: Number.POSITIVE_INFINITY }
  for (const [direction, line] of directions.entries()) {
    const square = line.reduce((sum, u) => sum + u * u, 0)
    const along = line.reduce((sum, u, axis) => sum + u * (cost[axis] as number), 0) / square
    const away = Math.sqrt(
      cost.reduce((sum, value, axis) => sum + (value - along * (line[axis] as number)) ** 2, 0),
    )
    if (away < best.away) best = { direction, away }
  }
  return best
}
