// A program that serves, started from the root of the tree or from another folder.

import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** Starts it and waits until it listens or ends. */
export async function startedBy(
  by: { readonly uid?: number; readonly cwd?: string },
  ...[program = '', ...args]: string[]
) {
  const child = spawn(program, args, { cwd: root, ...by })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += chunk))
  child.stderr.on('data', (chunk) => (output.err += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const listening = new Promise<void>((resolve) =>
    child.stdout.on('data', () => output.out.includes('listening on http') && resolve()),
  )
  await Promise.race([listening, ended])
  const url = /^listening on (http:\S+)$/m.exec(output.out)?.[1] ?? ''
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { output, url, ended, stop }
}
