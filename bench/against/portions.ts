// `portions.ts SOURCES WORK`: does a portion whenever its parent says so, and answers with its processor time, µs, all threads counted.

import path from 'node:path'
import { type Library, WORKS } from './works.ts'

const [sources = '', name = ''] = process.argv.slice(2)
const prepare = WORKS[name]
if (prepare === undefined) throw new RangeError(`no work ${name}`)
const core = await import(path.join(sources, 'index.ts'))
const lmdb = await import(path.join(sources, 'store', 'lmdb', 'index.ts'))
const library: Library = { ...core, ...lmdb }
const work = await prepare(library, sources)

process.on('message', async (word) => {
  if (word === 'the end') {
    await work.close?.()
    process.disconnect()
    return
  }
  await work.ahead?.()
  const began = process.cpuUsage()
  await work.timed()
  const { user, system } = process.cpuUsage(began)
  process.send?.(user + system)
})
process.send?.(0)
