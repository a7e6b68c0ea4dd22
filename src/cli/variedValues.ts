/** What `--vary` and `--space` ask for: values and ranges that are given, or those that the strategy suggests. */
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { Dimension } from '../backtest/search/space.ts'
import type { ParameterGrid } from '../backtest/sweep/grid.ts'
import { UsageError } from './failure.ts'
import { namedValue } from './planOptions.ts'

/** `name=values` as it is, `name` as the strategy suggests it, and nothing at all as all that it suggests. */
export async function variedValues(plan: RunPlan, items: readonly string[]): Promise<ParameterGrid> {
  const [{ parseValues }, { declaredGrid }] = await Promise.all([
    import('../backtest/sweep/grid.ts'),
    import('../backtest/sweep/declaredSets.ts'),
  ])
  if (items.length === 0)
    return mustVary(await declaredGrid(plan), plan.strategy, '--vary name=values', 'nothing to vary')
  const grids = items.map(async (item) => {
    if (!item.includes('=')) return declaredGrid(plan, [item])
    const [name, values] = namedValue(item, '--vary')
    return { [name]: parseValues(values) }
  })
  return Object.assign({}, ...(await Promise.all(grids)))
}

/** As {@link variedValues}, for ranges. */
export async function searchedSpace(plan: RunPlan, items: readonly string[]): Promise<Dimension[]> {
  const [{ parseDimension }, { declaredSpace }] = await Promise.all([
    import('../backtest/search/space.ts'),
    import('../backtest/sweep/declaredSets.ts'),
  ])
  if (items.length === 0)
    return mustVary(await declaredSpace(plan), plan.strategy, '--space name=range', 'nothing to search')
  const parts = items.map(async (item) =>
    item.includes('=') ? [parseDimension(...namedValue(item, '--space'))] : declaredSpace(plan, [item]),
  )
  return (await Promise.all(parts)).flat()
}

function mustVary<T extends object>(found: T, strategy: string, option: string, what: string): T {
  if (Object.keys(found).length > 0) return found
  throw new UsageError(`${what}: ${strategy} suggests no ranges; give ${option}`)
}
