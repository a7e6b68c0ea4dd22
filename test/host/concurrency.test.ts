// 200 connections at once on shared accounts: the ledger stays whole and every answer is what the log says.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Commit } from '../../src/events/commit.ts'
import { expectDocumented } from './documented.ts'
import {
  ALICE,
  type Answer,
  account,
  BOB,
  CONFIGURATION,
  limitOrder,
  marketOrder,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

const CONNECTIONS = 200
const ROUNDS = 3
const SHARED = [
  { ...ALICE },
  { ...ALICE, accountId: 'a0000000-0000-4000-8000-0000000000a2' },
  { ...BOB },
  { ...BOB, accountId: 'a0000000-0000-4000-8000-0000000000b2' },
]

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue({
    ...CONFIGURATION,
    rateLimit: null,
    accounts: SHARED.map((trader) => account(trader, { balance: '3000000000000' })),
  })
})
afterAll(() => venue.venue.close())

interface Placement {
  readonly key: string
  readonly answer: Answer
}
const placements: Placement[] = []
const canceled: string[] = []
const edited: { from: string; to: string }[] = []

/** A small deterministic draw: worker, round and purpose decide. */
const draw = (worker: number, round: number, choices: number) => (worker * 7_919 + round * 104_729) % choices

async function work(worker: number): Promise<void> {
  const trader = SHARED[worker % SHARED.length] as (typeof SHARED)[number]
  const { accountId, key } = trader
  const by = { key }
  for (let round = 0; round < ROUNDS; round++) {
    const order =
      draw(worker, round, 2) === 0
        ? marketOrder({ accountId, amount: '100000000000', direction: worker % 3 ? 'long' : 'short' })
        : limitOrder({ accountId, amount: '50000000000' })
    const idempotent = { key, headers: { 'x-idempotency-key': `${worker}-${round}` } }
    const answers = await Promise.all([
      venue.post('/orders', order, idempotent),
      venue.post('/orders', order, idempotent),
    ])
    for (const answer of answers) placements.push({ key: `${worker}-${round}`, answer })
    answers.push(await venue.get(`/orders/${accountId}/active`, by))
    const resting = answers.at(-1)?.body as { id: string }[]
    const chosen = resting[draw(worker, round, Math.max(resting.length, 1))]
    if (chosen !== undefined && draw(worker, round, 3) === 0) {
      const cancel = await venue.delete(`/orders/${chosen.id}`, by)
      answers.push(cancel)
      if (cancel.status === 200) canceled.push(chosen.id)
    } else if (chosen !== undefined) {
      const edit = await venue.patch(`/orders/${chosen.id}`, { amount: '60000000000' }, by)
      answers.push(edit)
      if (edit.status === 200) edited.push({ from: chosen.id, to: edit.body.id })
    }
    const positions = await venue.get(`/positions/${accountId}/active`, by)
    answers.push(positions)
    const position = positions.body[0]
    if (position !== undefined && draw(worker, round, 4) === 0)
      answers.push(await venue.patch(`/positions/${position.idx}/margin`, { marginChange: '1000000000' }, by))
    if (draw(worker, round, 11) === 0)
      answers.push(await venue.post(`/positions/${accountId}/close-all`, undefined, by))
    if (worker === 0)
      await venue.tick(String(50_000_000_000_000n + BigInt(draw(worker, round, 100)) * 1_000_000_000n))
    for (const { status, text } of answers) expectDocumented(status, text)
  }
}

test('no balance below zero, exact conservation, nothing lost or doubled', async () => {
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, worker) => work(worker)))
  const { engine } = venue.venue
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)

  const { free, reserve, margin, house } = engine.read.ledger()
  expect(free + reserve + margin + house).toBe(0n)
  for (const { accountId } of SHARED)
    expect(engine.read.riskStatus(accountId)?.freeBalance).toBeGreaterThanOrEqual(0n)

  // Every order answered with 201 was placed exactly once, under its key; nothing else was placed by traders.
  const placed = new Map<string, string[]>()
  for (const { command, events } of commits)
    if (command.type === 'placeOrder') {
      const key = command.idempotencyKey as string
      const ids = events.flatMap((event) =>
        event.type === 'orderPlaced' && event.parentOrderId === null ? [event.orderId] : [],
      )
      placed.set(key, [...(placed.get(key) ?? []), ids[0] as string])
    }
  for (const ids of placed.values()) expect(ids).toHaveLength(1)
  const answered = new Map<string, Set<string>>()
  for (const { key, answer } of placements)
    if (answer.status === 201) answered.set(key, (answered.get(key) ?? new Set()).add(answer.text))
  expect(new Set(answered.keys())).toEqual(new Set(placed.keys()))
  for (const [key, texts] of answered)
    expect([...texts].map((text) => JSON.parse(text).id)).toEqual(placed.get(key))

  // Every cancel and edit that was answered is in the log, once.
  const ended = commits.flatMap(({ command, events }) =>
    events.flatMap((event) =>
      (command.type === 'cancelOrder' && event.type === 'orderCanceled') || event.type === 'orderReplaced'
        ? [event.orderId]
        : [],
    ),
  )
  expect([...canceled, ...edited.map(({ from }) => from)].sort()).toEqual(ended.sort())
  expect(canceled.length).toBeGreaterThan(20)
  expect(edited.length).toBeGreaterThan(20)
  expect(placements.filter(({ answer }) => answer.status === 201).length).toBeGreaterThan(200)
  expect((await engine.asOf(engine.head)).stateHash()).toBe(engine.stateHash())
})
