// `margin-core serve` as a process of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export class HostProcess {
  /** Those that a failed test left behind. */
  static readonly running = new Set<HostProcess>()
  readonly #process: ChildProcess
  readonly url: string
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  readonly #told: { complaints: string }

  private constructor(
    child: ChildProcess,
    url: string,
    ended: Promise<number | NodeJS.Signals>,
    told: { complaints: string },
  ) {
    this.#process = child
    this.url = url
    this.ended = ended
    this.#told = told
    HostProcess.running.add(this)
    void ended.then(() => HostProcess.running.delete(this))
  }

  /** Starts a program with its arguments, and waits until it listens. */
  static start(program: string, ...args: string[]): Promise<HostProcess> {
    return HostProcess.startIn({}, program, ...args)
  }

  /** The same, with more in its environment. */
  static async startIn(
    environment: Readonly<Record<string, string>>,
    program: string,
    ...args: string[]
  ): Promise<HostProcess> {
    const env = { ...process.env, ...environment }
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    const told = { complaints: '' }
    child.stderr.on('data', (chunk) => {
      told.complaints += String(chunk)
    })
    const ended = new Promise<number | NodeJS.Signals>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? (code as number))),
    )
    let out = ''
    const listening = new Promise<string>((resolve) =>
      child.stdout.on('data', (chunk) => {
        out += String(chunk)
        const url = /^listening on (http:\S+)$/m.exec(out)?.[1]
        if (url !== undefined) resolve(url)
      }),
    )
    const early = ended.then((how) => {
      throw new Error(`the host ended with ${how} before it listened: ${told.complaints}`)
    })
    return new HostProcess(child, await Promise.race([listening, early]), ended, told)
  }

  /** What it wrote to standard error. */
  get complaints(): string {
    return this.#told.complaints
  }

  /** The most memory it has held so far, bytes; 0 once it is gone. */
  peakMemory(): number {
    try {
      const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
    } catch {
      return 0
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    this.#process.kill(signal)
    return this.ended
  }
}
