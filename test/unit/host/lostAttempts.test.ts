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
        // What was refused may have been so because of the one before.
        if (isLost) lost = { amount, wasDone: fate === 'done, and the answer lost' }
        else if (fate === 'answered') lost = null
      }
    }),
  )
  expect(reached.size).toBe(10)
})

type Turn =
  | 'press'
  | 'press, and the answer is lost'
  | 'another moves as much'
  | 'another moves something else'

const sometimes = fc.option(fc.nat(3), { freq: 1 })

const turns = fc.array(
  fc.record({
    turn: fc.constantFrom<Turn>(
      'press',
      'press, and the answer is lost',
      'press, and the answer is lost',
      'another moves as much',
      'another moves something else',
    ),
    /** Which of the requests that are still on their way comes in before, between look and request, and after. */
    comes: fc.tuple(sometimes, sometimes, sometimes),
  }),
  { minLength: 1, maxLength: 14 },
)

test('what is for a version is done once at most, though its request comes in after the look, and whoever else moves as much', async () => {
  const reached = { once: 0, late: 0, others: 0 }
  await fc.assert(
    fc.asyncProperty(turns, async (taken) => {
      const form = new LostAttempts<number>()
      // A position: what each of its versions came from.
      const events: ('mine' | 'as much' | 'else')[] = ['else']
      const underway: number[] = []
      const arrive = (which: number | null) => {
        if (which === null || underway.length === 0) return
        const [version] = underway.splice(which % underway.length, 1)
        if (version !== events.length) return
        events.push('mine')
        reached.late += 1
      }
      let isOpen = true
      for (const { turn, comes } of taken) {
        arrive(comes[0])
        if (turn.startsWith('another')) events.push(turn === 'another moves as much' ? 'as much' : 'else')
        else if (isOpen) {
          const done = form.attempt(events.length, {
            send: async (version) => {
              arrive(comes[1])
              if (turn !== 'press') {
                underway.push(version)
                throw new VenueUnreachable('http://venue', 'PATCH /', null)
              }
              if (version !== events.length) throw new Error('position_changed')
              events.push('mine')
            },
            wasDone: async (version) => events.slice(version).some((event) => event !== 'else'),
            isSame: () => true,
          })
          isOpen = await done.then(
            () => false,
            () => true,
          )
        }
        arrive(comes[2])
      }
      while (underway.length > 0) arrive(0)
      const mine = events.filter((event) => event === 'mine').length
      expect(mine).toBeLessThanOrEqual(1)
      if (!isOpen) expect(mine + events.filter((event) => event === 'as much').length).toBeGreaterThan(0)
      if (mine === 1) reached.once += 1
      if (mine === 0 && !isOpen) reached.others += 1
    }),
    { numRuns: 2_000 },
  )
  expect(reached.once).toBeGreaterThan(300)
  expect(reached.late).toBeGreaterThan(100)
  expect(reached.others).toBeGreaterThan(10)
})
