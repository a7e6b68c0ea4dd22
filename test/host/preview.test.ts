// What a platform command would do, as operators are shown it: nothing of it happens, and it is what the command then does.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PREVIEW_LIMITS } from '../../src/host/routes/preview.ts'
import { ERRORS } from '../../src/terms/errors.ts'
import {
  ALICE,
  BOB,
  BTC,
  CONFIGURATION,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue()
  await venue.post('/orders', marketOrder({ stopTriggerPrice: '48000000000000' }))
})
afterAll(() => venue.venue.close())

const operator = { key: OPERATOR }
const preview = (command: unknown) => venue.post('/operator/preview', command, operator)
const head = async () => (await venue.get('/operator/health', operator)).body.head

test.each<[string, () => Promise<object>, readonly string[]]>([
  [
    'a deposit',
    async () => ({ type: 'adjustBalance', accountId: ALICE.accountId, amount: '1' }),
    ['balanceAdjusted'],
  ],
  [
    'a price that reaches a stop',
    async () => ({ type: 'updatePrice', marketId: BTC.toUpperCase(), indexPrice: '47900000000000' }),
    ['priceUpdated', 'closePosition', 'orderExecuted'],
  ],
  [
    'a stopped account',
    async () => ({ type: 'stopAccount', accountId: BOB.accountId, reason: 'freeze' }),
    [],
  ],
])('%s: shown, not applied, and what it is when it is sent', async (_, command, types) => {
  const before = await head()
  const given = await command()
  const { status, body } = await preview(given)
  expect(status).toBe(200)
  expect(body).toMatchObject({ seq: before, result: 'accepted', error: null, message: null })
  const shown = body.events.map(({ type }: { type: string }) => type)
  for (const type of types) expect(shown).toContain(type)
  expect(await head()).toBe(before)
  for (const { was, would } of body.accounts)
    expect((await venue.get(`/operator/accounts/${was.accountId}`, operator)).body).toMatchObject(
      was ?? would,
    )
  const { body: sent } = await venue.post('/operator/commands', given, operator)
  expect(sent.results).toMatchObject([{ ok: true }])
  const { body: log } = await venue.get(`/operator/commits?from=${before + 1}`, operator)
  expect(log.data.flatMap(({ events }: { events: object[] }) => events)).toEqual(body.events)
  const { body: ledger } = await venue.get(`/operator/ledger?from=${before + 1}`, operator)
  expect(ledger.map(({ seq, at, ...posting }: { seq: number; at: string }) => posting)).toEqual(body.postings)
  for (const { accountId, would } of body.accounts)
    expect((await venue.get(`/operator/accounts/${accountId}`, operator)).body).toMatchObject(would)
})

test('what would be refused is told with its reason, and an id that was used before as well', async () => {
  const unknown = 'ffffffff-0000-4000-8000-000000000000'
  expect((await preview({ type: 'adjustBalance', accountId: unknown, amount: '1' })).body).toMatchObject({
    result: 'refused',
    error: 'account_not_found',
    message: expect.stringMatching(/account/),
    events: [],
    house: null,
  })
  const named = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1', commandId: 'once' }
  expect((await preview(named)).body.result).toBe('accepted')
  await venue.post('/operator/commands', named, operator)
  const { body } = await venue.get('/operator/commits?from=1&limit=1000', operator)
  const { seq, at } = body.data.at(-1)
  expect((await preview(named)).body).toMatchObject({
    ...{ result: 'repeated', seq, events: [], error: null },
    at: new Date(at).toISOString(),
  })
})

test('time is shown to its end, without a step of the clock', async () => {
  const before = await head()
  const { body } = await preview({ type: 'advanceTime', ms: 86_400_000 })
  expect(body.result).toBe('accepted')
  expect(body.at).toBe('2026-01-06T00:10:00.000Z')
  expect(body.events.map(({ type }: { type: string }) => type)).toContain('dayStarted')
  expect(await head()).toBe(before)
})

test('a malformed command is told where, and nobody but operators is shown anything', async () => {
  for (const [command, path, fault] of [
    [{ type: 'print' }, 'type', 'is "print"; expected: "updatePrice", '],
    [
      { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1.5' },
      'amount',
      'is "1.5"; expected: an fp9 integer as a string, such as "10000000000000" for 10000 USD.',
    ],
    [[{ type: 'advanceTime', ms: 1 }], 'body', 'is a list; expected: an object.'],
    ['text', 'body', 'is not JSON.'],
  ] as const) {
    const { body } = await preview(command)
    expect(body).toMatchObject({ error: 'validation_failed', details: [path] })
    expect(body.message).toContain(`${ERRORS.validation_failed.meaning} ${path}: ${fault}`)
  }
  const command = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1' }
  expect((await venue.post('/operator/preview', command)).status).toBe(401)
})

test('a command that concerns too many is not tried, and says so', async () => {
  const accounts = Array.from({ length: PREVIEW_LIMITS.records + 1 }, (_, at) => ({
    ...CONFIGURATION.accounts[0],
    id: `a0000000-0000-4000-9000-${String(at).padStart(12, '0')}`,
  }))
  const crowded = await startVenue({
    ...CONFIGURATION,
    accounts: [...CONFIGURATION.accounts, ...accounts] as never,
  })
  const { body } = await crowded.post('/operator/preview', { type: 'advanceTime', ms: 1 }, operator)
  expect(body).toMatchObject({
    result: 'unknown',
    message: expect.stringMatching(/more than 300/),
    events: [],
  })
  await crowded.venue.close()
})

test('time that goes by itself is advanced by nobody, which a preview says as well, and of that alone', async () => {
  const ticking = await startVenue({ ...CONFIGURATION, clock: { mode: 'system' } })
  const both = async (command: object) => {
    const { body } = await ticking.post('/operator/preview', command, operator)
    const { body: sent } = await ticking.post('/operator/commands', command, operator)
    return { shown: body, sent: sent.results?.[0] ?? sent }
  }
  const advance = await both({ type: 'advanceTime', ms: 1 })
  expect(advance.shown).toMatchObject({ result: 'refused', error: 'validation_failed', events: [] })
  expect(advance.sent).toMatchObject({ error: advance.shown.error, message: advance.shown.message })
  const deposit = await both({ type: 'adjustBalance', accountId: ALICE.accountId, amount: '1' })
  expect(deposit).toMatchObject({ shown: { result: 'accepted' }, sent: { ok: true } })
  await ticking.venue.close()
})
