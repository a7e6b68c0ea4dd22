/**
 * Every sequence of commands over tiny venues, breadth first, with every law in every step. Exits with 1 when something
 * breaks, and prints the fewest commands that lead there, ready to paste; or when something was not reached that the
 * search has to reach.
 *
 *     npm run exhaustive                                     a million states
 *     npm run exhaustive -- --states 10000000 --workers 4
 *     npm run exhaustive -- --scene minute --scene days
 *     npm run exhaustive -- --help
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { Reach } from '../../src/testing/index.ts'
import { notReached } from './reached.ts'
import { SCENES } from './scenes.ts'
import { lineOf, type SceneReport, type SceneSearch, shared } from './searchScene.ts'
import type { WorkerAnswer } from './worker.ts'

const whole = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('not a whole number above 0')
  return Number(text)
}
const several = (name: string, before: readonly string[]): string[] => {
  if (!(name in SCENES)) throw new InvalidArgumentError(`the scenes are ${Object.keys(SCENES).join(', ')}`)
  return [...before, name]
}

const { states, scene, workers } = new Command('npm run exhaustive --')
  .description('Tries every sequence of commands over tiny venues, and holds every step to every law.')
  .option('--states <n>', 'how many states, over all scenes', whole, 1_000_000)
  .option('--scene <name>', 'only this scene, to its share of the states; may be repeated', several, [])
  .option('--workers <n>', 'processes at a time, each on a scene of its own', whole, availableParallelism())
  .parse()
  .opts<{ states: number; scene: string[]; workers: number }>()

const queue = shared(states).filter(({ name }) => scene.length === 0 || scene.includes(name))

/** States known so far, by scene. */
const known = new Map<string, number>()
const began = performance.now()

/** Searches scenes from the queue, in a process of its own, until none is left. */
function work(): Promise<SceneReport[]> {
  const reports: SceneReport[] = []
  // Nearly everything dies young here: with more room for the young, they are collected less often. Threads of the collector would
  // take turns with the other searches.
  const execArgv = [...process.execArgv, '--max-semi-space-size=32', '--single-threaded-gc']
  const child = fork(path.join(import.meta.dirname, 'worker.ts'), { serialization: 'advanced', execArgv })
  return new Promise<SceneReport[]>((resolve, reject) => {
    let at: SceneSearch | undefined
    const next = () => {
      at = queue.shift()
      if (at === undefined) resolve(reports)
      else child.send(at)
    }
    child.on('exit', (code, signal) => reject(new Error(`a process ended with ${signal ?? code}`)))
    child.on('message', (answer: WorkerAnswer) => {
      if ('broken' in answer) return reject(new Error(`${at?.name}: ${answer.broken}`))
      if ('known' in answer) return known.set(at?.name ?? '', answer.known)
      known.set(answer.report.name, answer.report.states)
      console.log(lineOf(answer.report))
      reports.push(answer.report)
      next()
    })
    next()
  }).finally(() => child.kill())
}

function tellProgress(): void {
  const sum = [...known.values()].reduce((all, number) => all + number, 0)
  const seconds = (performance.now() - began) / 1_000
  console.error(`${sum.toLocaleString('en')} states in ${seconds.toFixed(0)} s`)
}

async function main(): Promise<void> {
  const telling = setInterval(tellProgress, 30_000)
  const pool = Array.from({ length: Math.min(workers, queue.length) }, work)
  const reports = (await Promise.all(pool).finally(() => clearInterval(telling))).flat()
  tellProgress()
  const reach = new Reach()
  for (const { reached } of reports) reach.add(reached)
  console.log(`\n${reach}`)
  // Scenes are about different rules: only all of them together reach everything.
  const missing = scene.length === 0 ? notReached(reach) : []
  if (missing.length > 0) throw new Error(`not reached: ${missing.join(' · ')}`)
}

await main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
