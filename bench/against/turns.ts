// One work on two libraries in turns: a process for each, of which one works while the other waits, and each portion is compared with
// its neighbour, so that whatever else the machine does meanwhile slows both down alike. `turns.ts SOURCES SOURCES WORK PORTIONS` prints as
// JSON the processor time of the second over that of the first for each pair of portions. As many portions go ahead untimed.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const [before = '', now = '', name = '', portions = ''] = process.argv.slice(2)
const works = [working(before), working(now)] as const
for (const work of works) await said(work)

const ratios: number[] = []
for (let turn = -Number(portions); turn < Number(portions); turn++) {
  const times = [0, 0]
  for (const which of turn & 1 ? [0, 1] : [1, 0]) {
    const work = works[which] as ChildProcess
    work.send('a portion')
    times[which] = await said(work)
  }
  if (turn >= 0) ratios.push((times[1] as number) / (times[0] as number))
}
for (const work of works) {
  work.send('the end')
  await once(work, 'exit')
}
process.stdout.write(JSON.stringify(ratios))

/** A process with one of the libraries. What it prints is not a result. */
function working(sources: string): ChildProcess {
  const options = { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as const }
  return fork(path.join(import.meta.dirname, 'portions.ts'), [sources, name], {
    ...options,
    stdio: [...options.stdio],
  })
}

function said(work: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    work.once('message', (time) => {
      work.removeListener('exit', ended)
      resolve(time as number)
    })
    const ended = (code: number | null) => reject(new Error(`${name} ended with ${code}`))
    work.once('exit', ended)
  })
}
