// Which examples show an export: its own, or those of what takes it or gives it, which a type is read and made by.

import { blocksOf } from '../docs/examples.ts'
import type { EntrySurface } from './report.ts'
import type { Declared } from './surface.ts'

/** An export with an example, where its docstring is found. */
export interface Shown {
  readonly entry: string
  readonly name: string
}

export const hasExample = ({ doc }: Declared): boolean => blocksOf(doc ?? '').length > 0

/**
 * By the key of a declaration: the exports with an example from which it is fewest steps away, over what declarations name.
 * One that is in none of them is left out.
 */
export function shownBy(surface: readonly EntrySurface[]): ReadonlyMap<string, readonly Shown[]> {
  const declared = new Map(
    surface
      .flatMap(({ exports, unexported }) => [...exports.map((one) => one.declared), ...unexported])
      .map((one) => [one.key, one]),
  )
  let reached = new Map<string, Shown[]>()
  for (const { entry, exports } of surface)
    for (const { name, declared: one } of exports)
      if (hasExample(one)) reached.set(one.key, [...(reached.get(one.key) ?? []), { entry, name }])
  const all = new Map<string, readonly Shown[]>()
  while (reached.size > 0) {
    for (const [key, shown] of reached) all.set(key, shown)
    const next = new Map<string, Shown[]>()
    for (const [key, shown] of reached)
      for (const named of declared.get(key)?.names ?? [])
        if (!all.has(named)) next.set(named, distinct([...(next.get(named) ?? []), ...shown]))
    reached = next
  }
  return all
}

function distinct(shown: readonly Shown[]): Shown[] {
  return [...new Map(shown.map((one) => [one.name, one])).values()]
}
