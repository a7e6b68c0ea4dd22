import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine, fp9, parseFp9, toJson } from '../../../src/index.ts'

const plainData = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value

test('every bigint is its digits, everything else is as it was, and JSON takes all of it', () => {
  fc.assert(
    fc.property(plainData, (value) => {
      const digits = (_: string, field: unknown) => (typeof field === 'bigint' ? field.toString() : field)
      expect(JSON.stringify(toJson(value))).toBe(JSON.stringify(value, digits))
    }),
  )
})

test('amounts come back through parseFp9', () => {
  expect(parseFp9(toJson({ amount: fp9('1.5') }).amount)).toBe(fp9('1.5'))
})

test('what the engine answers and remembers can be written as JSON', async () => {
  const engine = createEngine({
    seed: 'json',
    accounts: [
      {
        id: '00000000-0000-4000-8000-000000000002',
        userId: '00000000-0000-4000-8000-000000000003',
        balance: fp9('10'),
      },
    ],
  })
  expect(toJson(engine.read.accounts())[0]).toMatchObject({
    status: 'active',
    riskStatus: { freeBalance: '10000000000' },
  })
  for await (const commit of engine.commits({ from: 1 })) JSON.stringify(toJson(commit))
})
