// What an account was charged is the sum over its positions, each once, whatever is opened while they are read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PositionRecord } from '../../../src/domain/state/position.ts'
import { type Charges, chargesOf } from '../../../src/host/charges.ts'
import type { Reader } from '../../../src/projections/reader.ts'

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
  }
}

test('charges are added up over every position once, newest first, also those that more are opened before', () => {
  fc.assert(
    fc.property(
      fc.array(charged, { maxLength: 250, size: 'max' }),
      fc.array(fc.nat(60), { maxLength: 4 }),
      (positions, openedBetween) => {
        const listed = [...positions]
        const read = {
          portfolio: (_: string, { limit = 0, offset = 0 }: { limit?: number; offset?: number }) => ({
            data: listed.slice(offset, offset + limit),
            totalCount: listed.length,
          }),
        }
        const steps = chargesOf(read as unknown as Reader, 'account')
        let step = steps.next()
        for (const count of openedBetween) {
          if (step.done === true) break
          const opened: Charged = { fee: 1n, feeInEvent: 0n, funding: -1n, status: 'opened' }
          listed.unshift(...Array.from({ length: count }, () => opened))
          step = steps.next()
        }
        while (step.done !== true) step = steps.next()
        expect(step.value).toEqual(expected(positions))
      },
    ),
    { numRuns: 40 },
  )
})
