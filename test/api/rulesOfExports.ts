// Which rules of docs/rules.md decide what is exported: those that its docstring, or that of a member, cites.

import { citedIn } from '../tidy/rulePage.ts'
import type { EntrySurface } from './report.ts'
import type { Declared } from './surface.ts'

export const rulesOfExport = ({ doc, members }: Declared): ReadonlySet<string> =>
  citedIn([doc, ...members.map((member) => member.doc)].join('\n'))

/** By the id of a rule: the names it is cited under, each with the first entry point that has it. */
export function exportsByRule(
  surface: readonly EntrySurface[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>()
  for (const { entry, exports } of surface)
    for (const { name, declared } of exports)
      for (const rule of rulesOfExport(declared)) {
        const named = found.get(rule) ?? new Map<string, string>()
        if (!named.has(name)) named.set(name, entry)
        found.set(rule, named)
      }
  return found
}
