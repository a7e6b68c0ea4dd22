/** Plain values as text and back, every number as it was: JSON has no zero below zero, no infinity and nothing that is no number. */
import type { Plain } from './keepable.ts'

/** The name under which a number stands that JSON has not. */
const ODD = '$number'

/**
 * JSON; of a number that has none `{ "$number": "-0" }`, `"Infinity"`, `"-Infinity"` or `"NaN"`.
 *
 * @throws TypeError for what is no plain value, with its place.
 */
export function plainText(value: Plain): string {
  return JSON.stringify(written(value, 'state'))
}

/** @throws SyntaxError for what is no JSON. */
export function readPlain(text: string): Plain {
  return JSON.parse(text, (_, value) => {
    const odd: unknown = typeof value === 'object' && value !== null ? value[ODD] : undefined
    return typeof odd === 'string' ? Number(odd) : value
  })
}

function written(value: unknown, place: string): unknown {
  switch (typeof value) {
    case 'number':
      if (Object.is(value, -0)) return { [ODD]: '-0' }
      return Number.isFinite(value) ? value : { [ODD]: String(value) }
    case 'string':
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : composed(value, place)
    default:
      throw new TypeError(`${place} is a ${typeof value}, which JSON does not have`)
  }
}

function composed(value: object, place: string): unknown {
  if (Array.isArray(value)) return value.map((item, index) => written(item, `${place}[${index}]`))
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw new TypeError(`${place} is a ${value.constructor?.name ?? 'thing'}, which JSON does not have`)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, written(field, `${place}.${name}`)]))
}
