/** A strategy by its name, or from a file of the user's own. */
import { spawnSync } from 'node:child_process'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mustBeRegular } from '../../files/regularFile.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { thrownText } from '../strategy/thrownText.ts'
import { STRATEGY_NAMES, type StrategyKind, strategyKind } from './catalogue.ts'
import { type Constraint, parseConstraint } from './constraint.ts'
import { type DeclaredParameters, declaredParameters } from './parameters.ts'
import type { ParameterValue } from './parameterValue.ts'

/** A strategy that cannot be had: an unknown name, a file that cannot be loaded or exports no strategy. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError'
}

/**
 * What a file may export as `default`: a factory, or a class. One strategy is made for each run, because a strategy has a memory.
 *
 * ```ts
 * const idle = (({ asset }) => ({ name: `idle on ${asset}` })) satisfies StrategyFactory
 * idle({ asset: 'BTC' }).name // → idle on BTC
 * ```
 */
export type StrategyFactory =
  | ((parameters: Readonly<Record<string, ParameterValue>>) => Strategy)
  | (new (
      parameters: Readonly<Record<string, ParameterValue>>,
    ) => Strategy)

const SCRIPTS = ['.js', '.mjs', '.ts', '.mts']

/**
 * A kind of strategy: one that comes with the package, or the default export of a JavaScript or TypeScript file. A file
 * may export `parameters`, what it declares of each (see {@link DeclaredParameter}) or its default alone, and `constraints`, what holds
 * between them (`['fast<slow']`); then other parameters, values and sets are refused. Its factory or class is given `asset` among
 * the parameters.
 *
 * ```ts
 * const kind = await loadStrategy('breakout') // or './mine.ts'
 * createStrategy(kind, 'BTC', { lookback: 60 }).name // → breakout of 60 bars on BTC, 10x, risk 1%
 * ```
 *
 * @throws StrategyError where there is none.
 */
export async function loadStrategy(nameOrFile: string): Promise<StrategyKind> {
  const known = strategyKind(nameOrFile)
  if (known !== undefined) return known
  if (!SCRIPTS.includes(extname(nameOrFile)))
    throw new StrategyError(
      `there is no strategy ${nameOrFile}; there are: ${STRATEGY_NAMES.join(', ')}, or a file (${SCRIPTS.join(', ')})`,
    )
  const exported = await importFile(resolve(nameOrFile), nameOrFile)
  const create = exported.default
  if (typeof create !== 'function')
    throw new StrategyError(
      `${nameOrFile}: the default export must be a function that makes a strategy, or a class: export default () => ({ name: 'mine', onBar(bar, context) {} })`,
    )
  const parameters = declaredIn(exported, nameOrFile)
  return {
    name: nameOrFile,
    parameters,
    constraints: constraintsIn(exported, parameters, nameOrFile),
    create: (asset, parameters) =>
      strategyOf(
        made(create as StrategyFactory, { asset, ...parameters }, nameOrFile),
        create as StrategyFactory,
        nameOrFile,
      ),
  }
}

/** A class cannot be called, and a function need not be able to construct. */
function made(
  create: StrategyFactory,
  parameters: Readonly<Record<string, ParameterValue>>,
  shown: string,
): unknown {
  try {
    return isClass(create) ? new create(parameters) : create(parameters)
  } catch (error) {
    throw new StrategyError(`${shown}: no strategy was made: ${thrownText(error)}`, { cause: error })
  }
}

function isClass(
  create: StrategyFactory,
): create is Extract<StrategyFactory, abstract new (...given: never) => Strategy> {
  return /^class\b/.test(Function.prototype.toString.call(create))
}

interface Exported {
  readonly default?: unknown
  readonly parameters?: unknown
  readonly constraints?: unknown
}

async function importFile(path: string, shown: string): Promise<Exported> {
  const url = pathToFileURL(path).href
  try {
    await mustBeRegular(path)
    return (await import(url)) as Exported
  } catch (error) {
    if (NEEDS_TSX.has(codeOf(error))) return importTypeScript(url, shown)
    throw failed(shown, error)
  }
}

/** Node from 22.18 on strips types by itself, but does not compile what is more than types, such as enums. */
const NEEDS_TSX: ReadonlySet<unknown> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
])

