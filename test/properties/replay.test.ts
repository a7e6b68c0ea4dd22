// One log, one state: folded again, decided again, in another process, at any point of the past (I17).

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createEngine,
  type Engine,
  immutably,
  inPlace,
  MemoryStore,
  openEngine,
  type Position,
  positionRecipe,
  unopenedPosition,
} from '../../src/index.ts'
import { aProgram, SimpleTriggers } from '../../src/testing/index.ts'
import { hashes } from './hashes.ts'
import { logOf, run, runs } from './runs.ts'

const CHILD = fileURLToPath(new URL('./hashes.ts', import.meta.url))

/**
 * Gives a new engine the commands of a log at their times; the seed is that of its first command. The passing of time
 * is given as what is left of it, because what fell due on the way has commits of its own.
 */
async function decidedAgain(engine: Engine): Promise<Engine> {
  const [first, ...rest] = await logOf(engine)
  if (first?.command.type !== 'createEngine') throw new TypeError('a log begins with createEngine')
  const again = createEngine({ seed: first.command.seed, at: first.at })
  for (const { command, at } of rest) {
    const outcome =
      command.type === 'advanceTime'
        ? again.dispatch({ type: 'advanceTime', ms: at - again.now })
        : again.dispatch(command, { at })
    expect(outcome).toMatchObject({ ok: true })
  }
  return again
}

const facts = async (engine: Engine) =>
  (await logOf(engine)).map(({ seq, at, events }) => ({ seq, at, events }))

describe('a log', () => {
  test('decided again gives the same commits and the same state', async () => {
    await fc.assert(
      fc.asyncProperty(aProgram(50, 200), async (program) => {
        const { engine } = await run(program, { laws: [] })
        const again = await decidedAgain(engine)
        expect(await facts(again)).toEqual(await facts(engine))
        expect(again.stateHash()).toBe(engine.stateHash())
      }),
      runs(40),
    )
  })

  test('gives the same whichever way the triggers are kept', async () => {
    await fc.assert(
      fc.asyncProperty(aProgram(50, 200), async (program) => {
        const simple = {
          triggers: (world: ConstructorParameters<typeof SimpleTriggers>[0]) => new SimpleTriggers(world),
        }
        const one = (await run(program, { laws: [] })).engine
        const other = (await run(program, { laws: [], engine: simple })).engine
        expect(other.stateHash()).toBe(one.stateHash())
      }),
      runs(40),
    )
  })

  test('opened from a store gives the engine that wrote it, which goes on the same', async () => {
    await fc.assert(
      fc.asyncProperty(aProgram(20, 100), async (program) => {
        const { engine } = await run(program, { laws: [] })
        const store = new MemoryStore()
        const { epoch } = store.openNow()
        await store.append(await logOf(engine), 0, epoch)
        const opened = await openEngine({ store })
        expect(opened.stateHash()).toBe(engine.stateHash())
        for (const each of [engine, opened]) each.dispatch({ type: 'advanceTime', ms: 3_600_000 })
        expect(opened.stateHash()).toBe(engine.stateHash())
      }),
      runs(30),
    )
  })

  test('tells every past state: asOf(seq) is the state there was', async () => {
    await fc.assert(
      fc.asyncProperty(aProgram(20, 100), fc.nat(99), async (program, percent) => {
        const then = new Map<number, { readonly hash: string; readonly accounts: unknown }>()
        const note = (engine: Engine) =>
          then.set(engine.head, { hash: engine.stateHash(), accounts: engine.read.accounts() })
        const { engine } = await run(program, {
          laws: [],
          witness: { afterCommand: ({ bus, commits }) => commits.length > 0 && note(bus as Engine) },
        })
        const seqs = [...then.keys()]
        const seq = seqs[Math.floor((seqs.length * percent) / 100)]
        fc.pre(seq !== undefined)
        const past = await engine.asOf(seq as number)
        expect(past.stateHash()).toBe(then.get(seq as number)?.hash)
        expect(past.read.accounts()).toEqual(then.get(seq as number)?.accounts)
      }),
      runs(30),
    )
  })

  test('has the same hashes in another process', async () => {
    const child = execFileSync(process.execPath, ['--import', 'tsx', CHILD, '7'], { encoding: 'utf8' })
    expect(child.trim().split('\n')).toEqual(await hashes(7))
  })
})

describe('the position recipes', () => {
  test('give the same run in place and immutably, and leave their argument alone', async () => {
    await fc.assert(
      fc.asyncProperty(aProgram(60, 150), async (program) => {
        const { watched } = await run(program, { laws: [] })
        const owned = new Map<string, Position>()
        const frozen = new Map<string, Parameters<typeof pure>[0]>()
        for (const { events, at } of watched.commits)
          for (const event of events) {
            if (!('positionId' in event) || !('direction' in event) || event.type === 'orderPlaced') continue
            if (event.type === 'increasePosition' && event.opens) {
              const identity = { sequence: 1, phaseOrdinal: 1 }
              owned.set(event.positionId, unopenedPosition(event, at, identity))
              frozen.set(event.positionId, Object.freeze(unopenedPosition(event, at, identity)))
            }
            const [mine, theirs] = [owned.get(event.positionId), frozen.get(event.positionId)]
            if (mine === undefined || theirs === undefined) throw new ReferenceError(event.positionId)
            const [before, after] = [{ ...theirs }, pure(theirs, event, at)]
            expect(theirs).toEqual(before)
            expect(Object.isFrozen(after)).toBe(true)
            frozen.set(event.positionId, after)
            expect(owning(mine, event, at)).toBe(mine)
            expect(mine).toEqual(after)
          }
      }),
      runs(10),
    )
  })
})

const pure = immutably(positionRecipe)
const owning = inPlace(positionRecipe)
