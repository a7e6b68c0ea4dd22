/** Validation by the routes' schemas, with the paths at fault. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Input that does not match its schema. */
export class ValidationFault extends Error {
  override readonly name = 'ValidationFault'
  readonly statusCode = 400
  readonly paths: readonly string[]

  constructor(paths: readonly string[]) {
    super('validation failed')
    this.paths = paths
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
    return { error: new ValidationFault(pathsOf(compiled.Errors(value))) }
  }
}

interface SchemaError {
  readonly instancePath: string
  readonly params: object
}

/** Most faults named in one answer. */
const MAX_PATHS = 20

/** Each field once, dotted; a missing one by its name; `body` for the whole. */
function pathsOf(errors: readonly SchemaError[]): string[] {
  const paths = new Set<string>()
  for (const { instancePath, params } of errors) {
    const at = instancePath.slice(1).replaceAll('/', '.')
    const missing = 'requiredProperties' in params ? (params.requiredProperties as string[]) : []
    for (const field of missing) paths.add(at === '' ? field : `${at}.${field}`)
    if (at !== '') paths.add(at)
    if (paths.size >= MAX_PATHS) break
  }
  return paths.size === 0 ? ['body'] : [...paths].slice(0, MAX_PATHS).map((path) => path.slice(0, MAX_PATH))
}

/** Characters of a path that are repeated to the caller: the name of an unknown field can be long. */
const MAX_PATH = 100
