// A body says the fields of a command: by other names where it has them, in the values that JSON has, and no objects.

import { expect, test } from 'vitest'
import { commandBody } from '../../../src/resources/commandBody.ts'
import { fieldSchemas } from '../../../src/resources/commandFields.ts'
import type { FieldKinds } from '../../../src/terms/fieldKinds.ts'

const terms = { documented: 'placeOrder', title: 'Said', description: 'What is said.', examples: [] } as const
const body = (kinds: FieldKinds, names = {}) =>
  commandBody<Record<string, unknown>, Record<string, unknown>>(kinds as never, { ...terms, names })

const KINDS = { marketId: 'id', orderType: 'orderType', amount: 'amount >= 0', positionId: 'id?' } as const
const SAID = { marketId: 'ABCD-ef', orderType: 'stop', amount: '120' }
const READ = { marketId: 'abcd-ef', orderType: 'stop', amount: 120n, positionId: null }

test('an id is one in lower case, a quantity a whole number, what is null or left out null, and the rest as it is', () => {
  const { schema, addTo } = body(KINDS)
  expect(addTo({ accountId: 'mine' }, SAID)).toEqual({ accountId: 'mine', ...READ })
  expect(addTo({}, { ...SAID, positionId: null })).toEqual(READ)
  expect(Object.keys((schema as unknown as { properties: object }).properties)).toEqual(Object.keys(KINDS))
})

test('a field that a body names otherwise is read, and described, by that name', () => {
  const { schema, addTo } = body(KINDS, { amount: 'margin' })
  const { amount, ...rest } = SAID
  expect(addTo({}, { ...rest, margin: amount })).toEqual(READ)
  expect(Object.keys((schema as unknown as { properties: object }).properties)).toEqual([
    'marketId',
    'orderType',
    'margin',
    'positionId',
  ])
})

test('what is known without the body is not said by it', () => {
  expect(body(KINDS).addTo({ marketId: 'known' }, SAID)).toEqual({ ...READ, marketId: 'known' })
})

test('an object is no field of a body, and a field of which nothing says what it means is none', () => {
  const market = { market: { baseAsset: 'text' } } as never
  expect(() => commandBody(market, { ...terms, documented: 'configureMarket' })).toThrow(
    'market is an object',
  )
  expect(() => fieldSchemas({ nothing: 'flag' }, 'placeOrder')).toThrow(/nothing says what nothing means/)
})
