/**
 * One copy of the tree, one warm vitest on it: puts a mistake in, runs test files up to the first that notices, takes it
 * out again. What hangs or eats memory is ended with everything it started.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ProcessGroup } from './processGroup.ts'
import { TreeCopy } from './tree.ts'
import type { Answer, Order } from './warmVitest.ts'

export type Outcome =
  | { readonly result: 'passed' | 'failed'; readonly by: string; readonly seconds: number }
  | { readonly result: 'out of bounds'; readonly by: string; readonly seconds: number }

const LOOKS_EVERY_MS = 200
const MOST_MEMORY = 4 * 2 ** 30

export class Workbench {
  readonly tree = new TreeCopy()
  #process: Promise<ChildProcess> | null = null
  #changed: string[] = []

  /** Puts a text in the place of a file; gives what undoes it. */
  replace(file: string, text: string): () => void {
    const original = this.tree.read(file)
    const write = (content: string) => {
      this.tree.write(file, content)
      this.#changed.push(file)
    }
    write(text)
    return () => write(original)
  }

  /**
   * @param limit Seconds after which the run is ended: of its own, what it waits for a processor that others have left out.
   * @param within Seconds by the clock of the wall, after which it is ended as well.
   * @param names Run these tests of the file alone; empty for all of them.
   */
  async run(
    test: string,
    limit: number,
    {
      names = [],
      notes,
      within = Number.POSITIVE_INFINITY,
    }: { names?: readonly string[]; notes?: string; within?: number } = {},
  ): Promise<Outcome> {
    this.#process ??= started(this.tree)
    const process = await this.#process
    const changed = this.#changed
    this.#changed = []
    const group = new ProcessGroup(process.pid as number)
    const ends = performance.now() + within * 1_000
    const answered = answerOf(process)
    process.send({ test, names, changed, ...(notes === undefined ? {} : { notes }) } satisfies Order)
    for (;;) {
      const answer = await Promise.race([answered, pause(LOOKS_EVERY_MS, 'working' as const)])
      if (answer !== 'working') {
        if (answer === null) this.#process = null
        const failed = answer === null ? 'the process ended' : answer.failed
        return { result: failed === null ? 'passed' : 'failed', by: failed ?? '', seconds: group.look() }
      }
      const seconds = group.look()
      const isOver = seconds > limit || performance.now() > ends
      const excess = isOver ? `${limit.toFixed(0)} s` : group.bytes > MOST_MEMORY ? 'memory' : null
      if (excess === null) continue
      await this.#end()
      return { result: 'out of bounds', by: excess, seconds }
    }
  }

  async close(): Promise<void> {
    await this.#end()
    this.tree.remove()
  }

  async #end(): Promise<void> {
    const ended = await this.#process
    this.#process = null
    if (ended?.pid !== undefined && ended.exitCode === null) {
      const exit = new Promise((resolve) => ended.once('exit', resolve))
      // It leads a group of its own: the tests, and whatever they have started, end with it.
      process.kill(-ended.pid, 'SIGKILL')
      await exit
    }
  }
}

/** Attends to one item after the other, at every bench at once. */
export async function forEach<T>(
  benches: readonly Workbench[],
  items: readonly T[],
  attend: (bench: Workbench, item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const work = async (bench: Workbench) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await attend(bench, item)
  }
  await Promise.all(benches.map(work))
}

async function started({ root, scratch }: TreeCopy): Promise<ChildProcess> {
  const child = fork(path.join(root, 'test/mutants/warmVitest.ts'), [root], {
    cwd: root,
    detached: true,
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`vitest did not start: ${code}`)))
    giveWay(child)
  })
  return child
}

/**
 * As nice as whoever starts it. A process that leads a session of its own is scheduled as a group of its own, whose niceness
 * Linux keeps apart from that of its processes (`man 7 sched`, autogroups): it begins at 0, whatever the command was given.
 */
function giveWay({ pid }: ChildProcess): void {
  try {
    const group = Number(/nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'))?.[1] ?? 0)
    const nice = Math.max(group, getPriority())
    if (nice > 0) writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // There are no such groups here, or it has ended meanwhile.
  }
}

/** null where the process ends without one. */
const answerOf = (child: ChildProcess): Promise<Answer | null> =>
  new Promise((resolve) => {
    const gone = () => resolve(null)
    child.once('exit', gone)
    child.once('message', (answer: Answer) => {
      child.off('exit', gone)
      resolve(answer)
    })
  })
