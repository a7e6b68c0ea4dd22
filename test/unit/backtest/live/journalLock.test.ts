// One live run at a time on a journal: the second is refused with the name of the first, and one that was killed is in nobody's way.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { lockJournal } from '../../../../src/backtest/live/journalLock.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-journal-lock-'))
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Another process that holds the lock of a journal until it ends. */
async function holder(file: string): Promise<ChildProcess> {
  const module = path.resolve(import.meta.dirname, '../../../../src/backtest/live/journalLock.ts')
  const program = `import { lockJournal } from ${JSON.stringify(module)}
await lockJournal(${JSON.stringify(file)})
process.stdout.write('held')
setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

test('the second run is told which process has the journal, by whatever name it knows it', async () => {
  const file = path.join(folder, 'live.jsonl')
  const child = await holder(file)
  const refused = new RegExp(
    `another live run writes this journal, process ${child.pid} on .* since 20.*; end it first`,
  )
  await expect(lockJournal(file)).rejects.toThrow(refused)
  writeFileSync(file, '')
  const link = path.join(folder, 'link.jsonl')
  symlinkSync(file, link)
  await expect(lockJournal(link)).rejects.toThrow(refused)
  const letGo = await lockJournal(path.join(folder, 'other.jsonl'))
  await letGo()
  const nowhere = path.join(folder, 'nowhere/live.jsonl')
  await expect(lockJournal(nowhere)).rejects.toThrow(/there is no folder .*nowhere to write the journal in/)
})

test('a run that was killed leaves nothing in the way, and one that has ended neither', async () => {
  const file = path.join(folder, 'killed.jsonl')
  const child = await holder(file)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const letGo = await lockJournal(file)
  await expect(lockJournal(file)).rejects.toThrow(/another live run writes this journal, this process/)
  await letGo()
  await (await lockJournal(file))()
})
