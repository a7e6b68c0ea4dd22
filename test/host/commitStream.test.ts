// An operator's stream of what is in the log already gives way to others, whether or not anything of it is told (K15), and whoever
// reads it too slowly costs a MiB, then nothing (K4).

import { expect, onTestFinished, test } from 'vitest'
import { MOST_UNSENT } from '../../src/host/stream/allowance.ts'
import { CommitStream } from '../../src/host/stream/commitStream.ts'
import type { StreamConnection } from '../../src/host/stream/listener.ts'
import type { Message } from '../../src/host/stream/message.ts'
import type { Engine } from '../../src/index.ts'
import { sampleCommit } from '../../src/testing/index.ts'
import { engineOn } from './slowStore.ts'
import { ALICE, CONFIGURATION } from './venue.ts'

const COMMITS = 200_000

test.each([
  ['all of it', undefined],
  ['none of it', 'nothing is called so'],
])('a long log of which %s is told', async (_, type) => {
  let read = 0
  const commit = sampleCommit(2)
  const engine = {
    head: COMMITS,
    durableHead: COMMITS,
    now: 0,
    async *follow() {
      while (read < COMMITS) {
        read += 1
        yield { ...commit, seq: read }
      }
    },
  } as unknown as Engine
  const ended = new Promise((resolve) => {
    const outlet = { onGone: () => {}, unsent: 0, send: () => {}, taken: async () => true, end: resolve }
    const filter = { type, accountId: undefined, marketId: undefined, withoutQuietPrices: false }
    new CommitStream(engine).tell(outlet, 0, filter, 'somebody')
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(read, 'read before anybody else had a turn').toBeLessThan(COMMITS / 2)
  await ended
  expect(read).toBe(COMMITS)
})

const ALL = { type: undefined, accountId: undefined, marketId: undefined, withoutQuietPrices: false }
/** On a machine that does much else. */
const PATIENTLY = { timeout: 60_000 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Somebody who reads: at once, when they are asked to, or never. */
class Reader implements StreamConnection {
  readonly seqs: number[] = []
  unsent = 0
  reason: string | null = null
  onGone = () => {}
  readonly #isQuick: boolean
  #onTaken: ((isTaken: boolean) => void) | null = null

  constructor(isQuick: boolean) {
    this.#isQuick = isQuick
  }

  send(messages: readonly Message[], complete: number | null): void {
    if (complete !== null) this.seqs.push(complete)
    if (!this.#isQuick) for (const { json } of messages) this.unsent += json.length
  }

  taken(): Promise<boolean> {
    if (this.unsent === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      this.#onTaken = resolve
    })
  }

  /** Reads what was sent; or does not within its time. */
  read(isRead = true): void {
    if (isRead) this.unsent = 0
    this.#onTaken?.(isRead)
    this.#onTaken = null
  }

  end(reason: string): void {
    this.reason = reason
  }
}

async function streaming() {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const commits = new CommitStream(engine)
  onTestFinished(() => commits.close())
  const tell = (reader: Reader, after: number) => commits.tell(reader, after, ALL, 'somebody')
  const append = (count: number) => {
    for (let given = 0; given < count; given++)
      engine.dispatch({ type: 'adjustBalance', accountId: ALICE.accountId, amount: 1n })
    return engine.whenDurable()
  }
  return { engine, tell, append }
}

const sequence = (after: number, until: number) =>
  Array.from({ length: until - after }, (_, at) => after + 1 + at)

test('who lets more than a mebibyte of what comes wait is let go of; the others are told everything', async () => {
  const { engine, tell, append } = await streaming()
  const held = engine.head
  const slow = Array.from({ length: 5 }, () => new Reader(false))
  const quick = new Reader(true)
  for (const reader of [...slow, quick]) tell(reader, held)
  for (let round = 0; round < 8; round++) {
    await append(500)
    await turn()
  }
  await expect.poll(() => quick.seqs.at(-1), PATIENTLY).toBe(engine.head)
  expect(quick.seqs).toEqual(sequence(held, engine.head))
  expect(quick.reason).toBeNull()
  // Each has turns of its own: one that reads may be through before another has more than it may.
  await expect.poll(() => slow.map(({ reason }) => reason), PATIENTLY).toEqual(Array(5).fill('slow_consumer'))
  for (const { seqs, unsent } of slow) {
    expect(unsent).toBeGreaterThan(MOST_UNSENT)
    expect(unsent).toBeLessThan(1.01 * MOST_UNSENT)
    expect(seqs).toEqual(sequence(held, held + seqs.length))
  }
})

test('of the past nothing waits in memory: a commit comes when the one before has been read, and all of it in the end', async () => {
  const { engine, tell, append } = await streaming()
  const held = engine.head
  await append(6_000)
  const [reader, deaf] = [new Reader(false), new Reader(false)]
  for (const one of [reader, deaf]) tell(one, held)
  await append(100)
  for (let turns = 0; turns < 20; turns++) await turn()
  for (const { seqs } of [reader, deaf]) expect(seqs).toEqual([held + 1])
  deaf.read(false)
  await expect.poll(() => deaf.reason, PATIENTLY).toBe('slow_consumer')
  while (reader.seqs.at(-1) !== engine.head) {
    reader.read()
    await turn()
  }
  expect(reader.seqs).toEqual(sequence(held, engine.head))
  expect(deaf.seqs).toEqual([held + 1])
  // What comes now is no past any more.
  reader.read()
  await append(2)
  await expect.poll(() => reader.seqs.at(-1), PATIENTLY).toBe(engine.head)
  expect(reader.unsent).toBeGreaterThan(0)
})

test('who reads the past more slowly than the log grows is let go of; who reads it faster comes to its end', async () => {
  const { engine, tell, append } = await streaming()
  /** How many commits have come by the end, with so many for each that is read. */
  const readAt = async (growth: number) => {
    const from = engine.head
    await append(5_000)
    const reader = new Reader(false)
    tell(reader, from)
    let [due, left] = [0, 25_000]
    while (reader.reason === null && reader.seqs.at(-1) !== engine.head && left > 0) {
      const { length } = reader.seqs
      reader.read()
      await turn()
      due += growth * (reader.seqs.length - length)
      left -= reader.seqs.length - length
      const whole = Math.floor(due)
      due -= whole
      if (whole > 0) await append(whole)
    }
    expect(reader.seqs).toEqual(sequence(from, from + reader.seqs.length))
    return reader.reason
  }
  expect(await readAt(0.3)).toBeNull()
  expect(await readAt(1.2)).toBe('slow_consumer')
})
