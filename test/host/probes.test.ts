// What a supervisor and a load balancer are told, without a token.

import { expect, test, vi } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { createServer } from '../../src/host/index.ts'
import { LongAnswer } from '../../src/host/longAnswer.ts'
import { openVenue } from '../../src/host/venue.ts'
import { CONFIGURATION, marketOrder, OPERATOR, startVenue } from './venue.ts'

test('a venue that runs is live and ready, for whoever asks', async () => {
  const venue = await startVenue()
  for (const key of [null, 'mtk_wrong']) {
    expect(await venue.get('/live', { key })).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await venue.get('/ready', { key })).toMatchObject({
      status: 200,
      body: { status: 'ok', reason: null },
    })
  }
  await venue.venue.close()
})

test('one whose engine has stopped is live and not ready, and says no more of why than other answers do', async () => {
  const venue = await startVenue()
  venue.venue.engine.stop(new Error('/secret/place is gone'))
  expect((await venue.get('/live', { key: null })).status).toBe(200)
  const { status, body } = await venue.get('/ready', { key: null })
  expect([status, body]).toEqual([
    503,
    { status: 'failed', reason: expect.stringContaining('The engine has stopped') },
  ])
  expect(body.reason).not.toContain('secret')
  await venue.venue.close().catch(() => {})
})

test('one that can only be read is not ready', async () => {
  const { engine, clock } = await openVenue(readConfiguration(Buffer.from(JSON.stringify(CONFIGURATION))))
  Object.defineProperty(engine, 'unwritable', { get: () => 'the disk of /secret/place is full' })
  const app = await createServer({ engine, clock })
  expect((await app.inject('/live')).statusCode).toBe(200)
  const answer = await app.inject('/ready')
  expect([answer.statusCode, answer.json().status]).toEqual([503, 'reading'])
  expect(answer.body).not.toContain('secret')
  await app.close()
})

test('a probe may ask for the head alone: status and headers of GET, and no body', async () => {
  const venue = await startVenue()
  const headOf = (path: string, key: string | null) => venue.call('HEAD', path, { key })
  for (const path of ['/live', '/ready', '/operator/health', '/operator/webhooks', '/openapi.json']) {
    const got = await venue.get(path, { key: OPERATOR })
    const { status, text, headers } = await headOf(path, OPERATOR)
    expect([path, status, text]).toEqual([path, 200, ''])
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect(headers.get(name), `${path} ${name}`).toBe(got.headers.get(name))
  }
  expect(await headOf('/operator/metrics', OPERATOR)).toMatchObject({ status: 200, text: '' })
  expect(await headOf('/operator/metrics', null)).toMatchObject({ status: 401, text: '' })
  venue.venue.engine.stop(new Error('gone'))
  expect((await headOf('/ready', null)).status).toBe(503)
  expect((await headOf('/operator/health', OPERATOR)).status).toBe(503)
  await venue.venue.close().catch(() => {})
})

test('of an answer that would be long no more is made than its head', async () => {
  const venue = await startVenue()
  for (let order = 0; order < 100; order++)
    await venue.post('/orders', marketOrder({ amount: '10000000000' }))
  const path = '/operator/commits?limit=999'
  const got = await venue.get(path, { key: OPERATOR })
  expect(got.text.length).toBeGreaterThan(65_536)
  const making = vi.spyOn(LongAnswer.prototype, '_read')
  const { status, text, headers } = await venue.call('HEAD', path, { key: OPERATOR })
  expect([status, text, headers.get('content-type')]).toEqual([200, '', got.headers.get('content-type')])
  expect((await venue.get('/live', { key: null })).status).toBe(200)
  expect(making).not.toHaveBeenCalled()
  making.mockRestore()
  await venue.venue.close()
})
