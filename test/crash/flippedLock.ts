// A process that opens data directories whose lock was damaged, one a line, and keeps the last until it is told to close it. It
// may not survive one: whoever asks finds out by the silence.

import { createInterface } from 'node:readline'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'

let close = async (): Promise<void> => {}

async function answer(line: string): Promise<string> {
  if (line === 'close') return close().then(() => 'closed')
  try {
    const store = await openLmdbStore(line)
    close = () => store.close()
    return 'open'
  } catch (error) {
    return `${String(error)}`.replaceAll('\n', '\\n')
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${await answer(line)}\n`)
