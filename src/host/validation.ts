/** Validation by the routes' schemas, with what is at fault. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Fault } from './errorAnswer.ts'
import { faultAt } from './schemaFault.ts'

/** Input that does not match its schema. */
export class ValidationFault extends Error {
  override readonly name = 'ValidationFault'
  readonly statusCode = 400
  /** Of every field at fault, and of the objects around them. */
  readonly paths: readonly string[]
  /** The same in words, without the objects around. */
  readonly faults: readonly Fault[]

  constructor(paths: readonly string[], faults: readonly Fault[]) {
    super('validation failed')
    this.paths = paths
    this.faults = faults
  }
}

/** Compiled once for every server of the process: a node makes one for each shard that it is given. */
const validators = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** A validator as Fastify wants it: the value as it is, or the fault. Nothing is converted, dropped or added. */
export function validatorOf(schema: TSchema) {
  const compiled = validators.get(schema) ?? Compile(schema)
  validators.set(schema, compiled)
  return (value: unknown) => {
    if (compiled.Check(value)) return { value }
    const places = placesOf(compiled.Errors(value))
    const paths = places.map((keys) => keys.join('.') || 'body')
    const innermost = places.filter((_, at) => !paths.some((path) => path.startsWith(`${paths[at]}.`)))
    return {
      error: new ValidationFault(
        paths,
        innermost.map((keys) => faultAt(schema, value, keys)),
      ),
    }
  }
}

interface SchemaError {
  readonly instancePath: string
  readonly params: object
}

/** Most faults named in one answer. */
const MAX_PLACES = 20

/** The keys that lead to each field at fault, once; to a missing one by its name; none for the whole. */
function placesOf(errors: readonly SchemaError[]): (readonly string[])[] {
  const places = new Map<string, readonly string[]>()
  const add = (keys: readonly string[]) => places.set(keys.join('.'), keys)
  for (const { instancePath, params } of errors) {
    const keys = instancePath.split('/').slice(1)
    const missing = 'requiredProperties' in params ? (params.requiredProperties as string[]) : []
    for (const field of missing) add([...keys, field])
    if (keys.length > 0) add(keys)
    if (places.size >= MAX_PLACES) break
  }
  return places.size === 0 ? [[]] : [...places.values()].slice(0, MAX_PLACES)
}
