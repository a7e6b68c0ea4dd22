/** Reading a plan from JSON: every key is known and of its kind, or refused with its path. */
import { notJson } from '../../files/notJson.ts'
import type { RunPlan } from './plan.ts'

/** A plan that cannot be used: which key, and why. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

type Plain = 'text' | 'texts' | 'count' | 'number' | 'moment' | readonly string[]

type Kind = Plain | 'fields' | { readonly each: Readonly<Record<string, Kind>> }

const STRATEGY = { strategy: 'text', parameters: 'fields', account: 'fields' } as const
const MARKET = {
  asset: 'text',
  data: 'texts',
  days: 'count',
  simulate: 'text',
  funding: 'text',
  parameters: 'fields',
} as const
const PLAN: Readonly<Record<string, Kind>> = {
  ...STRATEGY,
  markets: { each: MARKET },
  portfolio: { each: { name: 'text', strategy: 'text', parameters: 'fields', markets: 'texts' } },
  others: { each: { ...STRATEGY, name: 'text' } },
  from: 'moment',
  to: 'moment',
  warmUpMs: 'count',
  path: ['adverse', 'optimistic'],
  profitCap: ['on', 'off'],
  afterVerdict: ['stop', 'go-on'],
  atDataEnd: ['close', 'hold'],
  tickBarMs: 'count',
  delayBars: 'count',
  correlation: 'number',
  objective: 'text',
  periods: 'text',
  models: 'text',
  seed: 'text',
  onBadRow: ['fail', 'skip'],
}

/**
 * ```ts
 * readPlan('{ "strategy": "breakout" }', 'plan.json').strategy // → breakout
 * ```
 *
 * @throws PlanError naming the first key at fault.
 */
export function readPlan(json: string, shown: string): Partial<RunPlan> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new PlanError(`${shown}: ${notJson(error)}`, { cause: error })
  }
  checkTable(value, PLAN, shown)
  return value as Partial<RunPlan>
}

/**
 * A plan with everything that a run needs, as it was saved with one.
 *
 * @throws PlanError naming the first key at fault.
 */
export function wholePlan(value: object, shown: string): RunPlan {
  checkTable(value, PLAN, shown)
  const { strategy, markets } = value as Partial<RunPlan>
  if (strategy === undefined) throw new PlanError(`${shown}: no strategy`)
  if (markets === undefined) throw new PlanError(`${shown}: no markets`)
  return { ...value, strategy, markets }
}

function checkTable(value: unknown, kinds: Readonly<Record<string, Kind>>, path: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PlanError(`${path}: must be an object`)
  for (const [key, field] of Object.entries(value)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined
    if (kind === undefined)
      throw new PlanError(`${path}: unknown key ${key}; known are ${Object.keys(kinds).join(', ')}`)
    check(field, kind, `${path}: ${key}`)
  }
}

function check(value: unknown, kind: Kind, path: string): void {
  if (kind === 'fields') return checkFields(value, path)
  if (typeof kind === 'object' && 'each' in kind) {
    if (!Array.isArray(value)) throw new PlanError(`${path} must be a list`)
    for (const [index, item] of value.entries()) checkTable(item, kind.each, `${path}[${index}]`)
    return
  }
  const fault = faultOf(value, kind)
  if (fault !== null) throw new PlanError(`${path} must be ${fault}`)
}

function checkFields(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PlanError(`${path} must be an object`)
  for (const [key, field] of Object.entries(value))
    if (typeof field === 'object' && field !== null && !Array.isArray(field))
      throw new PlanError(`${path}.${key} must be a decimal in quotes, a number, true, false or null`)
}

function faultOf(value: unknown, kind: Plain): string | null {
  const isText = typeof value === 'string' && value !== ''
  if (typeof kind === 'object') return isText && kind.includes(value) ? null : `one of ${kind.join(', ')}`
  switch (kind) {
    case 'text':
      return isText ? null : 'a text'
    case 'texts':
      return isText || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
        ? null
        : 'a text or a list of texts'
    case 'count':
      return Number.isSafeInteger(value) && (value as number) > 0 ? null : 'a whole number above zero'
    case 'number':
      return Number.isFinite(value) ? null : 'a number'
    case 'moment':
      return isText || Number.isSafeInteger(value) ? null : 'a time, ISO 8601 or epoch ms'
  }
}
