/** Where the prices of a study came from, which part of them was used, and what did not vary. */
import { moment } from '../output/presentation.ts'
import { periodOf } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'

export function planFacts(plan: RunPlan): (readonly [string, string])[] {
  const { markets, parameters = {} } = plan
  const data = markets.map(
    ({ asset, data: files }) => `${asset}: ${files === undefined ? 'simulated' : [files].flat().join(', ')}`,
  )
  const fixed = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
  return [
    ['Data', data.join('; ')],
    ['Period', periodText(periodOf(plan))],
    ...(fixed.length === 0 ? [] : [['Fixed', fixed.join(' ')] as const]),
  ]
}

function periodText({ from, to }: ReturnType<typeof periodOf>): string {
  if (from === undefined && to === undefined) return 'All of the data'
  const minute = (time: number) => moment(time).slice(0, 16)
  return `${from === undefined ? 'its begin' : minute(from)} to ${to === undefined ? 'its end' : `${minute(to)} UTC`}`
}
