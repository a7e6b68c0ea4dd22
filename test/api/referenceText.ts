// What the pages of the reference have in common.

import type { Member } from './surface.ts'

/** The ids of rules lead to the page of the rules. */
export function linked(text: string): string {
  const ids = /(?<=[( ])([A-K]\d{1,2})(?=[),.])/g
  return text.replace(ids, (id) => `[${id}](rules.md#${id.toLowerCase()})`)
}

/** @throws Error for a field that nothing is said of. */
export function meaningOf(field: string, member: Member | undefined): string {
  if (member?.doc == null) throw new Error(`nothing says what ${field} means`)
  return member.doc.replaceAll(/\{@link (\w+)\}/g, '`$1`').replaceAll('\n', ' ')
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
