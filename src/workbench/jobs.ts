/**
 * Runs that were asked for: a queue, and a process of the same program for each that has its turn. A live run waits for none, gives way to
 * none, and is ended as it was asked to end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import path from 'node:path'
import { REPORT_FILE } from '../backtest/export/saveRun.ts'
import { argumentsOf, typedText } from './commandLine.ts'
import { type Fault, faultsOf } from './faults.ts'
import { isProgress, type JobProgress, TOLD_BY_MESSAGE, TOLD_PROGRESS } from './jobProgress.ts'
import { LastLines } from './lastLines.ts'
import { isStanding, type LiveStanding } from './liveStanding.ts'
import type { RunForm } from './runForm.ts'
import { environmentFor } from './venueKeys.ts'

/** How this program is started: what is typed before the name of a command. */
export interface Program {
  readonly file: string
  readonly words: readonly string[]
}

/** `found`: it ended well, and what it looked for is there. `cancelled`: it was asked to end, and has not by then or not by itself. */
type JobState = 'waiting' | 'running' | 'done' | 'found' | 'failed' | 'cancelled'

/** What is told of a job. */
export interface Job {
  readonly id: number
  readonly form: RunForm
  /** As it is typed. */
  readonly command: string
  readonly state: JobState
  readonly progress: JobProgress | null
  /** Of a live run, as it was told last. */
  readonly standing: LiveStanding | null
  /** The last lines of what was printed. */
  readonly output: readonly string[]
  readonly faults: readonly Fault[]
  /** Epoch ms. */
  readonly askedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Jobs that have ended are told of so long. */
const KEPT_JOBS = 100
/** More than these wait for nobody. */
const MOST_WAITING = 100
/** More than these trade beside each other by mistake. */
const MOST_LIVE = 20
/** One that was asked to end is ended so much later, ms. */
const PATIENCE_MS = 10_000

/** As many as wait, or as trade, already. */
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
    if (trades(form)) {
      if (this.live.length >= MOST_LIVE) throw new QueueFull(`${MOST_LIVE} live runs go on already`)
    } else if (this.all.filter(({ state }) => state === 'waiting').length >= MOST_WAITING)
      throw new QueueFull(`${MOST_WAITING} runs wait already`)
    const id = ++this.#last
    this.#tell({
      ...{ id, form, state: 'waiting', progress: null, standing: null, output: [], faults: [] },
      command: typedText(form),
      ...{ askedAt: Date.now(), startedAt: null, endedAt: null },
    })
    this.#begin()
    return this.#jobs.get(id) as Job
  }

  /**
   * One that waits is not begun; one that runs is interrupted as by Ctrl-C. A live run that is ending already ends at once, and leaves everything
   * as it is. False where there is none, or it has ended.
   */
  cancel(id: number): boolean {
    const job = this.#jobs.get(id)
    if (job?.state === 'waiting') {
      this.#tell({ ...job, state: 'cancelled', endedAt: Date.now() })
      return true
    }
    const process = this.#processes.get(id)
    if (job === undefined || process === undefined) return false
    const isEnding = job.state === 'cancelled'
    if (isEnding && !trades(job.form)) return false
    this.#tell({ ...job, state: 'cancelled' })
    // What a live run closes at its end takes as long as the venue does.
    if (trades(job.form) && !isEnding) process.kill('SIGINT')
    else interrupt(process)
    return true
  }

  /** Live runs that go on, those that are ending among them. */
  get live(): readonly Job[] {
    return this.all.filter(({ id, form }) => trades(form) && this.#processes.has(id))
  }

  /** Ends every process, and waits until they have. */
  async close(): Promise<void> {
    this.#closed = true
    const ended = [...this.#processes.values()].map(
      (process) => new Promise<void>((resolve) => process.once('close', () => resolve())),
    )
    for (const { id, state } of this.all) if (state !== 'cancelled') this.cancel(id)
    await Promise.all(ended)
  }

  #begin(): void {
    for (const job of this.all) {
      const hasTurn = trades(job.form) || this.#processes.size - this.live.length < this.#atOnce
      if (!this.#closed && job.state === 'waiting' && hasTurn) this.#start(job)
    }
  }

  #start({ id }: Job): void {
    const { file, words } = this.#program
    const form = this.#now(id).form
    const process = spawn(file, [...words, ...argumentsOf(form)], {
      cwd: this.#home,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...environmentFor({ trades: trades(form) }), [TOLD_PROGRESS]: TOLD_BY_MESSAGE },
      // Ctrl-C in the terminal is for the workbench, which passes it on once: a second ends a live run at once.
      detached: trades(form),
      windowsHide: true,
    })
    this.#processes.set(id, process)
    if (!trades(form)) giveWay(process)
    this.#tell({ ...this.#now(id), state: 'running', startedAt: Date.now() })
    const lines = new LastLines((output) => this.#tell({ ...this.#now(id), output }))
    process.stdout?.setEncoding('utf8').on('data', (text: string) => lines.add('out', text))
    process.stderr?.setEncoding('utf8').on('data', (text: string) => lines.add('err', text))
    process.on('message', (said) => {
      if (isProgress(said)) this.#tell({ ...this.#now(id), progress: said })
      if (isStanding(said)) this.#tell({ ...this.#now(id), standing: said.standing })
    })
    process.on('error', (error) => lines.add('err', `error: ${error.message}\n`))
    process.once('close', (code) => {
      const output = lines.end()
      this.#processes.delete(id)
      const job = this.#now(id)
      // A live run that was asked to end ends by itself, or has failed to.
      const isCutOff = job.state === 'cancelled' && (trades(form) ? code === null : code !== 0)
      const state = isCutOff ? 'cancelled' : endOf(form, code, this.#home)
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

function trades({ kind }: RunForm): boolean {
  return kind === 'live'
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
