// What a hostile client can think of. Each attack goes on until it is told to stop, over loopback, with so many connections
// and no more.

import {
  type Answer,
  briefly,
  busily,
  CONNECTIONS,
  clients,
  deafly,
  eagerly,
  hastily,
  type Request,
  type Run,
  silently,
  slowly,
  sluggishly,
  type Target,
  text,
} from './attacker.ts'
import { ATTACKER, MARKET, OPERATOR, READER, TRAILER } from './parties.ts'

export interface Attack {
  readonly name: string
  readonly run: Run
  /** What it has to be answered to be the attack that it is meant to be; default: 200 alone. 0: it is cut off. */
  readonly meant?: readonly number[]
  /** The victim connects anew for everything it asks; default: it keeps its connection. */
  readonly anew?: true
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const headers = bearer(ATTACKER.session)
const { accountId } = ATTACKER
const orders = `/orders/${accountId}/active`
const events = ({ positionId }: Target) => `/positions/${positionId}/history`
const commits = '/operator/commits?from=1&limit=999999'

/** Every list that a trader can ask for, at its longest. */
const lists = (target: Target) => [
  orders,
  `/orders/${accountId}/BTC/active`,
  `/orders/${accountId}/BTC/history?limit=100`,
  `/positions/${accountId}/active`,
  `/positions/${accountId}/BTC/history?limit=100`,
  `/positions/${accountId}/portfolio/history?limit=100`,
  events(target),
  '/accounts/with-risk-status',
  `/v2/markets?accountId=${accountId}`,
  '/user/api-keys',
]
const list = (target: Target, n: number) => lists(target)[n % lists(target).length] as string

const get = (path: string): Request => ({ method: 'GET', path, headers })
const post = (path: string, body?: object, more = {}): Request => ({
  method: 'POST',
  path,
  headers: { ...headers, ...more },
  ...(body !== undefined && { body }),
})

const order = (terms: object) => ({ accountId, marketId: MARKET, direction: 'long', ...terms })
const market = order({ type: 'market', amount: '100000000000', leverage: '5000000000' })
const limit = order({
  type: 'limit',
  amount: '100000000000',
  leverage: '5000000000',
  triggerPrice: '40000000000000',
})

/** JSON of nearly as many bytes as a request may have, of the form that it should have but for one field. */
const largeBody = JSON.stringify({ ...market, filler: Array.from({ length: 8_000 }, (_, n) => n) })

const asReader = (path: string): Request => ({
  method: 'GET',
  path: `/operator/${path}`,
  headers: bearer(READER),
})
/** Another commit each time, behind the 20,000 of the position. */
const past = (n: number) => `accountId=${accountId}&seq=${20_000 + (n % 5_000)}`

const idOf = ({ text }: Answer) => (JSON.parse(text) as { readonly id: string }).id

/** Trailing stops of another account, each edited in its turn: an edit makes another order of it. */
function editing(): Run {
  let ids: Promise<string[]> | null = null
  let turn = 0
  return clients(async (ask) => {
    ids ??= ask(get(`/orders/${TRAILER.accountId}/active`)).then(({ text }) =>
      (JSON.parse(text) as { readonly id: string }[]).map(({ id }) => id),
    )
    const all = await ids
    const place = turn++ % all.length
    const body = { amount: String(1_000 + (turn % 1_000)) }
    const edited = await ask({ method: 'PATCH', path: `/orders/${all[place]}`, headers, body })
    if (edited.status === 200) all[place] = idOf(edited)
  })
}

/** Lets 500 orders rest, has an operator's tick fire them all and another take the price back, and closes what they opened. */
function firing(): Run {
  const { spareId } = TRAILER
  const resting = { ...limit, accountId: spareId, triggerPrice: '49500000000000' }
  const tick = (indexPrice: string): Request => ({
    method: 'POST',
    path: '/operator/commands',
    headers: bearer(OPERATOR),
    body: { type: 'updatePrice', marketId: MARKET, indexPrice },
  })
  return clients(async (ask) => {
    const some = async () => {
      for (let n = 0; n < 500 / CONNECTIONS; n++) await ask(post('/orders', resting))
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, some))
    await ask(tick('49400000000000'))
    const left = await ask(get(`/orders/${spareId}/active`))
    if (left.text !== '[]') throw new Error(`the tick fired less than all: ${left.text.slice(0, 200)}`)
    await ask(tick('50000000000000'))
    await ask(post(`/positions/${spareId}/close-all`))
  }, 1)
}

/** A stream that wants to be told of the last 9,999 commits. */
async function resuming({ url }: Target): Promise<string> {
  const health = await fetch(`${url}/operator/health`, { headers: bearer(OPERATOR) })
  const { head } = (await health.json()) as { readonly head: number }
  return text(`GET /stream?from=${Math.max(head - 9_999, 0)}`, headers)
}

