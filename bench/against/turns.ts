// One work on two libraries in one process: portions take turns, and each is compared with its neighbour, so that whatever
// else the machine does meanwhile slows both down alike. `turns.ts SOURCES SOURCES WORK PORTIONS` prints as JSON the processor time of
// the second over that of the first for each pair of portions. Half as many portions go ahead untimed.

import path from 'node:path'
import { type Library, WORKS } from './works.ts'

const [before = '', now = '', name = '', portions = ''] = process.argv.slice(2)
const prepare = WORKS[name]
if (prepare === undefined) throw new RangeError(`no work ${name}`)
const works = [await prepare(await libraryOf(before)), await prepare(await libraryOf(now))] as const

const ratios: number[] = []
for (let turn = -Number(portions) / 2; turn < Number(portions); turn++) {
  const times = [0, 0]
  for (const which of turn & 1 ? [0, 1] : [1, 0]) times[which] = await processorTime(which)
  if (turn >= 0) ratios.push((times[1] as number) / (times[0] as number))
}
await Promise.all(works.map((work) => work.close?.()))
process.stdout.write(JSON.stringify(ratios))

async function libraryOf(sources: string): Promise<Library> {
  const core = await import(path.join(sources, 'index.ts'))
  const lmdb = await import(path.join(sources, 'store', 'lmdb', 'index.ts'))
  return { ...core, ...lmdb }
}

/** Of one portion, in microseconds, all threads counted. */
async function processorTime(which: number): Promise<number> {
  const work = works[which] as (typeof works)[0]
  await work.ahead?.()
  const began = process.cpuUsage()
  await work.timed()
  const { user, system } = process.cpuUsage(began)
  return user + system
}
