/** What `--vary` and `--space` ask for: values and ranges that are given, or those that the strategy suggests. */
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { Dimension } from '../backtest/search/space.ts'
import type { ParameterGrid } from '../backtest/sweep/grid.ts'
import { UsageError } from './failure.ts'
import { namedValue, type PlanOptions, parametersOf } from './planOptions.ts'

/**
 * `name=values` as it is, `name` as the strategy suggests it, and nothing at all as all that it suggests.
 *
 * @throws UsageError for a parameter that varies twice, and for one that is given a value as well.
 */
export async function variedValues(
  plan: RunPlan,
  items: readonly string[],
  options: PlanOptions,
): Promise<ParameterGrid> {
  const [{ parseValues }, { declaredGrid }] = await Promise.all([
    import('../backtest/sweep/grid.ts'),
    import('../backtest/sweep/declaredSets.ts'),
  ])
  if (items.length === 0) {
    const grid = mustVary(await declaredGrid(plan), plan.strategy, '--vary name=values', 'nothing to vary')
    mustBeFree(Object.keys(grid), options)
    return grid
  }
  mustVaryOnce(items, '--vary', options)
  const grids = items.map(async (item) => {
    if (!item.includes('=')) return declaredGrid(plan, [item])
    const [name, values] = namedValue(item, '--vary')
    return { [name]: parseValues(values) }
  })
  return Object.assign({}, ...(await Promise.all(grids)))
}

/** As {@link variedValues}, for ranges. */
export async function searchedSpace(
  plan: RunPlan,
  items: readonly string[],
  options: PlanOptions,
): Promise<Dimension[]> {
  const [{ parseDimension }, { declaredSpace }] = await Promise.all([
    import('../backtest/search/space.ts'),
    import('../backtest/sweep/declaredSets.ts'),
  ])
  if (items.length === 0) {
    const space = mustVary(
      await declaredSpace(plan),
      plan.strategy,
      '--space name=range',
      'nothing to search',
    )
    mustBeFree(
      space.map(({ name }) => name),
      options,
    )
    return space
  }
  mustVaryOnce(items, '--space', options)
  const parts = items.map(async (item) =>
    item.includes('=') ? [parseDimension(...namedValue(item, '--space'))] : declaredSpace(plan, [item]),
  )
  return (await Promise.all(parts)).flat()
}

/** @throws UsageError for a parameter that is named twice, and for one that is given a value as well. */
export function mustVaryOnce(
  items: readonly string[],
  option: '--vary' | '--space',
  options: PlanOptions,
): void {
  const names = items.map((item) => item.split('=', 1)[0] as string)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`${option}: ${twice} is given twice`)
  mustBeFree(names, options)
}

/** A value that is typed means nothing for a parameter that varies; that of a configuration is what it is without. */
function mustBeFree(names: readonly string[], options: PlanOptions): void {
  const fixed = parametersOf(options)
  const name = names.find((varied) => Object.hasOwn(fixed, varied))
  if (name !== undefined)
    throw new UsageError(
      `${name} is given the value ${fixed[name]}, and it varies; leave one of them out, or say what else varies`,
    )
}

function mustVary<T extends object>(found: T, strategy: string, option: string, what: string): T {
  if (Object.keys(found).length > 0) return found
  throw new UsageError(`${what}: ${strategy} suggests no ranges; give ${option}`)
}
