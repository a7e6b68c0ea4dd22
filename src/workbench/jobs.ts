/** Runs that were asked for: a queue, and a process of the same program for each that has its turn. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import path from 'node:path'
import { REPORT_FILE } from '../backtest/export/saveRun.ts'
import { argumentsOf, typedText } from './commandLine.ts'
import { type Fault, faultsOf } from './faults.ts'
import { isProgress, type JobProgress, TOLD_BY_MESSAGE, TOLD_PROGRESS } from './jobProgress.ts'
import type { RunForm } from './runForm.ts'

/** How this program is started: what is typed before the name of a command. */
export interface Program {
  readonly file: string
  readonly words: readonly string[]
}

/** `found`: it ended well, and what it looked for is there. */
type JobState = 'waiting' | 'running' | 'done' | 'found' | 'failed' | 'cancelled'

/** What is told of a job. */
export interface Job {
  readonly id: number
  readonly form: RunForm
  /** As it is typed. */
  readonly command: string
  readonly state: JobState
  readonly progress: JobProgress | null
  /** The last lines of what was printed. */
  readonly output: readonly string[]
  readonly faults: readonly Fault[]
  /** Epoch ms. */
  readonly askedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** What a process prints of more than these is seen in its results. */
const KEPT_LINES = 200
const LONGEST_LINE = 2_000
/** Jobs that have ended are told of so long. */
const KEPT_JOBS = 100
/** More than these wait for nobody. */
const MOST_WAITING = 100
/** One that was asked to end is ended so much later, ms. */
const PATIENCE_MS = 10_000

/** More than wait already. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

export class Jobs {
  readonly #program: Program
  readonly #home: string
  readonly #atOnce: number
  readonly #jobs = new Map<number, Job>()
  readonly #processes = new Map<number, ChildProcess>()
  readonly #listeners = new Set<(job: Job) => void>()
  #last = 0
  #closed = false

  constructor(program: Program, home: string, atOnce: number) {
    this.#program = program
    this.#home = home
    this.#atOnce = atOnce
  }

  /** In the order in which they were asked for. */
  get all(): readonly Job[] {
    return [...this.#jobs.values()]
  }

  /** Returns what ends it. */
  follow(listener: (job: Job) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** @throws QueueFull */
  add(form: RunForm): Job {
    if (this.all.filter(({ state }) => state === 'waiting').length >= MOST_WAITING)
      throw new QueueFull(`${MOST_WAITING} runs wait already`)
    const id = ++this.#last
    this.#tell({
      ...{ id, form, state: 'waiting', progress: null, output: [], faults: [] },
      command: typedText(form),
      ...{ askedAt: Date.now(), startedAt: null, endedAt: null },
    })
    this.#begin()
    return this.#jobs.get(id) as Job
  }

  /** One that waits is not begun; one that runs is interrupted as by Ctrl-C. False where there is none, or it has ended. */
  cancel(id: number): boolean {
    const job = this.#jobs.get(id)
    if (job?.state === 'waiting') {
      this.#tell({ ...job, state: 'cancelled', endedAt: Date.now() })
      return true
    }
    const process = this.#processes.get(id)
    if (job?.state !== 'running' || process === undefined) return false
    this.#tell({ ...job, state: 'cancelled' })
    interrupt(process)
    return true
  }

  /** Ends every process, and waits until they have. */
  async close(): Promise<void> {
    this.#closed = true
    const ended = [...this.#processes.values()].map(
      (process) => new Promise<void>((resolve) => process.once('close', () => resolve())),
    )
    for (const { id } of this.all) this.cancel(id)
    await Promise.all(ended)
  }

  #begin(): void {
    for (const job of this.all)
      if (!this.#closed && job.state === 'waiting' && this.#processes.size < this.#atOnce) this.#start(job)
  }

  #start({ id }: Job): void {
    const { file, words } = this.#program
    const form = this.#now(id).form
    const process = spawn(file, [...words, ...argumentsOf(form)], {
      cwd: this.#home,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...globalThis.process.env, [TOLD_PROGRESS]: TOLD_BY_MESSAGE },
      windowsHide: true,
    })
    this.#processes.set(id, process)
    giveWay(process)
    this.#tell({ ...this.#now(id), state: 'running', startedAt: Date.now() })
    const lines = new LastLines((output) => this.#tell({ ...this.#now(id), output }))
    process.stdout?.setEncoding('utf8').on('data', (text: string) => lines.add('out', text))
    process.stderr?.setEncoding('utf8').on('data', (text: string) => lines.add('err', text))
    process.on('message', (said) => {
      if (isProgress(said)) this.#tell({ ...this.#now(id), progress: said })
    })
    process.on('error', (error) => lines.add('err', `error: ${error.message}\n`))
    process.once('close', (code) => {
      const output = lines.end()
      this.#processes.delete(id)
      const job = this.#now(id)
      const state = job.state === 'cancelled' && code !== 0 ? 'cancelled' : endOf(form, code, this.#home)
      const faults = state === 'failed' ? faultsOf(output, form) : []
      this.#tell({ ...job, state, output, faults, endedAt: Date.now() })
      this.#forget()
      this.#begin()
    })
  }

  #now(id: number): Job {
    return this.#jobs.get(id) as Job
  }

  #tell(job: Job): void {
    this.#jobs.set(job.id, job)
    for (const listener of this.#listeners) listener(job)
  }

  #forget(): void {
    const ended = this.all.filter(({ endedAt, id }) => endedAt !== null && !this.#processes.has(id))
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEPT_JOBS))) this.#jobs.delete(id)
  }
}

/** A look for what a strategy sees ahead ends with 1 where it finds something, and has saved its page by then. */
function endOf({ kind, out }: RunForm, code: number | null, home: string): JobState {
  if (code === 0) return 'done'
  const hasFound = kind === 'look-ahead' && code === 1 && existsSync(path.join(home, out, REPORT_FILE))
  return hasFound ? 'found' : 'failed'
}

/** A run takes every processor there is: the page, and whatever else its user does, come first. */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // It has ended already, or the system grants no priorities.
  }
}

function interrupt(process: ChildProcess): void {
  process.kill('SIGINT')
  const patience = setTimeout(() => process.kill('SIGKILL'), PATIENCE_MS)
  process.once('close', () => clearTimeout(patience))
}

/** The last lines of two outputs, as they came. */
class LastLines {
  readonly #told: (lines: readonly string[]) => void
  readonly #open = { out: '', err: '' }
  #lines: readonly string[] = []

  constructor(told: (lines: readonly string[]) => void) {
    this.#told = told
  }

  add(from: 'out' | 'err', text: string): void {
    const parts = (this.#open[from] + text).split('\n')
    this.#open[from] = (parts.pop() as string).slice(-LONGEST_LINE)
    if (parts.length === 0) return
    this.#take(parts)
    this.#told(this.#lines)
  }

  end(): readonly string[] {
    this.#take([this.#open.out, this.#open.err].filter((rest) => rest !== ''))
    return this.#lines
  }

  #take(lines: readonly string[]): void {
    const shown = lines.map((line) => line.trimEnd().slice(0, LONGEST_LINE))
    this.#lines = [...this.#lines, ...shown].slice(-KEPT_LINES)
  }
}
