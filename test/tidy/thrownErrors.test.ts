/** What a function throws by way of others, its docstring says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryPoints } from '../api/declarations.ts'
import { type Impossible, type Throwing, ThrownErrors } from '../api/thrownErrors.ts'
import { root } from './sourceTree.ts'

/** Where code that could throw is given nothing to throw for. */
const IMPOSSIBLE: readonly Impossible[] = [
  {
    file: 'src/history/keptRecords.ts',
    error: 'MalformedBytes',
    because: 'it reads bytes that it wrote, in the same process',
  },
  {
    file: 'src/store/memoryStore.ts',
    error: 'MalformedBytes',
    because: 'it reads bytes that it wrote, in the same process',
  },
  {
    file: 'src/engine/snapshot.ts',
    error: 'RangeError',
    because: 'the state holds no number that has no stored form',
  },
  {
    file: 'src/engine/open.ts',
    error: 'EngineStopped',
    because: 'what stops an engine that is just made is thrown itself',
  },
  {
    file: 'src/backtest/live/liveContext.ts',
    error: 'ApiError',
    because: 'every request is waited for by `read` and `#act`, which tell it as a LiveError',
  },
  {
    file: 'src/backtest/live/liveContext.ts',
    error: 'VenueUnreachable',
    because: 'every request is waited for by `read` and `#act`, which tell it as a LiveError',
  },
  { file: 'src/backtest/odds/tradeOdds.ts', error: 'FeedError', because: 'its tasks read no files' },
  {
    file: 'src/backtest/run/run.ts',
    error: 'EngineStopped',
    because: 'its engine is in memory: what stops it is thrown itself',
  },
  { file: 'src/backtest/plan/share.ts', error: 'RangeError', because: 'the decimal has been read before' },
  ...['CommitsArchived', 'EngineStopped', 'LogBehind', 'StoreConflict', 'StoreDamaged'].map((error) => ({
    file: 'src/host/cluster/serveNobody.ts',
    error,
    because: 'its venue is in memory, and ends before anybody asks it for anything',
  })),
  { file: 'src/host/demo.ts', error: 'RangeError', because: 'the decimals are its own' },
  {
    file: 'src/host/schedule.ts',
    error: 'EngineStopped',
    because: 'a timer calls it, which stops the engine',
  },
  {
    file: 'src/host/marginTradingApi.ts',
    error: 'EngineStopped',
    because: 'the request that meets it is answered with it',
  },
  { file: 'src/testing/aim/time.ts', error: 'RangeError', because: 'the choices are its own' },
]

const configuration = path.join(root, 'tsconfig.build.json')
const entries = [...entryPoints()]
  .filter(([name]) => name !== 'margin-core/internal')
  .map(([, file]) => path.join(root, 'src', file.replace(/\.d\.ts$/, '.ts')))

describe('of the package', () => {
  let errors: ThrownErrors
  let throwing: readonly Throwing[]
  beforeAll(() => {
    errors = new ThrownErrors(configuration, IMPOSSIBLE)
    throwing = errors.of(entries)
  }, 120_000)
  afterAll(() => errors.close())

  test('whatever can leave an exported function or method is in its docstring, and can be imported', () => {
    const unsaid = throwing.flatMap(({ name, throws, says }) =>
      throws
        .filter((error) => !says.includes(error))
        .map((error) => `${name} does not say ${error}: ${errors.wayOf(name, error)}`),
    )
    expect(unsaid).toEqual([])
    expect(throwing.filter(({ throws }) => throws.length > 0).length).toBeGreaterThan(100)
  })

  test('what is listed as impossible would be found without its line', () => {
    expect(errors.unneeded()).toEqual([])
  })
})

/** A program of one file, whose exports are judged. */
function judged(text: string): Record<string, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-thrown-'))
  try {
    const compilerOptions = { target: 'es2022', lib: ['es2023'], strict: true, types: [] }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['one.ts'] }))
    writeFileSync(path.join(folder, 'one.ts'), `${PARTS}${text}`)
    const errors = new ThrownErrors(path.join(folder, 'tsconfig.json'))
    const found = errors.of([path.join(folder, 'one.ts')])
    errors.close()
    return Object.fromEntries(
      found.map(({ name, throws, says }) => [name, `${throws.join()}|${says.join()}`]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const PARTS = `
export class Full extends Error {}
export class Busy extends Error {}
const a = (): number => { throw new Full() }
function b(): never { throw new Busy() }
interface Kept {
  /** @throws Full when it is full. */
  keep(): void
}
`

const PLAIN = { 'new Full': '|', 'new Busy': '|' }

test('what is thrown is followed through calls, handlers, callbacks and promises', () => {
  const found = judged(`
export function calls() { a(); b() }
export function asClass() { return new Made() }
class Made { readonly one = a(); constructor() { b() } }
export function caught() { try { a() } catch { return } }
export function rethrown() { try { a(); b() } catch (error) { if (!(error instanceof Full)) throw error } }
export function onlyA() { try { a(); b() } catch (error) { if (error instanceof Full) throw error } }
export function seen() { try { a(); b() } catch (error) { if (error instanceof Busy) return; throw error } }
export function inHandler() { try { a() } catch { b() } finally { a() } }
export const inCallback = (items: number[]) => items.map(() => a())
export const handedOver = (items: number[]) => items.map(a)
export function made() { throw fault() }
function fault(): Busy { return new Busy() }
export const later = (): (() => void) => () => a()
export async function awaited() { await promised() }
async function promised() { a() }
export async function forgiven() { await promised().catch(() => b()) }
export function forgotten() { void promised() }
export function kept(by: Kept) { by.keep() }
export function wrong() { throw new TypeError('never') }
export function loops(n: number): void { if (n > 0) loops(n - 1); else a() }
/** Both, of a class. @throws Busy */
export class Both implements Kept {
  /** @throws RangeError, as {@link calls} does not. */
  keep() { a() }
}
`)
  expect(found).toEqual({
    ...PLAIN,
    calls: 'Busy,Full|',
    asClass: 'Busy,Full|',
    caught: '|',
    rethrown: 'Busy|',
    onlyA: 'Full|',
    seen: 'Full|',
    inHandler: 'Busy,Full|',
    inCallback: 'Full|',
    handedOver: 'Full|',
    made: 'Busy|',
    later: '|',
    awaited: 'Full|',
    forgiven: 'Busy|',
    forgotten: '|',
    kept: 'Full|',
    wrong: '|',
    loops: 'Full|',
    'new Both': '|Busy',
    'Both.keep': 'Full|Busy,Full,RangeError',
  })
})

test('what a docstring refers to is what it says; what its example says is not', () => {
  const found = judged(`
/**
 * One.
 *
 * \`\`\`ts
 * two() // throws Busy
 * \`\`\`
 *
 * @throws Full for none; what {@link two} and {@link Named.keep} throw.
 */
export function one() {}
/** @throws RangeError, SyntaxError for text. @returns Nothing */
export function two() {}
export interface Named {
  /** @throws Busy */
  keep(): void
}
`)
  expect(found).toEqual({
    ...PLAIN,
    one: '|Busy,Full,RangeError,SyntaxError',
    two: '|RangeError,SyntaxError',
  })
})
