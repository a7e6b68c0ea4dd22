// `margin-core conformance` as it is typed: what it prints, and what it ends with.

import { expect, test } from 'vitest'
import { typed } from '../typed.ts'
import { type Alteration, alteredHost } from './alteredHost.ts'

async function asked(alteration: Alteration, ...options: string[]) {
  const host = await alteredHost(alteration)
  const words = ['conformance', '--url', host.url, '--operator-token', host.operatorToken]
  const keys = host.keys.flatMap((key) => ['--key', key])
  const { code, stdout, stderr } = await typed([...words, ...keys, ...options])
  await host.close()
  return { status: code, stdout, stderr }
}

const NO_LEAST_NOTIONAL = {
  request: (body: string) => body.replace(/"minNotional":"\d+"/, '"minNotional":"0"'),
}

test('a host that keeps what is asked ends with 0, for people and for programs', async () => {
  const people = await asked({}, '--only', 'C4,E1', '--runs', '1')
  expect([people.stderr, people.status]).toEqual(['', 0])
  expect(people.stdout).toMatch(/C4/)
  const programs = await asked({}, '--only', 'C4,E1', '--runs', '0', '--json')
  expect(programs.status).toBe(0)
  const { ok, rules } = JSON.parse(programs.stdout)
  expect(ok).toBe(true)
  expect(rules.find(({ rule }: { rule: string }) => rule === 'C4').verdict).toBe('holds')
})

test('a rule that is broken ends it with 1, and is told with the requests that show it', async () => {
  const people = await asked(NO_LEAST_NOTIONAL, '--only', 'C4', '--runs', '0')
  expect(people.status).toBe(1)
  expect(people.stdout).toMatch(/C4[\s\S]*order_below_min_notional/)
  const programs = await asked(NO_LEAST_NOTIONAL, '--only', 'C4', '--runs', '0', '--json')
  expect(programs.status).toBe(1)
  expect(JSON.parse(programs.stdout).ok).toBe(false)
})

test('what keeps it from asking ends it with 2, in a sentence', async () => {
  for (const options of [
    ['--operator-token', 'wrong'],
    ['--url', 'ftp://127.0.0.1'],
    ['--url', 'http://127.0.0.1:1'],
    ['--runs', 'many'],
    ['--only', 'C4,Z9'],
    ['--only', 'K7'],
  ]) {
    const { status, stdout, stderr } = await asked({}, ...options)
    expect([options, status, stdout]).toEqual([options, 2, ''])
    expect(stderr.trim().split('\n').length, stderr).toBeLessThanOrEqual(2)
    expect(stderr).not.toMatch(/\n\s+at /)
  }
})
