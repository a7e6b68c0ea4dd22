/**
 * Every bound that what is sent and answered is held to, as it was promised: of quantities, ids and instants the form, of everything else
 * the number. Whoever changes one changes what clients may send or rely on, and changes it here too.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PlatformCommands } from '../../src/host/schemas/platformCommands.ts'
import * as account from '../../src/resources/account.ts'
import * as apiKey from '../../src/resources/apiKey.ts'
import * as fields from '../../src/resources/fields.ts'
import * as order from '../../src/resources/order.ts'
import * as position from '../../src/resources/position.ts'
import * as stream from '../../src/resources/stream.ts'

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern']
const FORMS = new Map([
  [`pattern ${fields.UUID_PATTERN}`, 'id'],
  ['maxLength 40, pattern ^(?:-?[1-9][0-9]*|0)$', 'fp9'],
  [String.raw`pattern ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`, 'instant'],
])

/** What bounds each field, by its name; and every object that would take more fields than it names. */
function boundsIn(schema: unknown, place: string, found = new Map<string, Set<string>>()) {
  if (typeof schema !== 'object' || schema === null) return found
  const of = schema as Record<string, unknown>
  const tell = (bound: string) => found.set(place, (found.get(place) ?? new Set()).add(bound))
  const own = BOUNDS.filter((bound) => bound in of).map((bound) => `${bound} ${of[bound]}`)
  if (own.length > 0) tell(FORMS.get(own.join(', ')) ?? own.join(', '))
  if ('properties' in of && of.additionalProperties !== false) tell('takes other fields')
  for (const [name, child] of Object.entries(of)) {
    const isField = typeof child === 'object' && !/^(properties|anyOf|items|schema|\d+)$/.test(name)
    boundsIn(child, isField ? name : place, found)
  }
  return found
}

/** Those that are no more than the form of a quantity, an id or an instant are left out. */
const numbered = (found: ReadonlyMap<string, ReadonlySet<string>>) =>
  Object.fromEntries(
    [...found].flatMap(([name, bounds]) => {
      const numbers = [...bounds].filter((bound) => ![...FORMS.values()].includes(bound))
      return numbers.length === 0 ? [] : [[name, numbers]]
    }),
  )

test('of resources and of what asks for them', () => {
  const { offset, ...others } = numbered(boundsIn({ account, apiKey, order, position, fields, stream }, ''))
  expect(others).toEqual({
    accountId: ['maxItems 100'],
    accountIds: ['maxItems 100'],
    asset: ['minLength 1'],
    expiresAt: ['maxLength 40'],
    from: ['pattern ^[0-9]{1,15}$', 'minimum 0'],
    holdingTimeMs: ['pattern ^[0-9]+$'],
    limit: ['pattern ^0*(?:[1-9][0-9]?|100)$'],
    minTradingDays: ['minimum 0'],
    name: ['minLength 1, maxLength 255'],
    profitableDays: ['minimum 0'],
    scalpingWindowMs: ['minimum 0'],
    seq: ['minimum 0'],
    version: ['minimum 1'],
  })
  // Which numbers it takes is asked in fields.test.ts.
  expect(offset).toHaveLength(1)
})

test('of what operators and callers of the host ask for', async () => {
  const folder = path.resolve(import.meta.dirname, '../../src/host/schemas')
  const names = readdirSync(folder).filter((name) => name !== 'platformCommands.ts')
  const modules = names.map((name) => import(/* @vite-ignore */ path.join(folder, name)) as Promise<object>)
  const { offset, limit, ...others } = numbered(boundsIn({ ...(await Promise.all(modules)) }, ''))
  const counted = Object.entries(others).filter(([, bounds]) => bounds.join() !== 'minimum 0')
  expect(Object.fromEntries(counted)).toEqual({
    baseAsset: ['minLength 1, maxLength 255'],
    holdingTimeMs: ['pattern ^[0-9]+$'],
    search: ['maxLength 255'],
    seq: ['minimum 0', 'pattern ^[0-9]{1,15}$'],
    ticker: ['minLength 1, maxLength 255'],
    version: ['minimum 1'],
  })
  expect([offset, limit].map((bounds) => bounds?.length)).toEqual([1, 1])
})

test('of commands of the platform', () => {
  expect(numbered(boundsIn(PlatformCommands, 'a list of them'))).toEqual({
    'a list of them': ['minItems 0, maxItems 1000'],
    baseAsset: ['minLength 1, maxLength 255'],
    commandId: ['minLength 1, maxLength 255'],
    fundingIntervalMs: ['minimum 0'],
    hash: ['pattern ^[0-9a-fA-F]{64}$'],
    maxActiveOrders: ['minimum 0'],
    maxPriceAgeMs: ['minimum 0'],
    minProfitableDays: ['minimum 0'],
    ms: ['minimum 0'],
    scalpingWindowMs: ['minimum 0'],
    ticker: ['minLength 1, maxLength 255'],
  })
})

test('a duration is told in milliseconds, once', () => {
  const said: string[] = []
  const look = (schema: unknown, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { description, type } = schema as { readonly description?: string; readonly type?: string }
    if (/^ms$|Ms$/.test(name) && type === 'integer') said.push(description ?? '')
    for (const [field, child] of Object.entries(schema))
      look(child, /^(anyOf|\d+)$/.test(field) ? name : field)
  }
  look(PlatformCommands, '')
  expect(said.length).toBeGreaterThan(3)
  for (const description of said) expect(description.match(/milliseconds/gi)).toHaveLength(1)
})
