/** Fields of records as JSON text. */

/** An fp9 string, or null. */
export function quantityJson(value: bigint | null): string {
  return value === null ? 'null' : `"${value}"`
}

/** Text that stands in JSON as it is: every id that the engine makes, and every code. */
const PLAIN = /^[\w-]*$/

/** Ids may be any text where a program of its own made the engine. */
export function textJson(value: string | null): string {
  if (value === null) return 'null'
  return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
}
