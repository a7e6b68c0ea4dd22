/**
 * The API description in the words of OpenAPI 3.0, for the page: Swagger UI resolves a description of 3.1 as a tree of objects
 * of its own, and takes three times as long until the first operation is shown. What it says is the same.
 */

type Json = { readonly [key: string]: unknown }

/** What these hold are values, not schemas. */
const VALUES = new Set(['default', 'enum', 'example', 'x-error-codes'])

export function inOlderWords(description: object): object {
  const { info, ...rest } = description as { readonly info: { readonly license: { readonly name: string } } }
  const { name } = info.license
  return { ...(older(rest) as object), openapi: '3.0.3', info: { ...info, license: { name } } }
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older)
  if (typeof value !== 'object' || value === null) return value
  const { const: only, examples, anyOf, ...plain } = value as Json
  const rest = Object.fromEntries(
    Object.entries(plain).map(([key, inner]) => [key, VALUES.has(key) ? inner : older(inner)]),
  )
  return withReference({
    ...rest,
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples === undefined ? {} : { examples }),
    ...(Array.isArray(anyOf) ? oneOfThese(anyOf, rest) : {}),
    ...(isNull(plain) ? { type: 'string', enum: [null], nullable: true } : {}),
  })
}

const isNull = ({ type }: Json) => type === 'null'

/** `null` is no type there: what may be null says so itself. */
function oneOfThese(anyOf: readonly Json[], rest: Json): Json {
  const schemas = anyOf.filter((schema) => !isNull(schema)).map((schema) => older(schema) as Json)
  if (schemas.length === anyOf.length) return { anyOf: schemas }
  const [only] = schemas
  if (only === undefined || schemas.length > 1) return { anyOf: schemas, nullable: true }
  return { ...('$ref' in only ? { allOf: [only] } : only), ...rest, nullable: true }
}

/** Beside a reference nothing else is read there. */
function withReference(schema: Json): Json {
  const { $ref, ...beside } = schema
  return $ref === undefined || Object.keys(beside).length === 0 ? schema : { allOf: [{ $ref }], ...beside }
}