/** Where Node itself does not read it, tsx does. */
async function importTypeScript(url: string, shown: string): Promise<Exported> {
  let tsImport: (specifier: string, parent: string) => Promise<unknown>
  try {
    tsImport = (await import('tsx/esm/api')).tsImport
  } catch {
    throw new StrategyError(
      `${shown}: this version of Node does not read its TypeScript; npm install tsx, or give a .js file`,
    )
  }
  try {
    return unwrapped((await tsImport(url, import.meta.url)) as Exported)
  } catch (error) {
    throw failed(shown, error)
  }
}

/** A file of a package without `"type": "module"` is CommonJS: all its exports arrive under `default`. */
function unwrapped(exported: Exported): Exported {
  const inner = exported.default
  return typeof inner === 'object' && inner !== null && 'default' in inner ? inner : exported
}

function failed(shown: string, error: unknown): StrategyError {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
  const missing = codeOf(error) === 'ERR_MODULE_NOT_FOUND' && reason?.includes(resolve(shown))
  const line = error instanceof SyntaxError ? lineOf(resolve(shown)) : ''
  return new StrategyError(missing ? `${shown}: there is no such file` : `${shown}${line}: ${reason}`, {
    cause: error,
  })
}

/** Where a file is no JavaScript. An import does not say it, Node's own check does; empty where the fault is in another file. */
function lineOf(path: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' })
  return /^.*(:\d+)$/m.exec(stderr.split('\n')[0] ?? '')?.[1] ?? ''
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function declaredIn({ parameters }: Exported, shown: string): DeclaredParameters | null {
  if (parameters === undefined) return null
  try {
    return declaredParameters(parameters)
  } catch (error) {
    throw new StrategyError(`${shown}: ${(error as Error).message}`, { cause: error })
  }
}

function constraintsIn(
  { constraints = [] }: Exported,
  parameters: DeclaredParameters | null,
  shown: string,
): Constraint[] {
  if (!Array.isArray(constraints) || !constraints.every((text) => typeof text === 'string'))
    throw new StrategyError(`${shown}: constraints must be a list such as ['fast<slow']`)
  return constraints.map((text) => constraintIn(text, parameters ?? {}, shown))
}

function constraintIn(text: string, parameters: DeclaredParameters, shown: string): Constraint {
  try {
    const constraint = parseConstraint(text)
    const unknown = constraint.names.find((name) => !Object.hasOwn(parameters, name))
    if (unknown === undefined) return constraint
    throw new RangeError(`the constraint ${text} names ${unknown}, which is no parameter`)
  } catch (error) {
    throw new StrategyError(`${shown}: ${(error as Error).message}`, { cause: error })
  }
}

function strategyOf(found: unknown, create: StrategyFactory, shown: string): Strategy {
  const isStrategy =
    typeof found === 'object' && found !== null && 'name' in found && typeof found.name === 'string'
  if (!isStrategy)
    throw new StrategyError(
      isClass(create)
        ? `${shown}: objects of the class must have a name: class ${create.name || 'Mine'} { name = 'mine'; onBar(bar, context) {} }`
        : `${shown}: the function must return a strategy, an object with a name: { name: 'mine', onBar(bar, context) {} }`,
    )
  const unknown = unknownHook(found)
  if (unknown !== undefined)
    throw new StrategyError(`${shown}: there is no hook ${unknown}; there are: ${HOOKS.join(', ')}`)
  return found as Strategy
}

const HOOKS: readonly string[] = [
  'onStart',
  'onBar',
  'onTick',
  'onEvent',
  'onEnd',
] satisfies (keyof Strategy)[]

/** One that would never be called, such as `onCandle`, `onbar` or `on_bar`: its strategy does less than its author thinks, without a word. */
function unknownHook(strategy: object): string | undefined {
  const own = Object.getOwnPropertyNames(strategy)
  const inherited = Object.getOwnPropertyNames(Object.getPrototypeOf(strategy) ?? {})
  return [...own, ...inherited].find(
    (name) => !HOOKS.includes(name) && (/^on[A-Z]/.test(name) || PLAIN_HOOKS.has(plainName(name))),
  )
}

const plainName = (name: string) => name.replace(/_/g, '').toLowerCase()
const PLAIN_HOOKS: ReadonlySet<string> = new Set(HOOKS.map(plainName))
