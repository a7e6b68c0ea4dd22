/**
 * Exhaustive in the small: every sequence of commands over tiny venues, with every law in every step. Prints how far it
 * came; what breaks is printed with the fewest commands that lead there, ready to paste. This is the quick share:
 * `npm run exhaustive` goes on to a million states and beyond.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { Reach } from '../../src/testing/index.ts'
import { IS_BRIEF } from '../atLength.ts'
import { notReached } from './reached.ts'
import { lineOf, searchScene, shared } from './searchScene.ts'

/** What these leave out, the million states of `.ci/run` have to reach. */
const STATES = IS_BRIEF ? 6_000 : 16_000
const DEPTH = IS_BRIEF ? 2 : 3
const MISSED = IS_BRIEF ? 5 : 0

const reach = new Reach()
const lines: string[] = []

afterAll(() => console.log(`${lines.join('\n')}\n${reach}`))

describe('every sequence of commands obeys every law', () => {
  test.each(shared(STATES))('$name', { timeout: 300_000 }, async (share) => {
    const report = await searchScene(share)
    reach.add(report.reached)
    lines.push(lineOf(report))
    expect(report.exhausted || report.states >= share.states).toBe(true)
    expect(report.depth).toBeGreaterThanOrEqual(DEPTH)
  })
})

test(`together they have reached every code, transition and edge that they can, but ${MISSED}`, () => {
  const missing = notReached(reach)
  expect(missing.length, missing.join(' · ')).toBeLessThanOrEqual(MISSED)
})
