// What a client waits out, and what it does not: never what could be done twice.

import { execFile } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  ApiError,
  type ClientOptions,
  MarginTradingClient,
  VenueUnreachable,
} from '../../../src/client/index.ts'
import { runs } from '../../properties/runs.ts'

const ORDER = {} as Parameters<MarginTradingClient['placeOrder']>[0]
const CHANGE = 'PATCH /positions/p/margin'

type Answer = Response | 'lost'

/** What calls come to when the venue answers with these in turn, and done from then on. */
function against(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const left = [...answers]
  const waits: string[] = []
  const keys: unknown[] = []
  const client = new MarginTradingClient({
    baseUrl: 'http://venue/',
    token: 'key',
    retry: { wait: async () => {}, onWait: (ms, why) => waits.push(`${ms} ${why}`) },
    fetch: async (_, init) => {
      keys.push(new Headers(init?.headers).get('x-idempotency-key'))
      const answer = left.shift() ?? Response.json([])
      if (answer === 'lost') throw new TypeError('fetch failed')
      return answer
    },
    ...options,
  })
  return { client, waits, keys }
}

const refused = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json({ statusCode: status, error, message: 'No.' }, { status, headers })
const limited = (headers: Record<string, string> = {}) => refused(429, 'api_key_rate_limit_exceeded', headers)
const known = () => Response.json([])

test.each([2 ** 31 - 1, 2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY])(
  'whoever waits %s ms for an answer waits as long as it takes',
  async (answerMs) => {
    const { client } = against([], {
      retry: { answerMs },
      fetch: (_, init) =>
        new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          setTimeout(() => resolve(known()), 20)
        }),
    })
    expect(await client.accounts()).toEqual([])
  },
)

describe('a rate limit', () => {
  test('is waited out for as long as the venue says, a second where it names no seconds', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    const named = ['3', undefined, date, '-3'].map((after) =>
      limited(after === undefined ? {} : { 'retry-after': after }),
    )
    const { client, waits } = against(named)
    expect(await client.accounts()).toEqual([])
    expect(waits).toEqual([3_000, 1_000, 1_000, 1_000].map((ms) => `${ms} rate limited`))
  })

  test('is waited out by changes too, because nothing was done', async () => {
    const { client, keys } = against([limited()])
    await client.changeMargin('p', '1')
    expect(keys).toHaveLength(2)
  })

  test('that does not end is told after as many requests as were asked for', async () => {
    for (const attempts of [1, 3, 5]) {
      const { client, keys } = against(
        Array.from({ length: 6 }, () => limited({ 'retry-after': '1' })),
        {
          retry: { attempts, wait: async () => {} },
        },
      )
      await expect(client.accounts()).rejects.toMatchObject({ statusCode: 429, retryAfter: 1 })
      expect(keys).toHaveLength(attempts)
    }
  })

  test('is thrown at once where no patience was asked for', async () => {
    let asked = 0
    const fetch = async () => {
      asked += 1
      return limited()
    }
    const bare = new MarginTradingClient({ baseUrl: 'http://venue', token: 'key', fetch })
    await expect(bare.accounts()).rejects.toMatchObject({ code: 'api_key_rate_limit_exceeded' })
    expect(asked).toBe(1)
  })
})

test('an order whose first request is still being written is waited for, another conflict is not', async () => {
  const { client, waits } = against([refused(409, 'idempotency_key_in_flight')])
  await client.placeOrder(ORDER, { idempotencyKey: 'once' })
  expect(waits).toEqual(['1000 the order is being placed'])
  await expect(against([refused(409, 'order_not_active')]).client.cancelOrder('o')).rejects.toMatchObject({
    code: 'order_not_active',
  })
})

