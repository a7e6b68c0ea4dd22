// Whatever becomes of the answers, nothing is done twice by a form whose attempts have no key.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VenueUnreachable } from '../../../src/client/index.ts'
import { LostAttempts } from '../../../src/host/console/page/shared/lostAttempts.ts'

type Fate = 'answered' | 'done, and the answer lost' | 'lost on the way' | 'refused'

const fates = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 2 }),
    fate: fc.constantFrom<Fate>('answered', 'done, and the answer lost', 'lost on the way', 'refused'),
  }),
  { minLength: 1, maxLength: 12 },
)

test('an attempt is sent unless the lost one before it was done, which is said of another', async () => {
  const reached = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fates, async (attempts) => {
      const form = new LostAttempts<number>()
      const done: number[] = []
      let lost: { amount: number; wasDone: boolean } | null = null
      for (const { amount, fate } of attempts) {
        const before = done.length
        let [sent, looked] = [0, 0]
        const failure = await form
          .attempt(amount, {
            send: async (one) => {
              sent += 1
              if (fate === 'answered' || fate === 'done, and the answer lost') done.push(one)
              if (fate === 'refused') throw new Error('refused')
              if (fate !== 'answered') throw new VenueUnreachable('http://venue', 'POST /', null)
            },
            wasDone: async (one) => {
              looked += 1
              return lost?.amount === one && lost.wasDone
            },
            isSame: (one, other) => one === other,
          })
          .then(
            () => null,
            (error: Error) => error,
          )
        expect(looked).toBe(lost === null ? 0 : 1)
        if (lost?.wasDone === true) {
          expect(sent).toBe(0)
          expect(done).toHaveLength(before)
          expect(failure?.message ?? null).toEqual(
            lost.amount === amount ? null : expect.stringMatching(/has not been sent/),
          )
          reached.add(lost.amount === amount ? 'done' : 'another was done')
          lost = null
          continue
        }
        expect(sent).toBe(1)
        expect(failure === null).toBe(fate === 'answered')
        reached.add(`${lost === null ? '' : 'after a lost one, '}${fate}`)
        const isLost = fate === 'done, and the answer lost' || fate === 'lost on the way'
        lost = isLost ? { amount, wasDone: fate === 'done, and the answer lost' } : null
      }
    }),
  )
  expect(reached.size).toBe(10)
})
