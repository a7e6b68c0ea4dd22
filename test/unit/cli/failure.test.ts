// How a command that fails ends: a line on stderr, and an exit code that says whose mistake it was.

import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import {
  allOf,
  missingPackages,
  outlivesReader,
  reportFailure,
  UsageError,
} from '../../../src/cli/failure.ts'

afterEach(() => void vi.restoreAllMocks())

/** What is written, and the code that the program would end with. */
async function ended(work: () => Promise<void>, code?: 1 | 2) {
  const before = process.exitCode
  let written = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
  process.exitCode = undefined
  await reportFailure(work, code)
  const end = process.exitCode
  process.exitCode = before
  vi.restoreAllMocks()
  return { written, code: end }
}

const failing = (error: unknown) => () => Promise.reject(error)

test('what succeeds says nothing', async () => {
  expect(await ended(async () => {})).toEqual({ written: '', code: undefined })
})

test('an expected failure ends with 2, or with what the command says, and anything else with 1', async () => {
  expect(await ended(failing(new UsageError('no')))).toEqual({ written: 'error: no\n', code: 2 })
  expect(await ended(failing(new RangeError('no')), 1)).toEqual({ written: 'error: no\n', code: 1 })
  expect(await ended(failing(new TypeError('broken')))).toEqual({ written: 'error: broken\n', code: 1 })
  expect(await ended(failing('thrown'))).toEqual({ written: 'error: thrown\n', code: 1 })
})

test('where the failure is looked for its stack is told, of what nobody expected', async () => {
  vi.stubEnv('DEBUG', '1')
  const broken = new TypeError('broken')
  expect((await ended(failing(broken))).written).toBe(`error: ${broken.stack}\n`)
  expect((await ended(failing(new UsageError('no')))).written).toBe('error: no\n')
  vi.unstubAllEnvs()
})

test('what is not installed is told with what installs it', async () => {
  const error = new Error("Cannot find package 'lmdb' imported from /somewhere/file.js")
  expect(await ended(failing(error))).toEqual({
    written: 'error: the package lmdb is not installed: npm install lmdb\n',
    code: 2,
  })
  expect(missingPackages('a', 'b').message).toBe('the packages a, b are not installed: npm install a b')
})

test('several faults are a line each', () => {
  expect(allOf('one', false, 'two').message).toBe('one\nerror: two')
})

test('a reader that has gone ends nothing; whatever else is wrong with an output does', () => {
  const output = new EventEmitter()
  outlivesReader(output)
  const wrong = (code: string) => () => output.emit('error', Object.assign(new Error(code), { code }))
  expect(wrong('EPIPE')).not.toThrow()
  expect(wrong('EIO')).toThrow('EIO')
})
