/** Tables: objects with a row for each of a closed set of names. The compiler forgets the names when it lists them; these do not. */

/** What a table has rows for, in its order. */
export function namesOf<Name extends string>(table: { readonly [N in Name]: unknown }): readonly Name[] {
  return Object.keys(table) as Name[]
}

/** The table with a row for each of these names. */
export function tableOf<Name extends string, Row>(
  names: readonly Name[],
  rowOf: (name: Name) => Row,
): { readonly [N in Name]: Row } {
  return Object.fromEntries(names.map((name) => [name, rowOf(name)])) as { [N in Name]: Row }
}