describe('a lost connection', () => {
  test('is waited out by readings, and by orders under the key they had', async () => {
    const { client, waits, keys } = against([
      known(),
      'lost',
      'lost',
      known(),
      refused(503, 'engine_stopped'),
      'lost',
    ])
    await client.accounts()
    await client.accounts()
    expect(waits).toEqual([1_000, 2_000].map((ms) => `${ms} http://venue cannot be reached`))
    await client.placeOrder(ORDER, { idempotencyKey: 'once' })
    expect(keys.slice(4)).toEqual(['once', 'once', 'once'])
  })

  test('to a venue that has never answered is not waited out', async () => {
    const { client, waits } = against(['lost'])
    await expect(client.accounts()).rejects.toThrow('http://venue cannot be reached')
    expect(waits).toEqual([])
  })

  test('leaves open what became of a change that cannot be asked for twice', async () => {
    const { client, keys } = against([known(), 'lost'])
    await client.accounts()
    const asked = client.changeMargin('p', '1')
    await expect(asked).rejects.toBeInstanceOf(VenueUnreachable)
    await expect(asked).rejects.toMatchObject({
      message: `http://venue cannot be reached; whether ${CHANGE} was done is not known`,
      request: CHANGE,
    })
    expect(keys).toHaveLength(2)
  })

  test('is one that ends within its answer, and one that says nothing for too long', async () => {
    const cut = () =>
      new Response(new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) }))
    const { client, waits } = against([known(), cut()])
    await client.accounts()
    await client.accounts()
    expect(waits).toEqual(['1000 http://venue cannot be reached'])
    const hangs = new MarginTradingClient({
      baseUrl: 'http://venue',
      token: 'key',
      retry: { answerMs: 10 },
      fetch: (_, init) =>
        new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('late')))),
    })
    await expect(hangs.accounts()).rejects.toBeInstanceOf(VenueUnreachable)
  })
})

/** Gives patience up after so many ms of the test's clock. @returns what the request came to, and how often it was sent, then and later. */
async function givenUpAfter(ms: number, answer: () => Promise<Response> | Response) {
  const giveUp = new AbortController()
  let sent = 0
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent += 1
    if (sent === 1) return new Response('[]')
    return Promise.race([
      answer(),
      new Promise<never>((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      ),
    ])
  }
  const retry = { attempts: 9, giveUp: giveUp.signal }
  const client = new MarginTradingClient({ baseUrl: 'http://venue', token: 'key', fetch, retry })
  await client.accounts()
  let ended: unknown = null
  client.accounts().catch((error) => {
    ended = error
  })
  await vi.advanceTimersByTimeAsync(ms)
  giveUp.abort()
  return { ended: () => ended, sent: () => sent - 1 }
}

