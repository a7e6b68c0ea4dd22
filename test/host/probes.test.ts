// What a supervisor and a load balancer are told, without a token.

import { expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { createServer } from '../../src/host/index.ts'
import { openVenue } from '../../src/host/venue.ts'
import { CONFIGURATION, startVenue } from './venue.ts'

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
