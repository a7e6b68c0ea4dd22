/** Where the prices of a study came from, which part of them was used, and what did not vary. */
import { moment } from '../output/presentation.ts'
import { periodOf } from '../plan/options.ts'
import type { MarketPlan, RunPlan } from '../plan/plan.ts'
import { isBootstrapped } from '../simulated/modelText.ts'

/** A parameter of the plan that a set of `sets` has as well is one that varied, whatever the plan says of it. */
export function planFacts(
  plan: RunPlan,
  sets: readonly Readonly<Record<string, unknown>>[],
): (readonly [string, string])[] {
  const { markets, parameters = {} } = plan
  const varied = new Set(sets.flatMap((set) => Object.keys(set)))
  const data = markets.map((market) => `${market.asset}: ${pricesText(market)}`)
  const fixed = Object.entries(parameters)
    .filter(([name]) => !varied.has(name))
    .map(([name, value]) => `${name}=${value}`)
  return [
    ['Data', data.join('; ')],
    ['Period', periodText(periodOf(plan))],
    ...(fixed.length === 0 ? [] : [['Fixed', fixed.join(' ')] as const]),
  ]
}

function pricesText(market: MarketPlan): string {
  const { data } = market
  if (data === undefined) return 'simulated'
  const files = [data].flat().join(', ')
  return isBootstrapped(market) ? `drawn in blocks from ${files}` : files
}

function periodText({ from, to }: ReturnType<typeof periodOf>): string {
  if (from === undefined && to === undefined) return 'All of the data'
  const minute = (time: number) => moment(time).slice(0, 16)
  return `${from === undefined ? 'its begin' : minute(from)} to ${to === undefined ? 'its end' : `${minute(to)} UTC`}`
}
