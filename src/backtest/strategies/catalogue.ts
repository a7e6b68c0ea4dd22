/** The strategies that come with the package, by name, with the parameters they take. */
import type { Strategy } from '../strategy/strategy.ts'
import { breakout } from './breakout.ts'
import { emaCross } from './emaCross.ts'
import { fundingCarry } from './fundingCarry.ts'
import { meanReversion } from './meanReversion.ts'

/** A parameter's value: a number where it counts or measures, text where it is a decimal of people ("10%"). */
export type ParameterValue = string | number

/** Parameters of a strategy by name. */
export type StrategyParameters = Readonly<Record<string, ParameterValue>>

/** A strategy by name: which parameters there are, with their defaults, and how to make a fresh one. */
export interface StrategyKind {
  readonly name: string
  /** Name and default of every parameter; null where any name is taken. */
  readonly parameters: StrategyParameters | null
  /** @param asset the market it trades unless `parameters` say otherwise. */
  create(asset: string, parameters: StrategyParameters): Strategy
}

const KINDS: readonly StrategyKind[] = [
  {
    name: 'ema-cross',
    parameters: { fast: 20, slow: 50, leverage: '5', margin: '10%' },
    create: (asset, parameters) => emaCross({ asset, ...parameters }),
  },
  {
    name: 'breakout',
    parameters: { lookback: 480, width: 10, risk: '1%', leverage: '10' },
    create: (asset, parameters) => breakout({ asset, ...parameters }),
  },
  {
    name: 'mean-reversion',
    parameters: { lookback: 240, deviations: 3, stop: 1, notional: '50%', leverage: '5' },
    create: (asset, parameters) => meanReversion({ asset, ...parameters }),
  },
  {
    name: 'funding-carry',
    parameters: { threshold: '0.01%', notional: '100%', leverage: '3' },
    create: (asset, parameters) => fundingCarry({ asset, ...parameters }),
  },
]

/** The strategies of the package, by name. */
export const STRATEGY_NAMES: readonly string[] = KINDS.map(({ name }) => name)

export function strategyKind(name: string): StrategyKind | undefined {
  return KINDS.find((kind) => kind.name === name)
}

/**
 * A fresh strategy. Parameters are checked against the kind's, and texts where a number is due are read as one.
 *
 * ```ts
 * createStrategy(await loadStrategy('ema-cross'), 'BTC', { fast: 5, slow: 30 }).name // → EMA cross 5/30 on BTC, 5x, margin 10%
 * ```
 *
 * @throws RangeError for an unknown parameter or a text that is no number where one is due.
 */
export function createStrategy(kind: StrategyKind, asset: string, parameters: StrategyParameters): Strategy {
  const known = kind.parameters
  if (known === null) return kind.create(asset, parameters)
  const given: Record<string, ParameterValue> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const usual = name === 'asset' ? asset : known[name]
    if (usual === undefined)
      throw new RangeError(
        `the strategy ${kind.name} has no parameter ${name}; it has: ${['asset', ...Object.keys(known)].join(', ')}`,
      )
    given[name] = typeof usual === 'number' ? numberOf(name, value) : String(value)
  }
  return kind.create(asset, { ...known, ...given })
}

function numberOf(name: string, value: ParameterValue): number {
  const number = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) throw new RangeError(`the parameter ${name} must be a number, not ${value}`)
  return number
}
