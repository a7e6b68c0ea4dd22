/** Where the prices of a study came from, which part of them was used, and what did not vary. */
import type { RunPlan } from '../plan/plan.ts'

export function planFacts({ markets, from, to, parameters = {} }: RunPlan): (readonly [string, string])[] {
  const data = markets.map(
    ({ asset, data: files }) => `${asset}: ${files === undefined ? 'simulated' : [files].flat().join(', ')}`,
  )
  const fixed = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
  return [
    ['Data', data.join('; ')],
    [
      'Period',
      from === undefined && to === undefined
        ? 'All of the data'
        : `${from ?? 'its begin'} to ${to ?? 'its end'}`,
    ],
    ...(fixed.length === 0 ? [] : [['Fixed', fixed.join(' ')] as const]),
  ]
}