test('once patience is given up an answer that is out has three seconds more, and nothing is sent again', async () => {
  vi.useFakeTimers()
  try {
    const { ended, sent } = await givenUpAfter(7_000, () => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(2_999)
    expect(ended()).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended()).toBeInstanceOf(VenueUnreachable)
    await vi.advanceTimersByTimeAsync(200_000)
    expect(sent()).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

test('once patience is given up a wait ends in what it waited for', async () => {
  vi.useFakeTimers()
  try {
    const away = () => new Response('', { status: 503 })
    const { ended, sent } = await givenUpAfter(1_500, away)
    expect(sent()).toBe(2)
    await vi.advanceTimersByTimeAsync(200_000)
    expect(ended()).toMatchObject({ statusCode: 503 })
    expect(sent()).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

test('a request is lost after half a minute without an answer, and not a millisecond before', async () => {
  vi.useFakeTimers()
  try {
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    let lost: unknown = null
    new MarginTradingClient({ baseUrl: 'http://venue', token: 'key', fetch }).accounts().catch((error) => {
      lost = error
    })
    await vi.advanceTimersByTimeAsync(29_999)
    expect(lost).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(lost).toBeInstanceOf(VenueUnreachable)
  } finally {
    vi.useRealTimers()
  }
})

test('whatever a venue answers, what may not be done twice is sent again after a rate limit alone', async () => {
  const answer = fc.constantFrom('lost', 200, 400, 409, 429, 500, 502, 503, 504)
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 8 }), fc.boolean(), async (kinds, isKeyed) => {
      const answers = kinds.map((kind) =>
        kind === 'lost' ? kind : kind === 200 ? known() : refused(kind as number, 'some_code'),
      )
      const { client, keys } = against([known(), ...answers])
      await client.accounts()
      const placed = client.placeOrder(ORDER, isKeyed ? { idempotencyKey: 'once' } : {})
      const isDone = await placed.then(
        () => true,
        () => false,
      )
      const passing = isKeyed ? ['lost', 429, 502, 503, 504] : [429]
      const sent = [...kinds, 200].findIndex((kind) => !passing.includes(kind)) + 1
      expect(keys.length - 1).toBe(Math.min(sent, 5))
      expect(isDone).toBe(sent <= 5 && [...kinds, 200][sent - 1] === 200)
    }),
    runs(100),
  )
})

describe('an order that is to be sent within a time', () => {
  const within = (withinMs: number) => ({ idempotencyKey: 'own', withinMs })

  test('waits no longer than that in all, whatever it waits for', async () => {
    for (const [ms, waited] of [
      [0, []],
      [2_999, [1_000]],
      [3_500, [1_000, 2_000]],
      [60_000, [1_000, 2_000, 4_000, 8_000]],
    ] as const) {
      const { client, waits } = against([known(), ...Array.from({ length: 6 }, () => 'lost' as const)])
      await client.accounts()
      await expect(client.placeOrder(ORDER, within(ms))).rejects.toThrow(VenueUnreachable)
      expect(waits.map((wait) => Number.parseInt(wait, 10))).toEqual(waited)
    }
    const { client, waits } = against([limited({ 'retry-after': '5' }), limited({ 'retry-after': '5' })])
    await expect(client.placeOrder(ORDER, within(9_000))).rejects.toMatchObject({ statusCode: 429 })
    expect(waits).toEqual(['5000 rate limited'])
  })

  test('may have been placed: what is asked under its key is no order, and tells', async () => {
    const order = { id: 'placed' }
    const bodies: unknown[] = []
    const answers = [Response.json(order), refused(400, 'validation_failed'), refused(401, 'session_expired')]
    const client = new MarginTradingClient({
      baseUrl: 'http://venue',
      token: 'key',
      fetch: async (_, init) => {
        bodies.push(init?.body)
        return answers.shift() as Response
      },
    })
    expect(await client.placedUnder('own')).toEqual(order)
    expect(await client.placedUnder('own')).toBeNull()
    await expect(client.placedUnder('own')).rejects.toMatchObject({ code: 'session_expired' })
    expect(bodies).toEqual(['{}', '{}', '{}'])
  })
})

test('an order without a key gets one where keys are made, the same for each time it is sent', async () => {
  let made = 0
  const { client, keys } = against([known(), 'lost', limited()], { newIdempotencyKey: () => `key ${++made}` })
  await client.accounts()
  await client.placeOrder(ORDER)
  await client.placeOrder(ORDER)
  await client.placeOrder(ORDER, { idempotencyKey: 'own' })
  expect(keys.slice(1)).toEqual(['key 1', 'key 1', 'key 1', 'key 2', 'own'])
})

test('an error says code, status, what was asked and the id of its request', async () => {
  const { client } = against([refused(400, 'invalid_leverage', { 'x-request-id': 'req-7' })])
  const asked = client.placeOrder(ORDER)
  await expect(asked).rejects.toBeInstanceOf(ApiError)
  await expect(asked).rejects.toMatchObject({
    code: 'invalid_leverage',
    statusCode: 400,
    request: 'POST /orders',
    requestId: 'req-7',
    retryAfter: null,
  })
})

test.each([
  ['no JSON', new Response('<html>', { status: 200 }), 200],
  ['JSON without a code', Response.json({ oops: true }, { status: 500 }), 500],
  ['null', Response.json(null, { status: 418 }), 418],
])('%s is an unexpected answer', async (_, response, statusCode) => {
  const { client } = against([response])
  await expect(client.accounts()).rejects.toMatchObject({
    code: 'unexpected_answer',
    statusCode,
    requestId: null,
  })
})

test('a venue that closes every connection without a word is told, and the program does not end for it', async () => {
  const silent = createServer((socket) => {
    socket.on('error', () => {})
    socket.destroy()
  })
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const client = path.resolve(import.meta.dirname, '../../../src/client/index.ts')
  const program = `
    import { MarginTradingClient } from ${JSON.stringify(client)}
    const client = new MarginTradingClient({ baseUrl: '${baseUrl}', token: 'key', retry: { answerMs: 300 } })
    console.log(await client.accounts().catch(({ name }) => name))`
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  silent.close()
  expect(stdout.trim()).toBe('VenueUnreachable')
})
