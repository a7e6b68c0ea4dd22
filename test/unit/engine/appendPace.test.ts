// When the next group is written, by clocks and turns that the test gives.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppendPace } from '../../../src/engine/appendPace.ts'

/** An event loop whose turns each bring so many commits and take so long. */
class Turns {
  at = 0
  idleFor = 0
  gathered = 0
  readonly #turns: (() => void)[] = []

  elapsed = () => this.at
  idle = () => this.idleFor
  later = (turn: () => void) => {
    this.#turns.push(turn)
  }

  /** @returns whether somebody had asked for a turn */
  turn(brought: number, took: number): boolean {
    this.gathered += brought
    this.at += took
    const next = this.#turns.shift()
    next?.()
    return next !== undefined
  }
}

function paced(took: number, waited: number): { loop: Turns; pace: AppendPace } {
  const loop = new Turns()
  const pace = new AppendPace(loop)
  const ended = pace.begin()
  loop.at += took
  loop.idleFor += waited
  ended()
  return { loop, pace }
}

describe('the pace of appends', () => {
  test('an append is slow where more than half of it was waiting', () => {
    expect(paced(4, 2.1).pace.isSlow).toBe(true)
    expect(paced(4, 2).pace.isSlow).toBe(false)
    expect(new AppendPace(new Turns()).isSlow).toBe(false)
  })

  test('an append counts from its own beginning, and twice as much as the one before it', () => {
    const { loop, pace } = paced(4, 4)
    const appended = (took: number, waited: number) => {
      const ended = pace.begin()
      loop.at += took
      loop.idleFor += waited
      ended()
    }
    appended(4, 0.5)
    expect(pace.isSlow).toBe(false)
    appended(4, 3.6)
    expect(pace.isSlow).toBe(true)
    appended(4, 1.5)
    expect(pace.isSlow).toBe(true)
    appended(4, 0)
    expect(pace.isSlow).toBe(false)
  })

  test('gathering goes on while a sixteenth of an append brings commits at a rate at which an append would bring more, until all have come', () => {
    const reached = { all: 0, few: 0, later: 0 }
    const step = fc.record({ brought: fc.nat(40), took: fc.integer({ min: 1, max: 8 }) })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.nat(200),
        fc.integer({ min: 1, max: 200 }),
        fc.array(step, { minLength: 1, maxLength: 20 }),
        (took, waiting, answered, steps) => {
          const { loop, pace } = paced(2 * took, 2 * took)
          loop.gathered = waiting
          let isWritten = false
          pace.gather(
            answered,
            () => loop.gathered,
            () => {
              isWritten = true
            },
          )
          let [inWindow, window, turns] = [0, 0, 0]
          for (const { brought, took: turnTook } of steps) {
            expect(loop.turn(brought, turnTook)).toBe(true)
            turns += 1
            inWindow += brought
            window += turnTook
            const isAll = loop.gathered - waiting >= answered
            const isOver = 16 * window >= took
            const isFew = isOver && inWindow * took <= loop.gathered * window
            expect(isWritten).toBe(isAll || isFew)
            if (isOver) [inWindow, window] = [0, 0]
            if (!isWritten) continue
            expect(loop.turn(1_000, 1)).toBe(false)
            reached[isAll ? 'all' : 'few'] += 1
            if (turns > 2) reached.later += 1
            break
          }
        },
      ),
    )
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(2)
  })
})
