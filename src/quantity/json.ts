/** Records as JSON: what `JSON.stringify` refuses of them are their bigints. */

/** A value as {@link toJson} gives it: the same shape, with text in the place of every bigint. */
export type Json<T> = T extends bigint
  ? string
  : T extends object
    ? { readonly [Field in keyof T]: Json<T[Field]> }
    : T

/**
 * A record, an event, a commit, or anything made of plain objects, arrays and primitives, in a form that `JSON.stringify` takes:
 * every bigint as its fp9 digits (`1500000000n` is `"1500000000"`, which `parseFp9` reads back), everything else as it is,
 * times in epoch milliseconds. The value itself is not changed. The form of the HTTP interface, which has other names for
 * some fields and ISO 8601 times, is `wireOrder`, `wirePosition` and `wirePositionEvent`.
 *
 * ```ts
 * JSON.stringify(toJson({ amount: fp9('1.5'), at: 0 })) // → {"amount":"1500000000","at":0}
 * ```
 */
export function toJson<T>(value: T): Json<T> {
  return plain(value) as Json<T>
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]))
}
