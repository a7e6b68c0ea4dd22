/** The strategies that come with the package, by name, with the parameters they take. */
import type { Strategy } from '../strategy/strategy.ts'
import { breakout } from './breakout.ts'
import { type Constraint, parseConstraint } from './constraint.ts'
import { emaCross } from './emaCross.ts'
import { fundingCarry } from './fundingCarry.ts'
import { learnedDirection } from './learnedDirection.ts'
import { meanReversion } from './meanReversion.ts'
import {
  brokenConstraint,
  type DeclaredParameter,
  type DeclaredParameters,
  defaultsOf,
  takenValue,
} from './parameters.ts'
import type { ParameterValue, StrategyParameters } from './parameterValue.ts'

/** A strategy by name: which parameters there are, what holds between them, and how to make a fresh one. */
export interface StrategyKind {
  readonly name: string
  /** What is said of every parameter; null where any name is taken. */
  readonly parameters: DeclaredParameters | null
  /** What every set of parameters keeps: `fast<slow`. */
  readonly constraints: readonly Constraint[]
  /** @param asset the market it trades unless `parameters` say otherwise. */
  create(asset: string, parameters: StrategyParameters): Strategy
}

const LEVERAGE = { from: '1', about: 'leverage of every entry' }

const KINDS: readonly StrategyKind[] = [
  {
    name: 'ema-cross',
    parameters: {
      fast: { default: 20, whole: true, from: 1, search: '5:120', about: 'bars of the fast average' },
      slow: { default: 50, whole: true, from: 2, search: '20:480', about: 'bars of the slow average' },
      leverage: { default: '5', ...LEVERAGE },
      margin: {
        default: '10%',
        above: 0,
        to: '100%',
        about: 'margin of every entry, of equity or an amount',
      },
    },
    constraints: [parseConstraint('fast<slow')],
    create: (asset, parameters) => emaCross({ asset, ...parameters }),
  },
  {
    name: 'breakout',
    parameters: {
      lookback: { default: 480, whole: true, from: 2, search: '60:2880:log', about: 'bars of the channel' },
      width: { default: 10, above: 0, search: '2.0:30', about: 'width of the stops in average true ranges' },
      risk: {
        ...{ default: '1%', above: 0, to: '100%', search: '0.25%:2%' },
        about: 'what an entry loses at its stop-loss, of equity or an amount',
      },
      leverage: { default: '10', ...LEVERAGE },
    },
    constraints: [],
    create: (asset, parameters) => breakout({ asset, ...parameters }),
  },
  {
    name: 'mean-reversion',
    parameters: {
      lookback: { default: 240, whole: true, from: 2, search: '30:1440:log', about: 'bars of the bands' },
      deviations: {
        default: 3,
        above: 0,
        search: '1.5:4',
        about: 'half the width of the bands, in deviations',
      },
      stop: { default: 1, above: 0, search: '0.5:3', about: 'stop-loss, in distances from entry to middle' },
      notional: { default: '50%', above: 0, about: 'size of every entry, of equity or an amount' },
      leverage: { default: '5', ...LEVERAGE },
    },
    constraints: [],
    create: (asset, parameters) => meanReversion({ asset, ...parameters }),
  },
  {
    name: 'funding-carry',
    parameters: {
      threshold: {
        ...{ default: '0.01%', from: 0, search: '0.005%:0.05%' },
        about: 'the least rate that is worth holding for',
      },
      notional: { default: '100%', above: 0, about: 'size of the position, of equity or an amount' },
      leverage: { default: '3', ...LEVERAGE },
    },
    constraints: [],
    create: (asset, parameters) => fundingCarry({ asset, ...parameters }),
  },
  {
    name: 'learned-direction',
    parameters: {
      horizon: {
        default: 60,
        whole: true,
        from: 1,
        search: '15:480:log',
        about: 'bars ahead that are foretold',
      },
      window: { default: 30, whole: true, from: 1, search: '10:60', about: 'days that a fit learns from' },
      every: { default: 1, whole: true, from: 1, about: 'days between two fits' },
      threshold: {
        ...{ default: '0.1%', from: 0, to: '100%', search: '0.05%:0.4%' },
        about: 'the least change of the price that is traded on',
      },
      notional: { default: '50%', above: 0, about: 'size of every entry, of equity or an amount' },
      leverage: { default: '5', ...LEVERAGE },
    },
    constraints: [],
    create: (asset, parameters) => learnedDirection({ asset, ...parameters }),
  },
]

/** The strategies of the package, by name. */
export const STRATEGY_NAMES: readonly string[] = KINDS.map(({ name }) => name)

export function strategyKind(name: string): StrategyKind | undefined {
  return KINDS.find((kind) => kind.name === name)
}

/**
 * A fresh strategy. Parameters are checked against what the kind declares, and texts where a number is due are read as one.
 *
 * ```ts
 * createStrategy(await loadStrategy('ema-cross'), 'BTC', { fast: 5, slow: 30 }).name // → EMA cross 5/30 on BTC, 5x, margin 10%
 * ```
 *
 * @throws RangeError that names the parameter, for one that is unknown, a value out of its range, and a set that breaks what the
 *   kind asks between its parameters.
 */
export function createStrategy(kind: StrategyKind, asset: string, parameters: StrategyParameters): Strategy {
  const taken = takenParameters(kind, asset, parameters)
  const broken = brokenConstraint(taken, kind.constraints)
  if (broken !== null) {
    const values = broken.names.map((name) => `${name} is ${taken[name]}`)
    throw new RangeError(`the strategy ${kind.name} needs ${broken.text}: ${values.join(', ')}`)
  }
  return kind.create(asset, taken)
}

/**
 * Parameters as a kind is given them, its defaults among them.
 *
 * @throws RangeError that names the parameter, for one that is unknown and a value out of its range.
 */
export function takenParameters(
  kind: StrategyKind,
  asset: string,
  parameters: StrategyParameters,
): StrategyParameters {
  const declared = kind.parameters
  if (declared === null) return parameters
  const given: Record<string, ParameterValue> = {}
  for (const [name, value] of Object.entries(parameters))
    given[name] = name === 'asset' ? String(value) : takenValue(name, declaredOf(kind, declared, name), value)
  return { ...('asset' in given ? {} : { asset }), ...defaultsOf(declared), ...given }
}

function declaredOf(kind: StrategyKind, declared: DeclaredParameters, name: string): DeclaredParameter {
  if (Object.hasOwn(declared, name)) return declared[name] as DeclaredParameter
  throw new RangeError(
    `the strategy ${kind.name} has no parameter ${name}; it has: ${['asset', ...Object.keys(declared)].join(', ')}`,
  )
}
