// The check of the simulation, turned on a run that is known to be good, and on the same with one thing wrong in it.
import { expect, test } from 'vitest'
import { type Asked, brokenPromises, type LogEntry } from './checker.ts'

const log: readonly LogEntry[] = [
  { seq: 1, epoch: 1, key: 'one', amount: 5 },
  { seq: 2, epoch: 1, key: 'two', amount: 7 },
  { seq: 3, epoch: 2, key: 'three', amount: 11 },
]

const asks = (
  kind: Asked['kind'],
  key: string | null,
  begun: number,
  told: Asked['told'],
  client = 0,
): Asked => ({ client, shard: 0, kind, key, amount: 0, begun, ended: told && begun + 1, told })

/** One write after the other, each with a read behind it; the answer to the second never came. */
const asked: readonly Asked[] = [
  asks('write', 'one', 10, { seq: 1, total: 5 }),
  asks('read', null, 20, { seq: 1, total: 5 }, 1),
  asks('write', 'two', 30, null),
  asks('read', null, 40, { seq: 2, total: 12 }, 1),
  asks('write', 'three', 50, { seq: 3, total: 23 }),
  asks('read', null, 60, { seq: 3, total: 23 }, 2),
]
const told = (answers: readonly Asked[], entries: readonly LogEntry[]) =>
  brokenPromises(answers, [entries]).join('; ')
const withAnswer = (at: number, change: Partial<Asked>) =>
  asked.map((one, index) => (index === at ? { ...one, ...change } : one))
const withEntry = (at: number, change: Partial<LogEntry>) =>
  log.map((one, index) => (index === at ? { ...one, ...change } : one))

test('a run that kept every promise', () => {
  expect(told(asked, log)).toBe('')
})

test.each<[string, readonly Asked[], readonly LogEntry[], string]>([
  [
    'an acknowledged write is lost',
    asked,
    log.slice(0, 2),
    'three was acknowledged at 3, where undefined is',
  ],
  ['an entry is missing', asked, log.filter(({ seq }) => seq !== 2), 'entry 3 stands where 2 is due'],
  ['an owner appends that was fenced off', asked, withEntry(2, { epoch: 0 }), 'epoch 0 at 3 is older'],
  ['a write is carried out twice', asked, withEntry(2, { key: 'one' }), 'one was carried out twice'],
  ['nobody asked for a write', asked, withEntry(1, { key: 'none' }), 'nobody asked for none'],
  [
    'a sum is told that never was',
    withAnswer(3, { told: { seq: 2, total: 13 } }),
    log,
    '13 was told as of 2, where it is 12',
  ],
  [
    'another write is acknowledged',
    withAnswer(4, { told: { seq: 2, total: 12 } }),
    log,
    'three was acknowledged at 2, where two is',
  ],
  [
    'a session goes back',
    withAnswer(5, { told: { seq: 1, total: 5 }, client: 0 }),
    log,
    'client 0 read 1 after 3 had been told',
  ],
  [
    'a read of another client is stale',
    withAnswer(5, { told: { seq: 2, total: 12 } }),
    log,
    'client 2 read 2 after 3 had been told',
  ],
  [
    'a write stands before what had been told',
    withAnswer(2, { begun: 55 }),
    log,
    'two was written at 2 after 3 had been told',
  ],
  [
    'an answer tells of what is yet to be asked for',
    withAnswer(1, { told: { seq: 2, total: 12 } }),
    log,
    'told of 2 before it was asked for',
  ],
])('%s: told', (_, answers, entries, sentence) => {
  expect(told(answers, entries)).toContain(sentence)
})

test('a shard is checked against its own log alone', () => {
  const elsewhere = asked.map((one) => ({ ...one, shard: 1 }))
  expect(brokenPromises(elsewhere, [[], log])).toEqual([])
  expect(brokenPromises(elsewhere, [log, log]).join('; ')).toContain('shard 0: nobody asked for one')
})
