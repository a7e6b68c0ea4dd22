// What an account was charged is the sum over its positions, each once, whatever is opened while they are read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PositionRecord } from '../../../src/domain/state/position.ts'
import { type Charges, chargesIn } from '../../../src/host/charges.ts'

type Charged = Pick<PositionRecord, 'fee' | 'feeInEvent' | 'funding' | 'status'>

const charged: fc.Arbitrary<Charged> = fc
  .record({
    fee: fc.bigInt(0n, 1_000n),
    kept: fc.bigInt(0n, 1_000n),
    funding: fc.bigInt(-1_000n, 1_000n),
    status: fc.constantFrom('opened', 'closed', 'liquidated'),
  })
  .map(({ fee, kept, funding, status }) => ({ fee: fee + kept, feeInEvent: kept, funding, status }))

/** In words, not in the code's: what liquidations kept is no fee, and funding is paid where it is below zero. */
function expected(positions: readonly Charged[]): Charges {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const liquidation = sum(
    positions.filter(({ status }) => status === 'liquidated').map(({ feeInEvent }) => feeInEvent),
  )
  const funding = positions.map((position) => position.funding)
  return {
    fees: sum(positions.map(({ fee }) => fee)) - liquidation,
    liquidation,
    fundingPaid: -sum(funding.filter((amount) => amount < 0n)),
    fundingReceived: sum(funding.filter((amount) => amount > 0n)),
    spread: null,
    window: null,
  }
}

test('charges are added up over every position once, newest first, also those that more are opened before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(charged, { maxLength: 250, size: 'max' }),
      fc.array(fc.nat(60), { maxLength: 4 }),
      async (positions, openedBetween) => {
        const listed = [...positions]
        const rest = [...openedBetween]
        const charges = await chargesIn(100, async ({ limit, offset }) => {
          if (offset > 0) {
            const opened: Charged = { fee: 1n, feeInEvent: 0n, funding: -1n, status: 'opened' }
            listed.unshift(...Array.from({ length: rest.shift() ?? 0 }, () => opened))
          }
          const data = listed.slice(offset, offset + limit) as PositionRecord[]
          return { data, totalCount: listed.length }
        })
        expect(charges).toEqual(expected(positions))
      },
    ),
    { numRuns: 40 },
  )
})
