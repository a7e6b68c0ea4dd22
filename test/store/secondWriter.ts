// A process that takes a data directory, appends two commits, says so, and ends when its input does.

import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { sampleCommit } from '../../src/testing/index.ts'

const store = await openLmdbStore(process.argv[2] as string)
const { head, epoch } = await store.open()
for (const seq of [head + 1, head + 2]) await store.append([sampleCommit(seq)], seq - 1, epoch)
process.stdout.write('appended\n')
process.stdin.resume().on('end', () => void store.close())
