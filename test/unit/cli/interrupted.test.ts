/** Ctrl-C within a sweep or a search: what has run is kept, the program says where, and the same command comes to what it would have. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { bundleWithThreads } from '../../bundle.ts'
import { typed } from '../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-interrupted-'))
const program = bundleWithThreads(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const results = path.join(folder, 'sets.jsonl')
const study = path.join(folder, 'study')
const runs = path.join(study, 'runs.jsonl')
const WORK = ['--days', '8', '--after-verdict', 'go-on', '--workers', '1', '--json']

test.each([
  ['sweep', ['--vary', 'fast=2:31:1', '--param', 'slow=200'], '--results', results, results],
  ['search', ['--space', 'fast=2:31', '--param', 'slow=200', '--sets', '30'], '--study', study, runs],
])('a %s goes on where it was interrupted', async (command, sets, option, place, file) => {
  const words = [command, ...sets, ...WORK]
  const child = spawn(process.execPath, [program, ...words, option, place])
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0)
  await vi.waitFor(() => expect(lines()).toBeGreaterThan(1), { timeout: 120_000, interval: 10 })
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(said).toBe(`interrupted: what has run is in ${place}, and the same command goes on with it\n`)
  const kept = lines()
  expect(kept).toBeLessThan(30)
  const [again, anew] = [await typed([...words, option, place]), await typed(words)]
  const { reused, ...resumed } = JSON.parse(again.stdout)
  const { reused: none, ...whole } = JSON.parse(anew.stdout)
  expect([reused, none]).toEqual([kept, 0])
  expect(resumed).toEqual(whole)
})