export const ATTACKS: readonly Attack[] = [
  { name: 'nothing: the victim alone', run: async () => ({ words: '', answers: new Map() }) },
  { name: 'lists of 500 orders', run: busily(() => get(orders)) },
  { name: 'lists of 500 orders, unread', run: deafly(() => text(`GET ${orders}`, headers)) },
  { name: '20,000 events of a position', run: busily((target) => get(events(target))) },
  { name: '20,000 events, unread', run: deafly((target) => text(`GET ${events(target)}`, headers)) },
  { name: 'every list', run: busily((target, n) => get(list(target, n))) },
  { name: 'every list, unread', run: deafly((target, n) => text(`GET ${list(target, n)}`, headers)) },
  {
    name: 'every list, read in sips',
    run: sluggishly((target, n) => text(`GET ${list(target, n)}`, headers)),
  },
  {
    name: 'margin of that position',
    run: busily(({ positionId }) => ({
      method: 'PATCH',
      path: `/positions/${positionId}/margin`,
      headers,
      body: { marginChange: '1' },
    })),
  },
  {
    name: 'orders under long new keys',
    meant: [201],
    run: busily((_, n) => post('/orders', market, { 'x-idempotency-key': `${n}`.padStart(255, 'k') })),
  },
  {
    name: 'pipelined orders',
    run: eagerly(() => text('POST /orders', headers, JSON.stringify(market))),
    meant: [201],
  },
  {
    name: 'orders placed and cancelled',
    meant: [200, 201],
    run: clients(async (ask) => {
      const placed = await ask(post('/orders', { ...limit, accountId: TRAILER.spareId }))
      if (placed.status === 201) await ask({ method: 'DELETE', path: `/orders/${idOf(placed)}`, headers })
    }),
  },
  {
    name: 'close-all over 500 orders',
    meant: [200, 201],
    run: clients(async (ask) => {
      for (let n = 0; n < 500 / CONNECTIONS; n++)
        await ask(post('/orders', { ...limit, accountId: TRAILER.spareId }))
      await ask(post(`/positions/${TRAILER.spareId}/close-all`))
    }),
  },
  { name: 'edits of 450 trailing stops', run: editing() },
  {
    name: 'API keys made, too many',
    run: busily((_, n) => post('/user/api-keys', { name: `key ${n}` })),
    meant: [201, 400],
  },
  {
    name: 'API keys made and deleted',
    meant: [200, 201],
    run: clients(async (ask) => {
      const made = await ask(post('/user/api-keys', { name: 'a key' }))
      if (made.status === 201) await ask({ method: 'DELETE', path: `/user/api-keys/${idOf(made)}`, headers })
    }, 15),
  },
  {
    name: 'bad tokens',
    meant: [401],
    run: busily((_, n) => ({ method: 'GET', path: orders, headers: bearer(`mtk_${n}`) })),
  },
  {
    name: 'wrong operator tokens',
    meant: [401, 429],
    run: busily((_, n) => ({ method: 'GET', path: '/operator/health', headers: bearer(`op_${n}`) })),
  },
  {
    name: 'bodies of 60 KB that are refused',
    meant: [400],
    run: busily(() => ({ method: 'POST', path: '/orders', headers, body: largeBody })),
  },
  {
    name: 'the script of the documentation, unread',
    run: deafly(() => text('GET /docs/swagger-ui-bundle.js', {})),
  },
  {
    name: '500 slow bodies',
    run: slowly(500, text('POST /orders', { ...headers, 'content-length': '60000' }), ' '),
  },
  {
    name: '500 slow heads',
    run: slowly(500, `POST /orders HTTP/1.1\r\nhost: venue\r\nfiller: `, 'x'),
  },
  {
    name: 'heads of 15 KB',
    run: deafly(() => text(`GET ${orders}`, { ...headers, filler: 'x'.repeat(15_000) })),
  },
  {
    name: 'heads that are too large',
    meant: [431, 0],
    run: busily(() => ({ ...get(orders), headers: { ...headers, filler: 'x'.repeat(60_000) } })),
  },
  { name: '1,500 connections', run: slowly(1_500, '', '') },
  { name: 'connections that come and go', run: hastily(text(`GET ${orders}`, headers)) },
  { name: 'the same, the victim anew', run: hastily(text(`GET ${orders}`, headers)), anew: true },
  { name: 'streams begun and left', run: briefly(async () => text('GET /stream', headers)) },
  { name: 'streams resumed as far back as may be', run: briefly(resuming) },
  { name: 'streams resumed, unread', run: silently(resuming) },
  {
    name: 'the whole log, by a reader',
    run: busily(() => ({ method: 'GET', path: commits, headers: bearer(READER) })),
  },
  { name: 'the past of an account, by a reader', run: busily((_, n) => asReader(`as-of?${past(n)}`)) },
  { name: 'a ledger, by a reader', run: busily(() => asReader(`ledger?accountId=${accountId}`)) },
  {
    name: 'why a position, by a reader',
    run: busily(({ positionId }) => asReader(`why/${positionId}`)),
  },
  { name: 'the whole log, unread', run: deafly(() => text(`GET ${commits}`, bearer(READER)), 20) },
  { name: 'ticks that fire 500 orders', run: firing(), meant: [200, 201] },
]
