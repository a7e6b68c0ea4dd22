/** A population of traders as a file: a list of kinds, each with its strategy, its parameters and its share. */

import { notJson } from '../../files/notJson.ts'
import { PlanError } from '../plan/readPlan.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import type { Trader } from './population.ts'

const KEYS = ['name', 'strategy', 'parameters', 'share']

/**
 * ```ts
 * readPopulation('[{"strategy": "breakout", "share": 3}, {"strategy": "ema-cross"}]', 'traders.json').length // → 2
 * ```
 *
 * @throws PlanError naming what cannot be read.
 */
export function readPopulation(json: string, shown: string): Trader[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new PlanError(`${shown}: ${notJson(error)}`, { cause: error })
  }
  if (!Array.isArray(value) || value.length === 0)
    throw new PlanError(`${shown} must be a list of one kind of traders or more`)
  return value.map((item, at) => traderOf(item, `${shown}: [${at}]`))
}

function traderOf(item: unknown, shown: string): Trader {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new PlanError(`${shown} must be an object`)
  const unknown = Object.keys(item).find((key) => !KEYS.includes(key))
  if (unknown !== undefined)
    throw new PlanError(`${shown}: unknown key ${unknown}; known are ${KEYS.join(', ')}`)
  const { name, strategy, parameters, share } = item as Record<string, unknown>
  if (typeof strategy !== 'string' || strategy === '')
    throw new PlanError(`${shown}: strategy must be a text`)
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    throw new PlanError(`${shown}: name must be a text`)
  if (share !== undefined && !(typeof share === 'number' && Number.isFinite(share) && share > 0))
    throw new PlanError(`${shown}: share must be a number above zero`)
  return {
    name: name ?? strategy,
    strategy,
    ...(parameters === undefined ? {} : { parameters: parametersOf(parameters, shown) }),
    ...(share === undefined ? {} : { share }),
  }
}

function parametersOf(value: unknown, shown: string): StrategyParameters {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isTable || !Object.values(value).every((one) => typeof one === 'number' || typeof one === 'string'))
    throw new PlanError(`${shown}: parameters must be numbers and texts by name`)
  return value as StrategyParameters
}
