// A shard of a node: its part of the configuration, where it answers, and what its end waits for.

import { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import type { FastifyReply } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { shardOf } from '../../../../src/cluster/shardOf.ts'
import { configurationOf, ShardHost } from '../../../../src/host/cluster/shardHost.ts'
import type { VenueConfiguration } from '../../../../src/host/configuration.ts'
import { EventStream } from '../../../../src/host/stream/eventStream.ts'

afterEach(() => void vi.useRealTimers())

test('every user with their accounts is on one shard, the one that their id names, and each has another seed', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.option(fc.string(), { nil: null }),
      (ids, shards, seed) => {
        const users = ids.map((id) => ({ id }))
        const accounts = [...ids, ...ids].map((userId, index) => ({ userId, id: index }))
        const whole = { seed, users, accounts, rateLimit: null } as unknown as VenueConfiguration
        const parts = Array.from({ length: shards }, (_, shard) => configurationOf(whole, shard, shards))
        for (const [shard, part] of parts.entries()) {
          expect(part.users).toEqual(users.filter(({ id }) => shardOf(id, shards) === shard))
          expect(part.accounts).toEqual(accounts.filter(({ userId }) => shardOf(userId, shards) === shard))
          expect(part.seed).toBe(seed === null ? null : `${seed}/${shard}`)
          expect({ ...part, seed, users, accounts }).toEqual(whole)
        }
        expect(parts.flatMap((part) => part.users).length).toBe(users.length)
        expect(parts.flatMap((part) => part.accounts).length).toBe(accounts.length)
      },
    ),
    { numRuns: 50 },
  )
})

/** A shard whose servers are heard, with what came to them. */
function shard({ operators = true, failure = null as Error | null } = {}) {
  const heard: string[] = []
  const injected: ((answer: unknown) => void)[] = []
  const app = (name: string) => {
    const server = new EventEmitter()
    server.on('request', () => heard.push(`request at ${name}`))
    server.on('upgrade', (_request, socket, rest) => heard.push(`upgrade at ${name}: ${socket} ${rest}`))
    const inject = (terms: object) => {
      heard.push(`injected at ${name}: ${JSON.stringify(terms)}`)
      return new Promise((resolve) => injected.push(resolve))
    }
    return { name, server, inject }
  }
  const engine = { failure }
  const venue = {
    engine,
    app: app('main'),
    operators: operators ? app('operators') : null,
    price: (market: string, price: bigint) => heard.push(`${market} at ${price}`),
    close: async () => void heard.push('closed'),
  }
  const quotas = { keeper: { stop: () => heard.push('keeper stopped') } }
  type Terms = ConstructorParameters<typeof ShardHost>
  const host = new ShardHost(3, venue as unknown as Terms[1], 7, quotas as unknown as Terms[3])
  return { host, heard, engine, injected }
}

const SENT = { method: 'POST', url: '/o', headers: { a: 'b' }, body: Buffer.alloc(0) }
const REQUEST = {} as IncomingMessage
const response = () => new ServerResponse(new IncomingMessage(new Socket()))

describe('answers', () => {
  test('where it was asked: the operators have an address of their own, or none', () => {
    for (const [operators, name] of [
      [true, 'operators'],
      [false, 'main'],
    ] as const) {
      const { host, heard } = shard({ operators })
      expect(host.epoch).toBe(7)
      host.serve(REQUEST, response(), 'main')
      host.serve(REQUEST, response(), 'operators')
      const upgrade = { socket: 'socket', rest: 'rest' } as unknown as Parameters<ShardHost['upgrade']>[1]
      host.upgrade(REQUEST, upgrade, 'operators')
      expect(heard).toEqual(['request at main', `request at ${name}`, `upgrade at ${name}: socket rest`])
    }
  })

  test('what the node has read already as it was asked, where it was asked', async () => {
    const { host, heard, injected } = shard()
    const answer = host.inject({ ...SENT, body: Buffer.from('b') }, 'operators')
    expect(heard).toEqual([
      `injected at operators: ${JSON.stringify({ method: 'POST', url: '/o', headers: { a: 'b' }, payload: Buffer.from('b') })}`,
    ])
    injected[0]?.('answer')
    expect(await answer).toBe('answer')
  })

  test('no price any more once it has failed', () => {
    const { host, heard, engine } = shard()
    host.price('m', 5n)
    expect(host.failed).toBe(false)
    engine.failure = new Error('stopped')
    expect(host.failed).toBe(true)
    host.price('m', 6n)
    expect(heard).toEqual(['m at 5'])
  })
})

describe('its end', () => {
  /** Ends it with this under way; for how many ms it waits, at most ten seconds. */
  async function waited(
    set: ReturnType<typeof shard>,
    after: (ms: number) => void = () => {},
  ): Promise<number> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    let isClosed = false
    const closing = set.host.close().then(() => {
      isClosed = true
    })
    let ms = 0
    for (; !isClosed && ms < 10_000; ms++) {
      after(ms)
      await vi.advanceTimersByTimeAsync(1)
    }
    await closing
    expect(set.heard.at(0)).toBe('keeper stopped')
    expect(set.heard.at(-1)).toBe('closed')
    return ms
  }

  /** With one request under way. */
  function busy() {
    const set = shard()
    const answer = response()
    set.host.serve(REQUEST, answer, 'main')
    set.heard.length = 0
    return { set, answer }
  }

  test('waits for what is under way, and no longer', async () => {
    const { set, answer } = busy()
    const ms = await waited(set, (now) => now === 40 && answer.emit('close'))
    expect(ms).toBeGreaterThanOrEqual(40)
    expect(ms).toBeLessThan(50)
  })

  test('waits for what the node asks itself', async () => {
    const set = shard()
    void set.host.inject(SENT, 'main')
    set.heard.length = 0
    const ms = await waited(set, (now) => now === 40 && set.injected[0]?.(null))
    expect(ms).toBeGreaterThanOrEqual(40)
    expect(ms).toBeLessThan(50)
  })

  test('waits five seconds at most', async () => {
    const ms = await waited(busy().set)
    expect(ms).toBeGreaterThanOrEqual(5_000)
    expect(ms).toBeLessThan(5_010)
  })

  test('waits for no stream, and for nothing once the shard has failed', async () => {
    const streaming = busy()
    new EventStream({ raw: streaming.answer, getHeaders: () => ({}), hijack: () => {} } as FastifyReply)
    expect(await waited(streaming.set)).toBeLessThan(5)
    const { set } = busy()
    set.engine.failure = new Error('stopped')
    expect(await waited(set)).toBeLessThan(5)
  })
})
