// Amounts as people type them: what stands there is what is sent, or it is no amount.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writtenCommand } from '../../../src/host/console/page/operator/commandForm.ts'
import { exact } from '../../../src/host/console/page/shared/amounts.ts'
import { typed, typedPercent } from '../../../src/host/console/page/shared/writtenAmounts.ts'

test('what the console writes it reads', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (value) => {
      expect(typed(exact(value))).toBe(value)
    }),
  )
})

test.each([
  ['1,000.5', 1_000_500_000_000n],
  ['1 000 000', 1_000_000_000_000_000n],
  ['1\u202f000', 1_000_000_000_000n],
  ['1000', 1_000_000_000_000n],
  ['.5', 500_000_000n],
  ['5.', 5_000_000_000n],
  [' 200 ', 200_000_000_000n],
  ['-1', -1_000_000_000n],
  ['', null],
  [' ', null],
])('%s is read', (text, value) => expect(typed(text)).toBe(value))

// Read without its comma the first would be ten times what whoever typed it means.
test.each([
  '1,5',
  '10,00',
  '1.000,50',
  '1,0000',
  ',5',
  '1,00.5',
  '1 0',
  '1, 000',
  '100%',
  '50x',
  '1e3',
  '.',
  '-',
  '1.0000000001',
])('%s is no amount', (text) => {
  expect(typed(text)).toBeUndefined()
  const { faults } = writtenCommand('adjustBalance', { accountId: 'any', amount: text.trim() })
  const isWithUnit = /^[0-9]+[%x]$/.test(text)
  expect([...(faults?.keys() ?? [])]).toEqual(isWithUnit ? [] : ['amount'])
})

test('a share is in percent, whether its sign is typed or not', () => {
  for (const text of ['5', '5%', ' 5 % ', '5.0']) expect(typedPercent(text)).toBe(50_000_000n)
  for (const text of ['5,5', '5%%', '5x']) expect(typedPercent(text)).toBeUndefined()
  expect(typedPercent(' ')).toBeNull()
})
