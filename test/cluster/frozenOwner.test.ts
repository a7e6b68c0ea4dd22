// An owner that takes connections and says nothing, as one that is frozen does.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forward } from '../../src/host/cluster/forward.ts'
import { dial } from '../../src/host/cluster/socketRelay.ts'

const SENT = { method: 'POST', url: '/orders', headers: {}, body: Buffer.alloc(0) }
let owner: Server
let port: number
let asked: ServerResponse[]

beforeEach(async () => {
  asked = []
  owner = createServer((_, response) => asked.push(response))
  // It takes the handshake and says nothing either.
  owner.on('upgrade', () => {})
  owner.listen(0, '127.0.0.1')
  await once(owner, 'listening')
  port = (owner.address() as AddressInfo).port
})
afterEach(() => {
  owner.closeAllConnections()
  owner.close()
})

/** The shard is the owner's at so many looks, and then it is not; null = always. */
function watch(looks: number | null) {
  let looked = 0
  return { everyMs: 5, isGone: () => looks !== null && looked++ >= looks, looked: () => looked }
}

test('a request is given up once its owner has been gone at two looks, and nobody knows what came of it', async () => {
  const watched = watch(3)
  expect(await forward(`http://127.0.0.1:${port}`, 'secret', 0, SENT, watched)).toBe('unknown')
  expect(watched.looked()).toBe(5)
  expect(asked).toHaveLength(1)
})

test('an owner that is gone for a look and answers then is heard', async () => {
  let looks = 0
  const isGone = () => {
    looks += 1
    if (looks === 3) asked[0]?.end('late')
    return looks === 2
  }
  const forwarded = await forward(`http://127.0.0.1:${port}`, 'secret', 0, SENT, { everyMs: 5, isGone })
  expect(forwarded).toMatchObject({ answer: { statusCode: 200 } })
})

test('a handshake that is not answered is one that was never made', async () => {
  expect(await dial(`ws://127.0.0.1:${port}`, {}, 421, 50)).toBe('untouched')
})
