/** A search that learns: batch after batch, each proposed from those before, however many workers there are. */
import { costsOf, type Ranking } from '../sweep/ranking.ts'
import type { SweepRow } from '../sweep/variantFigures.ts'
import type { Point, Points } from './points.ts'
import type { Sampler } from './sampler.ts'
import type { Study } from './study.ts'

interface Aim {
  readonly sets: number
  readonly by: readonly Ranking[]
  readonly seed: string
}

/** @returns the rows in the order in which they were asked for; fewer than `sets` where the space has no more. */
export async function adaptive(
  study: Pick<Study, 'run'>,
  points: Points,
  sampler: Sampler,
  { sets, by, seed }: Aim,
): Promise<SweepRow[]> {
  const rows: SweepRow[] = []
  const looked: Point[] = []
  let batch = points.next(Math.min(sets, sampler.beginning))
  for (;;) {
    rows.push(...(await study.run(batch.map(({ parameters }) => ({ parameters })))))
    looked.push(...batch)
    const costs = costsOf(rows, by)
    const seen = looked.map(({ at }, index) => ({ at, costs: costs[index] as number[] }))
    if (batch.length > 0) sampler.learn(seen, batch.length)
    batch = []
    while (batch.length < Math.min(sampler.batch, sets - rows.length)) {
      const point = nextPoint(points, sampler, `${seed}/${rows.length + batch.length}`)
      if (point === undefined) break
      batch.push(point)
    }
    if (batch.length === 0) return rows
  }
}

/** Where nothing new is proposed the sampler begins anew, or the even design goes on. */
function nextPoint(points: Points, sampler: Sampler, seed: string): Point | undefined {
  const proposed = () => points.fresh((draw) => sampler.proposed(`${seed}/${draw}`))
  const first = sampler.isSpent === true ? null : proposed()
  if (first !== null) return first
  const place = points.place()
  if (sampler.restart === undefined || place === undefined) return points.next(1)[0]
  sampler.restart(place)
  return proposed() ?? points.next(1)[0]
}
