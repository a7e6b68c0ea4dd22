// A process that opens data directories, one a line, in which something was flipped of what is derived, and tells what it read
// there. It may not survive one: whoever asks finds out by the silence.

import { createInterface } from 'node:readline'
import { openEngine, projection } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { everythingReadable } from '../store/traffic.ts'

const deposits = projection({
  name: 'deposits',
  version: 1,
  key: ({ accountId }) => accountId,
  initial: () => ({ sum: 0n, times: 0 }),
  on: {
    balanceAdjusted(row, { amount }) {
      row.sum += amount
      row.times += 1
    },
  },
})

const text = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))

async function answer(directory: string): Promise<object> {
  const notices: string[] = []
  try {
    const store = await openLmdbStore(directory)
    const onNotice = (notice: string) => void notices.push(notice)
    const engine = await openEngine({ store, projections: [deposits], onNotice })
    const read = text([engine.head, engine.stateHash(), everythingReadable(engine, 50)])
    const rows = text([...engine.projection(deposits)])
    const snapshotSeq = engine.recovery?.snapshotSeq
    await engine.close()
    return { read, rows, snapshotSeq, notices }
  } catch (error) {
    return { refused: String(error) }
  }
}

for await (const directory of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(directory))}\n`)
