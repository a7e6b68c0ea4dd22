/**
 * Calls to the operating system on what lies in a directory: counted by what they are done to, and one of them made to fail.
 * What LMDB does by itself, in C, is not among them.
 */

import fs from 'node:fs'
import fsp, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

const OF_NAMES = [
  'access',
  'link',
  'mkdir',
  'open',
  'readFile',
  'readdir',
  'rename',
  'rm',
  'stat',
  'writeFile',
] as const
const OF_NAMES_AT_ONCE = ['openSync', 'realpathSync', 'statSync'] as const
const OF_HANDLES = ['datasync', 'read', 'stat', 'sync', 'write'] as const
/** Calls on the number of a file. */
const OF_NUMBERS = ['fstatSync', 'readSync'] as const

/** Errors that Linux answers calls with, besides EIO, which answers all of them. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  ENOSPC: ['datasync', 'link', 'mkdir', 'open', 'rename', 'write', 'writeFile'],
  EACCES: ['link', 'mkdir', 'open', 'openSync', 'readFile', 'readdir', 'rename', 'rm', 'writeFile'],
  EMFILE: ['open', 'openSync', 'readFile', 'readdir', 'writeFile'],
}

export const answersTo = (place: string): readonly string[] => [
  'EIO',
  ...Object.keys(ANSWERS).filter((code) => ANSWERS[code]?.includes(place.split(' ')[0] as string)),
]

type Call = (...given: unknown[]) => unknown
type Calls = Record<string, Call>

/** By their names: each has a type of its own, and they are replaced by what only hands on what it is given. */
const callsOf = (module: object) => module as Calls

/** A place is a call with what it is done to, and the how manieth time that is since {@link StruckSystem.begin}: `rename snapshots/incoming 1`. */
export class StruckSystem {
  readonly #directory: string
  readonly #undo: (() => void)[] = []
  /** Open files, by handle and by number. */
  readonly #names = new WeakMap<object, string>()
  readonly #numbers = new Map<number, string>()
  #met = new Map<string, number>()
  #strike: { readonly place: string; readonly code: string } | null = null

  private constructor(directory: string) {
    this.#directory = directory
  }

  /** Until it is put back every call of the process on that directory goes through it. */
  static async on(directory: string): Promise<StruckSystem> {
    const system = new StruckSystem(directory)
    const probe = await fsp.open(process.execPath)
    const methods = Object.getPrototypeOf(probe) as FileHandle
    await probe.close()
    for (const name of OF_NAMES) system.#replaceNamed(callsOf(fsp), name)
    for (const name of OF_NAMES_AT_ONCE) system.#replaceAtOnce(callsOf(fs), name)
    for (const name of OF_HANDLES) system.#replaceOfHandle(callsOf(methods), name)
    system.#replaceCloseSync()
    for (const name of OF_NUMBERS) system.#replaceOfNumber(callsOf(fs), name)
    system.#replaceWrite()
    syncBuiltinESMExports()
    return system
  }

  putBack(): void {
    for (const undo of this.#undo) undo()
    syncBuiltinESMExports()
  }

  /** Counts anew, takes no file for open, and strikes one place. */
  begin(strike: { readonly place: string; readonly code: string } | null = null): void {
    this.#met = new Map()
    this.#numbers.clear()
    this.#strike = strike
  }

  /** Files that are open. */
  get open(): readonly string[] {
    return [...this.#numbers.values()]
  }

  /** Those met since then. */
  get places(): readonly string[] {
    return [...this.#met].flatMap(([call, times]) =>
      Array.from({ length: times }, (_, time) => `${call} ${time + 1}`),
    )
  }

  #replace(of: Calls, name: string, by: (real: Call) => Call): void {
    const real = of[name] as Call
    of[name] = by(real)
    this.#undo.push(() => {
      of[name] = real
    })
  }

  /** What a name stands for: numbers of commits and processes are one and the same. */
  #inside(name: unknown): string | null {
    const relative = path.relative(this.#directory, String(name))
    if (relative.startsWith('..') || path.isAbsolute(relative)) return null
    return relative.replace(/\d{16}/, 'N').replace(/\.\d+$/, '.N') || '.'
  }

  /** The error that a call has to fail with, the first time that it is the one. */
  #fate(call: string, name: string | null | undefined): Error | null {
    if (name == null) return null
    const what = `${call} ${name}`
    const times = (this.#met.get(what) ?? 0) + 1
    this.#met.set(what, times)
    const place = `${what} ${times}`
    if (this.#strike?.place !== place) return null
    const { code } = this.#strike
    return Object.assign(new Error(`${code}: injected, ${place}`), { code, syscall: call })
  }

  #replaceNamed(of: Calls, call: string): void {
    this.#replace(of, call, (real) => async (...given: unknown[]) => {
      const name = typeof given[0] === 'string' ? this.#inside(given[0]) : null
      const error = this.#fate(call, name)
      if (error !== null) throw error
      const result = await real.apply(of, given)
      if (call === 'open') this.#opened(result as FileHandle, name)
      return result
    })
  }

  #opened(handle: FileHandle, name: string | null): void {
    const { fd } = handle
    this.#numbers.delete(fd)
    if (name === null) return
    this.#names.set(handle, name)
    this.#numbers.set(fd, name)
    const close = handle.close.bind(handle)
    // What is closed with an error is closed all the same.
    handle.close = async () => {
      const error = this.#fate('close', name)
      this.#numbers.delete(fd)
      await close()
      if (error !== null) throw error
    }
  }

  #replaceAtOnce(of: Calls, call: string): void {
    this.#replace(of, call, (real) => (...given: unknown[]) => {
      const name = typeof given[0] === 'string' ? this.#inside(given[0]) : null
      const error = this.#fate(call, name)
      if (error !== null) throw error
      const result = real.apply(of, given)
      if (call === 'openSync' && name !== null) this.#numbers.set(result as number, name)
      return result
    })
  }

  #replaceOfNumber(of: Calls, call: string): void {
    this.#replace(of, call, (real) => (...given: unknown[]) => {
      const error = this.#fate(call, this.#numbers.get(given[0] as number))
      if (error !== null) throw error
      return real.apply(of, given)
    })
  }

  #replaceOfHandle(of: Calls, call: string): void {
    const names = this.#names
    const fate = (name: string | undefined) => this.#fate(call, name)
    this.#replace(
      of,
      call,
      (real) =>
        async function (this: object, ...given: unknown[]) {
          const error = fate(names.get(this))
          if (error !== null) throw error
          return real.apply(this, given)
        },
    )
  }

  #replaceCloseSync(): void {
    this.#replace(callsOf(fs), 'closeSync', (real) => (...given: unknown[]) => {
      this.#numbers.delete(given[0] as number)
      return real.apply(fs, given)
    })
  }

  /** Files are written by their number (`nodeDisk.ts`), and by a method where little is written. */
  #replaceWrite(): void {
    this.#replace(callsOf(fs), 'write', (real) => (...given: unknown[]) => {
      const error = this.#fate('write', this.#numbers.get(given[0] as number))
      if (error === null) return real.apply(fs, given)
      const told = given.at(-1) as (error: Error) => void
      setImmediate(told, error)
    })
  }
}
