/** A strategy that threw: which, in what it was told, when, and where in its file. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { moment } from '../output/presentation.ts'
import type { Strategy } from '../strategy/strategy.ts'

/** The hooks of a strategy. */
export type Hook = Exclude<keyof Strategy, 'name'>

/** Thrown by a run whose strategy threw; `cause` is what it threw. */
export class StrategyFailure extends Error {
  override readonly name = 'StrategyFailure'
  /** Epoch ms of the price, or of the end of the bar. */
  readonly at: number

  constructor(strategy: string, hook: Hook, at: number, cause: unknown) {
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    const place = cause instanceof Error ? placeOf(cause) : null
    const where = place === null ? '' : ` (${place})`
    super(`the strategy "${strategy}" failed in ${hook} at ${moment(at)} UTC: ${what}${where}`, { cause })
    this.at = at
  }
}

/** File, line and column of the first frame that is in a file, seen from the working directory; null without one. */
function placeOf({ stack = '' }: Error): string | null {
  for (const line of stack.split('\n')) {
    const [, file, row, column] =
      /\(?((?:file:\/\/)?\/[^()]+?|[A-Za-z]:\\[^()]+?):(\d+):(\d+)\)?$/.exec(line) ?? []
    if (file === undefined || /node_modules|node:/.test(file)) continue
    const name = file.startsWith('file:')
      ? fileURLToPath(file.replace(/\?.*$/, ''))
      : file.replace(/\?.*$/, '')
    return `${path.relative(process.cwd(), name)}:${row}:${column}`
  }
  return null
}
