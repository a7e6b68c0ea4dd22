/**
 * Exhaustive in the small: every sequence of commands over tiny venues, with every law in every step. Prints how far it
 * came; what breaks is printed with the fewest commands that lead there, ready to paste.
 *
 * MARGIN_CORE_STATES: states per scene, in place of the numbers below.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { Reach } from '../../src/testing/index.ts'
import { SCENES } from './scenes.ts'
import { Search } from './search.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const CHOSEN = process.env.MARGIN_CORE_STATES

/** A state takes 25 bytes, so that four million of a scene fit beside everything else. */
const STATES = CHOSEN !== undefined ? Number(CHOSEN) : NIGHTLY ? 4_000_000 : 12_000

/** Every state of the scene about refusals is asked a hundred things; each of the others, fifteen. */
const SHARE: Readonly<Record<string, number>> = { refusals: 0.1 }

/** Paths that are played whole, per scene. */
const REPLAYS = NIGHTLY ? 2_000 : 100

const reach = new Reach()
const reports: string[] = []

afterAll(() => {
  const missing = [...reach.missingCodes(), ...reach.missingTransitions(), ...reach.missingEdges()]
  console.log(`${reports.join('\n')}\n${reach}\nnot reached   ${missing.join(' · ')}`)
})

describe('every sequence of commands obeys every law', () => {
  test.each(Object.entries(SCENES))(
    '%s',
    { timeout: NIGHTLY ? 36_000_000 : 1_200_000 },
    async (name, scene) => {
      const search = new Search(scene, reach.witness())
      const limit = Math.ceil(STATES * (SHARE[name] ?? 1))
      const began = performance.now()
      await search.run(limit, Math.ceil(limit / REPLAYS))
      const seconds = ((performance.now() - began) / 1_000).toFixed(0)
      const { size, depth, steps, refusals, replays } = search
      reports.push(
        `${name}: ${size} states, complete to ${depth} commands, by commands ${search.perDepth.join(' ')}; ` +
          `${steps} steps, ${refusals} refused, ${replays} paths whole, ${seconds} s`,
      )
      expect(search.exhausted || size >= limit).toBe(true)
      if (CHOSEN === undefined) expect(depth).toBeGreaterThanOrEqual(3)
    },
  )
})

describe.skipIf(CHOSEN !== undefined)('together they have reached', () => {
  test('every code that the engine raises, but a few', () => {
    const elsewhere = [
      'order_validation_invariant', // no command can leave out the size that it guards
      'idempotency_key_in_flight', // is about calls that overlap in time
      'engine_stopped', // the laws stop the search before
      'too_many_api_keys', // takes twenty keys
    ]
    expect(reach.missingCodes().filter((code) => !elsewhere.includes(code))).toEqual([])
  })

  test('every transition of the order and of the position table', () => {
    expect(reach.missingTransitions()).toEqual([])
  })

  test('both sides of every edge', () => {
    expect(reach.missingEdges()).toEqual([])
  })
})
