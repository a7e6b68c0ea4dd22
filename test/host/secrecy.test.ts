// What the log lines carry: request ids, methods, paths and statuses; never a key, a token or a query.

import { expect, test } from 'vitest'
import { raw } from './raw.ts'
import { ALICE, marketOrder, OPERATOR, startVenue } from './venue.ts'

test('no secret ever reaches the log', async () => {
  const lines: string[] = []
  const venue = await startVenue(undefined, {
    log: { level: 'debug', stream: { write: (line) => lines.push(line) } },
  })
  const made = await venue.post('/user/api-keys', { name: 'bot' }, { key: ALICE.session })
  await venue.get('/accounts/with-risk-status', { key: made.body.key })
  await venue.get(`/v2/markets?accountId=${ALICE.accountId}&key=${made.body.key}`)
  await venue.get('/operator/health', { key: OPERATOR })
  await venue.post('/orders', { ...marketOrder(), key: made.body.key })
  await venue.post('/orders', '{"broken', { headers: { 'x-idempotency-key': 'idempotency-secret' } })
  await venue.get('/nowhere', { key: 'mtk_wrong_but_secret' })
  await raw(venue.venue.url, `GARBAGE ${made.body.key}\r\n\r\n`)
  venue.venue.engine.stop(new Error('stopped for the test'))
  await venue.post('/orders', marketOrder(), { key: made.body.key })
  await venue.venue.close()

  const text = lines.join('')
  const secrets = [
    made.body.key,
    ALICE.key,
    ALICE.session,
    OPERATOR,
    'mtk_wrong_but_secret',
    'idempotency-secret',
  ]
  for (const secret of secrets) expect(text).not.toContain(secret)
  const records = lines.map((line) => JSON.parse(line))
  expect(records.some(({ reqId, req }) => reqId !== undefined && req?.path === '/v2/markets')).toBe(true)
  expect(records.some(({ msg }) => msg === 'the engine has stopped')).toBe(true)
})
