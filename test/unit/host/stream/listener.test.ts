// Who hears a stream is told everything once, in the order of the log, and nothing behind its end; who does not read is let go of.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_UNSENT } from '../../../../src/host/stream/allowance.ts'
import { Listener } from '../../../../src/host/stream/listener.ts'
import type { Message } from '../../../../src/host/stream/message.ts'

const message = (seq: number, bytes = 10) => ({ seq, json: 'x'.repeat(bytes) }) as Message

/** A connection that takes what it is sent at once, unless it is told to keep it. */
class Reader {
  readonly sent: Message[] = []
  /** After each sending, up to which commit everything has been. */
  readonly complete: (number | null)[] = []
  readonly ended: string[] = []
  unsent = 0
  reads = true
  patience: number[] = []

  send(messages: readonly Message[], complete: number | null): void {
    this.sent.push(...messages)
    this.complete.push(complete)
    if (!this.reads) for (const { json } of messages) this.unsent += json.length
  }

  async taken(ms: number): Promise<boolean> {
    this.patience.push(ms)
    return this.reads
  }

  end(reason: string): void {
    this.ended.push(reason)
  }

  get seqs(): number[] {
    return this.sent.map(({ seq }) => seq)
  }
}

function listener() {
  const reader = new Reader()
  const obstacle = () => null
  const terms = { userId: 'u', accountIds: ['a', 'a', 'b'], hearsAll: false, outlet: reader, obstacle }
  return { reader, of: new Listener(terms) }
}

test('whatever happens to it, it is told what is its own once, in order', async () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('take', 'take', 'flush', 'begin', 'restart') },
    { weight: 1, arbitrary: fc.constantFrom('end', 'leave') },
  )
  const reached = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { size: 'max', maxLength: 25 }), async (steps) => {
      const { reader, of } = listener()
      const told: number[] = []
      let gathered: number[] = []
      let [seq, state] = [0, 'waiting']
      for (const next of steps) {
        const at = `${next} while ${state}`
        reached.set(at, (reached.get(at) ?? 0) + 1)
        if (next === 'take') {
          seq += 1
          expect(of.take(message(seq)), at).toBe(state !== 'ended')
          if (state !== 'ended') gathered.push(seq)
        } else if (next === 'flush') {
          expect(of.flush()).toBe(true)
          if (state === 'hearing') told.push(...gathered.splice(0))
        } else if (next === 'begin') {
          const beginning = [-2, -1].map((at) => message(at))
          expect(await of.begin(beginning, 0)).toBe(true)
          if (state !== 'waiting') continue
          state = 'hearing'
          expect(reader.complete.at(-1), 'of what was gathered, or else of the beginning').toBe(
            gathered.at(-1) ?? 0,
          )
          told.push(-2, -1, ...gathered.splice(0))
        } else if (next === 'restart') {
          of.restart()
          gathered = []
        } else if (next === 'end') {
          of.end(message(1_000), 'closing')
          if (state !== 'ended') told.push(1_000)
          gathered = []
          state = 'ended'
        } else {
          of.leave()
          gathered = []
          state = 'ended'
        }
        expect(reader.seqs, at).toEqual(told)
        expect(of.hasEnded).toBe(state === 'ended')
      }
      const ends = told.filter((at) => at === 1_000).length
      expect(reader.ended).toEqual(Array(ends).fill('closing'))
    }),
  )
  for (const state of ['waiting', 'hearing', 'ended'])
    for (const next of ['take', 'flush', 'begin', 'restart', 'end', 'leave'])
      expect(reached.get(`${next} while ${state}`), `${next} while ${state}`).toBeGreaterThan(2)
})

test('a long beginning goes out in portions, each once the one before was taken, and no commit counts as told before all of it', async () => {
  const { reader, of } = listener()
  const long = [1, 1, 2, 3, 3, 3, 4].map((seq) => message(seq, 131_072))
  expect(await of.begin(long, 4)).toBe(true)
  expect(reader.seqs).toEqual([1, 1, 2, 3, 3, 3, 4])
  // Two at a time: of the third commit there is more to come.
  expect(reader.complete).toEqual([1, null, 3, 4])
  expect(reader.patience).toHaveLength(4)
})

test('a beginning that is not taken, or whose reader leaves, is not gone on with', async () => {
  const long = [1, 2, 3, 4].map((seq) => message(seq, 262_144))
  const slow = listener()
  slow.reader.reads = false
  expect(await slow.of.begin(long, 4)).toBe(false)
  expect(slow.reader.seqs).toEqual([1])
  const gone = listener()
  gone.reader.taken = async () => {
    gone.of.leave()
    return true
  }
  expect(await gone.of.begin(long, 4)).toBe(true)
  expect(gone.reader.seqs).toEqual([1])
})

test('before it has begun a mebibyte waits for it and not a byte more, and anew once it begins anew', () => {
  const { of } = listener()
  expect([of.take(message(1, MOST_UNSENT)), of.take(message(2, 1))]).toEqual([true, false])
  of.restart()
  expect([of.take(message(3, MOST_UNSENT)), of.take(message(4, 1))]).toEqual([true, false])
})

test('who reads nothing may have a mebibyte waiting, and is let go of with the next byte', async () => {
  const { reader, of } = listener()
  await of.begin([], 0)
  reader.reads = false
  for (let part = 1; part <= 4; part++) {
    of.take(message(part, MOST_UNSENT / 4))
    expect(of.flush()).toBe(true)
  }
  of.take(message(5, 1))
  expect(of.flush()).toBe(false)
})

test('what it begins with may be longer than a mebibyte, which may wait beside it, and not a byte more', async () => {
  const { reader, of } = listener()
  reader.reads = false
  reader.taken = async () => true
  await of.begin([message(1, 3 * MOST_UNSENT)], 1)
  of.take(message(2, MOST_UNSENT))
  expect(of.flush()).toBe(true)
  of.take(message(3, 1))
  expect(of.flush()).toBe(false)
})
