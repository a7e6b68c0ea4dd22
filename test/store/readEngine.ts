// Opens a data directory in a process of its own, says what it finds there and whether a command is refused, and leaves.

import { openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'

try {
  const engine = await openEngine({ store: await openLmdbStore(process.argv[2] as string) })
  const { head, unwritable } = engine
  const stateHash = engine.stateHash()
  const refused = await engine.send({ type: 'advanceTime', ms: 0 }).then(
    () => null,
    (error: Error) => error.message,
  )
  await engine.close()
  process.stdout.write(JSON.stringify({ head, stateHash, unwritable, refused }))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
}
