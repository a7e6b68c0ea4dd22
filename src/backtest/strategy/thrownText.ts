/** What the code of a strategy threw, in words, and where in its file. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** `TypeError: x is not a function (mine.ts:4:5)`. */
export function thrownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const place = placeOf(thrown)
  return `${thrown.name}: ${thrown.message}${place === null ? '' : ` (${place})`}`
}

/**
 * File, line and column of the first frame that is in a file of the user's, seen from the working directory: what an action refuses is
 * thrown in this package, and asked for there. Null without such a frame.
 */
function placeOf({ stack = '' }: Error): string | null {
  const frames = stack.split('\n').flatMap((line) => frameIn(line) ?? [])
  const frame = frames.find(({ file }) => !file.startsWith(OWN_FILES)) ?? frames[0]
  return frame === undefined ? null : `${path.relative(process.cwd(), frame.file)}:${frame.place}`
}

interface Frame {
  readonly file: string
  /** `4:5`: line and column. */
  readonly place: string
}

/** Where the files of this package are. */
const OWN_FILES = fileURLToPath(new URL('../../', import.meta.url))

/** Null for a line that names no file, and for one of Node or of a package. */
function frameIn(line: string): Frame | null {
  const [, named, place] = /\(?((?:file:\/\/)?\/[^()]+?|[A-Za-z]:\\[^()]+?):(\d+:\d+)\)?$/.exec(line) ?? []
  if (named === undefined || place === undefined || /node_modules|node:/.test(named)) return null
  const bare = named.replace(/\?.*$/, '')
  return { file: bare.startsWith('file:') ? fileURLToPath(bare) : bare, place }
}
