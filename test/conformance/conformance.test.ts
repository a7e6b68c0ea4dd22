// Our own host keeps the rules, over HTTP; a host with one rule altered is told which.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  CASES,
  type ConformanceOptions,
  type ConformanceReport,
  conformance,
  conformanceText,
  NOT_ASKED,
  RULES,
} from '../../src/testing/conformance/index.ts'
import { type Alteration, type Asked, alteredHost, type Reply } from './alteredHost.ts'

async function reportOf(
  alteration: Alteration,
  options: Partial<ConformanceOptions> = {},
  rateLimit: object | null = null,
): Promise<ConformanceReport> {
  const host = await alteredHost(alteration, rateLimit)
  try {
    return await conformance({ host, runs: 0, ...options })
  } finally {
    await host.close()
  }
}

const brokenIn = ({ rules }: ConformanceReport) =>
  rules.filter(({ verdict }) => verdict === 'broken').map(({ rule }) => rule)

/** Every fp9 field of this name, one unit more. */
const oneMore = (field: string) => (body: string) =>
  body.replaceAll(
    new RegExp(`"${field}":"([1-9][0-9]*)"`, 'g'),
    (_, digits: string) => `"${field}":"${BigInt(digits) + 1n}"`,
  )

/** Answers again what it answered before to what is `kept`, by its address unless told otherwise. */
function keepingAnswers(
  isKept: (asked: Asked) => boolean,
  nameOf = ({ headers, url }: Asked) => `${headers.authorization} ${headers['x-idempotency-key']} ${url}`,
): Required<Alteration>['reply'] {
  const kept = new Map<string, Reply>()
  return async (asked, ask) => {
    if (!isKept(asked)) return ask(asked)
    const held = kept.get(nameOf(asked))
    if (held !== undefined) return held
    const reply = await ask(asked)
    if (reply.status < 300) kept.set(nameOf(asked), reply)
    return reply
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('our own host keeps every rule that is asked, rate limits and all', async () => {
  const report = await reportOf({}, { runs: 2 }, { perSecond: 10, perMinute: 60 })
  expect(brokenIn(report)).toEqual([])
  expect(report.ok).toBe(true)
  expect(report.programs).toMatchObject({ run: 2, differing: 0 })
  const unasked = report.rules.filter(({ verdict }) => verdict === 'not asked')
  expect(unasked.filter(({ rule }) => CASES.some((one) => one.rule === rule))).toEqual([])
})

describe('a host with one rule altered is told which', () => {
  test.each<[rule: string, name: string, alteration: Alteration]>([
    [
      'F9',
      'no least distance',
      { request: (body) => body.replace(/"minStopDistance":"\d+"/, '"minStopDistance":"0"') },
    ],
    [
      'E1',
      'no maintenance margin',
      { request: (body) => body.replace(/"maintenanceMarginRate":"\d+"/, '"maintenanceMarginRate":"0"') },
    ],
    [
      'B2',
      'no scalping window',
      { request: (body) => body.replace(/"scalpingWindowMs":\d+/, '"scalpingWindowMs":0') },
    ],
    [
      'C4',
      'no least notional',
      { request: (body) => body.replace(/"minNotional":"\d+"/, '"minNotional":"0"') },
    ],
    ['C12', 'a return one unit too high', { answer: oneMore('roe') }],
    ['C8', 'a fee one unit too high on closes', { answer: oneMore('feeInEvent') }],
    [
      'I16',
      'a field more in errors',
      { answer: (body) => body.replace('{"statusCode":', '{"traceId":"1","statusCode":') },
    ],
    ['H8', 'no next day', { answer: (body) => body.replaceAll('"nextDayAt"', '"nextDay"') }],
  ])('%s: %s', async (rule, _name, alteration) => {
    const found = brokenIn(await reportOf(alteration, { only: [rule] }))
    expect(found).toEqual([rule])
  })

  test.each<[rule: string, name: string, reply: Required<Alteration>['reply']]>([
    [
      'A4',
      'ids in capitals are strange to it',
      async (asked, ask) =>
        ask({ ...asked, body: asked.body.replace(/"accountId":"[^"]*[A-F][^"]*"/, '"accountId":"none"') }),
    ],
    [
      'A5',
      'times without milliseconds',
      async (asked, ask) => {
        const { body, ...reply } = await ask(asked)
        return { ...reply, body: body.replaceAll(/("\w+At":"[^"]+)\.\d{3}Z"/g, '$1Z"') }
      },
    ],
    [
      'A6',
      'a body that is no JSON is its own fault',
      async (asked, ask) => {
        const reply = await ask(asked)
        return isJson(asked.body) || asked.body === '' ? reply : { ...reply, status: 500 }
      },
    ],
    [
      'A7',
      'JSON is called text',
      async (asked, ask) => {
        const reply = await ask(asked)
        return { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }
      },
    ],
    ['G5', 'a market list that is kept too long', keepingAnswers((asked) => /markets/.test(asked.url))],
    [
      'I4',
      'a key that is the key of all users',
      keepingAnswers(
        ({ url, headers }) => url === '/orders' && Boolean(headers['x-idempotency-key']),
        ({ headers }) => headers['x-idempotency-key'] as string,
      ),
    ],
    [
      'I4',
      'a key on what takes none',
      keepingAnswers(({ url, headers }) => url !== '/orders' && Boolean(headers['x-idempotency-key'])),
    ],
    [
      'I10',
      'the count of a page for the count of all',
      async (asked, ask) => {
        const reply = await ask(asked)
        const { data, totalCount } = isJson(reply.body) ? (JSON.parse(reply.body) ?? {}) : {}
        return totalCount === undefined
          ? reply
          : { ...reply, body: JSON.stringify({ data, totalCount: data.length }) }
      },
    ],
    [
      'I14',
      "cancelling another's order",
      async (asked, ask) =>
        ask(
          asked.method === 'DELETE'
            ? { ...asked, headers: { ...asked.headers, authorization: 'Bearer mtk_alice' } }
            : asked,
        ),
    ],
  ])('%s: %s', async (rule, _name, reply) => {
    expect(brokenIn(await reportOf({ reply }, { only: [rule] }))).toContain(rule)
  })

  test('I5: a minute that has room for seventy', async () => {
    const report = await reportOf({}, { only: ['I5'] }, { perSecond: 10, perMinute: 70 })
    expect(brokenIn(report)).toEqual(['I5'])
  })

  test('I5: a minute that is over before its last instant', async () => {
    let refusals = 0
    const reply: Required<Alteration>['reply'] = async (asked, ask) => {
      const refused = await ask(asked)
      if (refused.status !== 429 || !refused.body.includes('"window":"minute"')) return refused
      refusals += 1
      return refusals === 1 ? refused : { ...refused, status: 200, body: '[]' }
    }
    const report = await reportOf({ reply }, { only: ['I5'] }, { perSecond: 10, perMinute: 60 })
    expect(refusals).toBe(2)
    expect(brokenIn(report)).toEqual(['I5'])
  })

  test('what is off on the way to a rule is told under its own, with requests and both answers', async () => {
    const report = await reportOf({ answer: oneMore('size') }, { only: ['F14'] })
    expect(brokenIn(report)).toEqual(['C1'])
    const text = conformanceText(report)
    expect(text).toMatch(/^C1 Opening by amount\n {2}an attached order keeps its amount/m)
    expect(text).toMatch(/^ {4}buy +POST \/orders .* → 201$/m)
    expect(text).toContain('expected body.0.size "100000000000", got "100000000001"')
    expect(text).toMatch(/^F14 not asked .*an answer on the way to it breaks C1$/m)
  })
})

test('what only a random program comes upon is shown by few requests', async () => {
  const altered = (body: string) => body.replaceAll('"eventName":"addMargin"', '"eventName":"removeMargin"')
  const report = await reportOf({ answer: altered }, { only: [], runs: 2 })
  expect(brokenIn(report)).toEqual(['C13'])
  const [failure] = report.rules.find(({ rule }) => rule === 'C13')?.failures ?? []
  expect(failure?.difference).toMatchObject({
    field: 'eventName',
    expected: 'addMargin',
    got: 'removeMargin',
  })
  // A market, an account, an order, its position, the margin.
  expect(failure?.exchanges.length).toBeLessThanOrEqual(7)
  expect(report.programs.differing).toBeGreaterThan(0)
})

test('a host that gives other ids keeps the rules too', async () => {
  // Every id that the engine of a venue makes ends in what a hash of it says.
  const given = new Map<string, string>()
  const original = new Map<string, string>()
  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
  const named = new Set<string>()
  const report = await reportOf(
    {
      request: (body) => {
        if (/configureMarket|openAccount/.test(body)) for (const id of body.match(UUID) ?? []) named.add(id)
        return body.replaceAll(UUID, (id) => original.get(id) ?? id)
      },
      answer: (body) =>
        body.replaceAll(UUID, (id) => {
          if (named.has(id) || /^a0000000/.test(id)) return id
          const other = given.get(id) ?? crypto.randomUUID()
          given.set(id, other)
          original.set(other, id)
          return other
        }),
    },
    { only: ['F13', 'I14', 'B1'] },
  )
  expect(brokenIn(report)).toEqual([])
})

test('without keys, or with keys of one user, it says what could not be asked and why', async () => {
  const host = await alteredHost({})
  const whyOf = async (keys: readonly string[], rule: string) => {
    const { rules } = await conformance({ host: { ...host, keys }, only: [rule], runs: 0 })
    return rules.find((one) => one.rule === rule)?.why
  }
  try {
    expect(await whyOf([], 'C1')).toBe('it takes an API key: --key KEY')
    expect(await whyOf(['mtk_alice'], 'I14')).toMatch(/keys of two users/)
    expect(await whyOf(['mtk_alice'], 'I5')).toBe('the host has no rate limit')
    await expect(conformance({ host: { ...host, operatorToken: 'no' } })).rejects.toThrow(
      /401 session_expired/,
    )
  } finally {
    await host.close()
  }
})

test('rules are called as docs/rules.md calls them, and every case is of one', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/rules.md'), 'utf8')
  const titles = [...page.matchAll(/^### <a id="[a-z]\d+"><\/a>([A-K]\d+) (.+)$/gm)].map(([, id, title]) => [
    id,
    title,
  ])
  expect(Object.entries(RULES)).toEqual(titles)
  const cased = new Set<string>(CASES.map(({ rule }) => rule))
  expect(Object.keys(NOT_ASKED).filter((rule) => cased.has(rule))).toEqual([])
})
