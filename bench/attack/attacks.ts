// What a hostile client can think of. Each attack goes on until it is told to stop, over loopback, with so many connections
// and no more.

import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ATTACKER, MARKET, OPERATOR } from './venue.ts'

export interface Target {
  readonly url: string
  /** The attacker's position with 20,000 events. */
  readonly positionId: string
}

export interface Attack {
  readonly name: string
  readonly run: (target: Target, until: AbortSignal) => Promise<void>
}

const CONNECTIONS = 20
const PIPELINED = 2_000

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const attacker = bearer(ATTACKER.session)
const orders = `/orders/${ATTACKER.accountId}/active`
const events = ({ positionId }: Target) => `/positions/${positionId}/history`

/** Asks again and again over many connections, and reads everything. */
function busily(
  method: string,
  path: (target: Target) => string,
  terms: (n: number) => { readonly headers?: Record<string, string>; readonly body?: object },
): Attack['run'] {
  return async (target, until) => {
    const agent = new Agent({ keepAlive: true })
    let n = 0
    const ask = () => {
      const { headers = {}, body } = terms(n++)
      const json = body === undefined ? '' : JSON.stringify(body)
      const type = body !== undefined && { 'content-type': 'application/json' }
      return new Promise<void>((resolve) => {
        const sent = request(
          `${target.url}${path(target)}`,
          { method, agent, headers: { ...attacker, ...type, ...headers } },
          (response) => response.resume().once('close', resolve),
        )
        sent.once('error', () => resolve())
        sent.end(json)
      })
    }
    const client = async () => {
      while (!until.aborted) await ask()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
    agent.destroy()
  }
}

/** Writes the same bytes as often as it may on connections it never reads, and comes again when it is cut off. */
function deafly(bytes: (target: Target) => string, most = PIPELINED): Attack['run'] {
  return async (target, until) => {
    const client = async () => {
      while (!until.aborted) {
        const socket = silent(target)
        for (let n = 0; n < most && !socket.destroyed && !until.aborted; n++)
          if (!socket.write(bytes(target))) await sleep(5)
        while (!socket.destroyed && !until.aborted) await sleep(20)
        socket.destroy()
        await sleep(10)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
  }
}

function silent({ url }: Target): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
    .on('error', () => {})
    .pause()
}

function text(line: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: 'venue', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Opens many connections, each with half a request. */
const slowly: Attack['run'] = async (target, until) => {
  const sockets = Array.from({ length: 500 }, () => silent(target))
  const half = text('POST /orders', { ...attacker, 'content-length': '60000' })
  for (const socket of sockets) socket.write(half)
  while (!until.aborted) {
    for (const socket of sockets) socket.write(' ')
    await sleep(100)
  }
  for (const socket of sockets) socket.destroy()
}

const marketOrder = (amount: string) => ({
  accountId: ATTACKER.accountId,
  marketId: MARKET,
  type: 'market',
  direction: 'long',
  amount,
  leverage: '5000000000',
})

const nothing = () => ({})

export const ATTACKS: readonly Attack[] = [
  { name: 'quiet', run: async () => {} },
  { name: 'lists of 500 orders', run: busily('GET', () => orders, nothing) },
  { name: 'lists of 500 orders, unread', run: deafly(() => text(`GET ${orders}`, attacker)) },
  { name: '20,000 events of a position', run: busily('GET', events, nothing) },
  { name: '20,000 events, unread', run: deafly((target) => text(`GET ${events(target)}`, attacker)) },
  {
    name: 'margin of that position',
    run: busily(
      'PATCH',
      ({ positionId }) => `/positions/${positionId}/margin`,
      () => ({
        body: { marginChange: '1' },
      }),
    ),
  },
  {
    name: 'orders under long new keys',
    run: busily(
      'POST',
      () => '/orders',
      (n) => ({
        headers: { 'x-idempotency-key': `${n}`.padStart(255, 'k') },
        body: marketOrder('100000000000'),
      }),
    ),
  },
  {
    name: 'API keys made',
    run: busily(
      'POST',
      () => '/user/api-keys',
      (n) => ({ body: { name: `key ${n}` } }),
    ),
  },
  {
    name: 'bad tokens',
    run: busily(
      'GET',
      () => orders,
      (n) => ({ headers: bearer(`mtk_${n}`) }),
    ),
  },
  { name: '500 slow bodies', run: slowly },
  {
    name: 'heads of 15 KB',
    run: deafly(() => text(`GET ${orders}`, { ...attacker, filler: 'x'.repeat(15_000) })),
  },
  {
    name: 'the whole log, unread',
    run: deafly(() => text('GET /operator/commits?limit=999999', bearer(OPERATOR)), 20),
  },
  {
    name: 'ticks that fire 500 orders',
    run: async (target, until) => {
      const prices = ['40000000000000', '50000000000000']
      const tick = busily(
        'POST',
        () => '/operator/commands',
        (n) => ({
          headers: bearer(OPERATOR),
          body: { type: 'updatePrice', marketId: MARKET, indexPrice: prices[n % 2] as string },
        }),
      )
      await tick(target, until)
    },
  },
]
