/** docs/rules.md has every rule that anybody cites, and every rule on it is cited by its code and its law. */
import { describe, expect, test } from 'vitest'
import type { AccountStatus, Command } from '../../src/index.ts'
import { ACCOUNT_STATUSES, nextPhase, STOPS } from '../../src/terms/accountStatus.ts'
import { LAWS } from '../../src/testing/index.ts'
import { ORDER_TRANSITIONS, POSITION_TRANSITIONS } from '../../src/testing/transitions.ts'
import { ACCOUNT, Venue } from '../unit/venue.ts'
import { anchorsOf } from './links.ts'
import { citedIn, page, placesIn, type Rule, rulesOf, saidBy, saidOf } from './rulePage.ts'
import { files, parse, textOf } from './sourceTree.ts'

const rules = rulesOf(page())
const ids = new Set(rules.map(({ id }) => id))
const texts = files.filter((file) =>
  /^(src|test|bench|examples)\/.*\.m?ts$|^[^/]+\.md$|^(docs|bench)\/.*\.md$/.test(file),
)

/** Every text with what it cites that is not in `known`. */
const unknownIn = (
  among: readonly string[],
  cited: (text: string) => Set<string>,
  known: ReadonlySet<string>,
) =>
  among.flatMap((file) =>
    [...cited(textOf(file))].filter((id) => !known.has(id)).map((id) => `${file}: ${id}`),
  )

describe('docs/rules.md', () => {
  test('numbers the rules of a letter without gaps, each under its own anchor', () => {
    const numbered: string[] = []
    for (const letter of 'ABCDEFGHIJK') {
      const ofLetter = rules.filter(({ id }) => id.startsWith(letter))
      numbered.push(...ofLetter.map((_, index) => `${letter}${index + 1}`))
    }
    expect(rules.map(({ id }) => id)).toEqual(numbered)
    expect(rules.map(({ anchor }) => anchor)).toEqual(numbered.map((id) => id.toLowerCase()))
    expect(rules.length).toBe(141)
  })

  test('has every rule that code, tests and pages cite', () => {
    expect(unknownIn(texts, citedIn, ids)).toEqual([])
  })

  test('has every numbered place inside a rule that they cite', () => {
    expect(unknownIn(texts, placesIn, anchorsOf('docs/rules.md'))).toEqual([])
  })

  test('names for every rule the code that decides it, which cites it', () => {
    expect(rules.flatMap(codeFaults)).toEqual([])
  })

  test('names for every rule the test that holds it, which cites it', () => {
    expect(rules.flatMap(lawFaults)).toEqual([])
  })

  test('gives for every invariant a law of the page of laws, or a test', () => {
    const names = [
      ...section('Invariants').matchAll(/^\| <a id="invariant-\d+"><\/a>\d+ \| .* \| (.+) \|$/gm),
    ]
    const known = new Set([...LAWS.map(({ name }) => name), ...files.map((file) => `\`${file}\``)])
    expect(names.map(([, name]) => name).filter((name) => !known.has(name as string))).toEqual([])
    expect(names.length).toBe(18)
  })
})

describe('its pictures', () => {
  test('of an order: the transitions of the table', () => {
    const drawn = arrows('Order').map(({ from, to }) => `${from} → ${to}`)
    expect(drawn.sort()).toEqual(ORDER_TRANSITIONS.map(({ from, to }) => `${from} → ${to}`).sort())
  })

  test('of a position: the same with the event', () => {
    const drawn = arrows('Position').map(({ from, to, by }) => `${from} → ${to}: ${by}`)
    expect(drawn.sort()).toEqual(
      POSITION_TRANSITIONS.map(({ from, to, event }) => `${from} → ${to}: ${event}`).sort(),
    )
  })

  test('of an account: what stops, thaws and days make of each status', () => {
    const drawn = new Set(arrows('Account').map(({ from, to }) => `${from} → ${to}`))
    expect(drawn).toEqual(new Set(['none → active', ...STATUSES.flatMap(stopsOf)]))
    expect(drawn).toEqual(new Set(['none → active', ...STATUSES.flatMap(stepsOf)]))
  })

  test('of the phases: each and the next', () => {
    const phases = [null, 'active_evaluation', 'active_verification'] as const
    const drawn = arrows('Phase').map(({ from, to }) => `${from} → ${to}`)
    expect(drawn).toEqual(phases.map((phase) => `${phase ?? 'none'} → ${nextPhase(phase)}`))
  })
})

