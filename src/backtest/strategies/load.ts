/** A strategy by its name, or from a file of the user's own. */
import type { Strategy } from '../strategy/strategy.ts'
import { thrownText } from '../strategy/thrownText.ts'
import { STRATEGY_NAMES, type StrategyKind, strategyKind } from './catalogue.ts'
import { type Constraint, parseConstraint } from './constraint.ts'
import { type Exported, importFile, isScript, SCRIPTS } from './importFile.ts'
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
  if (!isScript(nameOrFile))
    throw new StrategyError(
      `there is no strategy ${nameOrFile}; there are: ${STRATEGY_NAMES.join(', ')}, or a file (${SCRIPTS.join(', ')})`,
    )
  const exported = await importStrategy(nameOrFile)
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

/** @throws StrategyError for a file that cannot be imported. */
async function importStrategy(shown: string): Promise<Exported> {
  try {
    return await importFile(shown)
  } catch (error) {
    throw new StrategyError((error as Error).message, { cause: error })
  }
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
