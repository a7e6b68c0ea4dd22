// What is told of a venue: each figure under its name, of a venue, webhooks and sources whose figures all differ, and again where they are not.

import { expect, test } from 'vitest'
import { Metrics } from '../../../src/host/metrics.ts'
import { createEngine, fp9 } from '../../../src/index.ts'

type Of = ConstructorParameters<typeof Metrics>
type Webhook = NonNullable<Metrics['webhooks']>['standings'][number]
type Source = ReturnType<Metrics['sources']>[number]

const BTC = '10000000-0000-4000-8000-000000000001'
const NEVER_PRICED = '10000000-0000-4000-8000-000000000002'
const START = Date.UTC(2026, 0, 5)

const webhook = (url: string, backlog: number, givenUp: number, attempts: number) =>
  ({ url, backlog, givenUp, attempts, delivered: 99, seq: 98 }) as unknown as Webhook

const source = (name: string, more: Partial<Source>): Source => ({
  ...{ marketId: BTC, name, isConnected: true, price: null, ageMs: 1_500, clockAheadMs: -250, perMinute: 31 },
  ...{ excluded: null, reconnections: 4, unreadable: 5, lastError: null, lastErrorAt: null },
  ...more,
})

function metricsOf(changed: object): Metrics {
  const market = { baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
  const engine = createEngine({
    at: START,
    markets: [
      { ...market, id: BTC, indexPrice: fp9('50000') },
      { ...market, id: NEVER_PRICED, baseAsset: 'ETH', ticker: 'ETH/USD' },
    ],
  })
  const standing = {
    ...{
      head: 12,
      durableHead: 11,
      unwritable: null,
      blockedSubscriptions: [{}, {}],
      blockedProjections: [{}],
    },
    ...changed,
  }
  for (const [name, value] of Object.entries(standing)) Object.defineProperty(engine, name, { value })
  const clock = { mode: 'manual', now: () => START + 7_000, offset: () => 2_500 }
  return new Metrics(engine, clock as Of[1])
}

/** Each line of a metric by what stands before its value, but for what Node says of the process. */
async function valuesOf(metrics: Metrics): Promise<Record<string, number>> {
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => /^margin_core/.test(line))
  return Object.fromEntries(
    lines
      .filter((line) => !/^margin_core_(process|nodejs)_/.test(line))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice('margin_core_'.length, at), Number(line.slice(at + 1))]
      }),
  )
}

const NEVER = {
  ...{
    ticks_total: 0,
    triggers_fired_total: 0,
    liquidations_total: 0,
    open_positions: 0,
    head: 12,
    durable_head: 11,
  },
  ...{ clock_offset_seconds: 2.5, writable: 1, blocked_readers: 3, 'price_age_seconds{asset="BTC"}': 7 },
  ...Object.fromEntries(
    [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, '+Inf'].map((le) => [
      `commit_seconds_bucket{le="${le}"}`,
      0,
    ]),
  ),
  ...{ commit_seconds_sum: 0, commit_seconds_count: 0 },
}

test('a venue of which nothing was asked has every figure of its own, and no other', async () => {
  const metrics = metricsOf({})
  expect(await valuesOf(metrics)).toEqual(NEVER)
  expect(await valuesOf(metrics)).toEqual(NEVER)
  expect(await valuesOf(metricsOf({ unwritable: 'full' }))).toEqual({ ...NEVER, writable: 0 })
})

test('refusals are counted by their code, those of the feed apart, and commands by how long they took', async () => {
  const metrics = metricsOf({})
  for (const code of ['a', 'b', 'a', 'a']) metrics.refused(code)
  for (const code of ['a', 'c', 'c']) metrics.feedRefused(code)
  for (const seconds of [0.0004, 0.75, 3]) metrics.commandTook(seconds)
  const told = {
    ...NEVER,
    ...{ 'refusals_total{code="a"}': 3, 'refusals_total{code="b"}': 1 },
    ...{ 'feed_refusals_total{code="a"}': 1, 'feed_refusals_total{code="c"}': 2 },
    ...Object.fromEntries(
      [0, 1, 1, 1, 1, 1, 1, 1, 2, 3].map((count, at) => [
        `commit_seconds_bucket{le="${[0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, '+Inf'][at]}"}`,
        count,
      ]),
    ),
    ...{ commit_seconds_sum: 3.7504, commit_seconds_count: 3 },
  }
  // However often it is asked.
  for (const _ of [1, 2]) expect(await valuesOf(metrics)).toEqual(told)
})

test('each figure of a webhook stands under its name, and none of one that has gone', async () => {
  const metrics = metricsOf({})
  metrics.webhooks = { standings: [webhook('http://one', 3, 4, 5), webhook('http://two', 6, 7, 8)] }
  const of = (url: string, backlog: number, givenUp: number, attempts: number) => ({
    [`webhook_backlog{url="${url}"}`]: backlog,
    [`webhook_given_up{url="${url}"}`]: givenUp,
    [`webhook_attempts{url="${url}"}`]: attempts,
  })
  expect(await valuesOf(metrics)).toEqual({
    ...NEVER,
    ...of('http://one', 3, 4, 5),
    ...of('http://two', 6, 7, 8),
  })
  metrics.webhooks = { standings: [webhook('http://two', 1, 7, 0)] }
  expect(await valuesOf(metrics)).toEqual({ ...NEVER, ...of('http://two', 1, 7, 0) })
})

test('each figure of a source stands under its name; what it never said is left out', async () => {
  const metrics = metricsOf({})
  const of = (name: string, figures: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(figures).map(([figure, value]) => [
        `feed_source_${figure}{source="${name}",market="${BTC}"}`,
        value,
      ]),
    )
  metrics.sources = () => [
    source('kraken', {}),
    source('okx', {
      ...{ isConnected: false, ageMs: null, clockAheadMs: null },
      excluded: 'silent',
      perMinute: 0,
    }),
  ]
  expect(await valuesOf(metrics)).toEqual({
    ...NEVER,
    ...of('kraken', {
      ...{ age_seconds: 1.5, excluded: 0, clock_ahead_seconds: -0.25, prices_per_minute: 31 },
    }),
    ...of('kraken', { connected: 1, reconnections: 4, unreadable: 5 }),
    ...of('okx', { excluded: 1, prices_per_minute: 0, connected: 0, reconnections: 4, unreadable: 5 }),
  })
  metrics.sources = () => []
  expect(await valuesOf(metrics)).toEqual(NEVER)
})