describe('reading it', () => {
  test.each([
    ['// B5: a path', ['B5']],
    ['(D1–D3, J4)', ['D1', 'D2', 'D3', 'J4']],
    ['E1-E3 and C7–9', ['E1', 'E2', 'E3', 'C7', 'C8', 'C9']],
    ['0xA4, A4-1, sha.B5, L1, B', []],
  ])('%s', (text, cited) => expect([...citedIn(text)]).toEqual(cited))

  test('POST 2, invariants 8 and 15', () => {
    expect([...placesIn('POST 2, invariants 8 and 15')]).toEqual(['post-2', 'invariant-8', 'invariant-15'])
  })
})

const STATUSES = Object.keys(ACCOUNT_STATUSES) as AccountStatus[]

/** The same by the table; a promotion changes the phase alone. */
function stepsOf(status: AccountStatus): string[] {
  const { stops, thaws } = ACCOUNT_STATUSES[status]
  const stopped = stops.filter((reason) => reason !== 'promote').map((reason) => STOPS[reason].becomes)
  return [...stopped, ...(thaws ? ['active'] : [])].map((after) => `${status} → ${after}`)
}

/** What becomes of an account with this status by every command that is about it. */
function stopsOf(status: AccountStatus): string[] {
  const stops = ['fail', 'freeze', 'manual'].map(
    (reason) => ({ type: 'stopAccount', accountId: ACCOUNT, reason }) as Command,
  )
  return [...stops, { type: 'unfreezeAccount', accountId: ACCOUNT } as const].flatMap((command) => {
    const venue = new Venue({ account: { status } })
    return venue.rejection(command) === 'accepted' ? [`${status} → ${venue.account().status}`] : []
  })
}

function codeFaults({ id, code }: Rule): string[] {
  if (code.length === 0) return [`${id} has no code`]
  return code.flatMap(({ label, file }) => {
    if (!file.startsWith('src/') || !files.includes(file)) return [`${id}: no code ${file}`]
    const said = saidOf(parse(file), label.replaceAll('`', ''))
    if (said === undefined) return [`${id}: ${file} declares no ${label}`]
    return citedIn(said).has(id) ? [] : [`${label} of ${file} does not cite ${id}`]
  })
}

function lawFaults({ id, law }: Rule): string[] {
  if (law.length === 0) return [`${id} has no law`]
  return law.flatMap(({ label, file }) => {
    if (!/^test\/.*\.test\.ts$/.test(file) || !files.includes(file)) return [`${id}: no test ${file}`]
    const said = saidBy(parse(file), label)
    if (said === undefined) return [`${id}: ${file} has no test "${label}"`]
    return citedIn(said).has(id) ? [] : [`"${label}" of ${file} does not cite ${id}`]
  })
}

/** A section of the page, by the end of its heading. */
function section(heading: string): string {
  const found = new RegExp(`^##+ (?:<a[^>]*></a>)?${heading}\\n(.*?)(?=^## |^### |(?![\\s\\S]))`, 'ms').exec(
    page(),
  )
  return found?.[1] ?? ''
}

/** The arrows of a state diagram, in order; its start is `none`. */
function arrows(heading: string) {
  return [...section(heading).matchAll(/^ {2}(\S+) --> (\w+): (.+)$/gm)].map(([, from, to, by]) => ({
    from: from === '[*]' ? 'none' : from,
    to,
    by,
  }))
}
