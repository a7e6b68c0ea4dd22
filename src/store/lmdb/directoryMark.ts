/**
 * How far the log of a directory has been durable, kept beside it: a log that was cut, or lost its last file, cannot say
 * so itself (K7). The file names its own inode, so that a copy of it is known for one: in a directory that was copied
 * while a venue was at work, what is derived may have been copied later than the log, and proves nothing.
 */
import { randomInt } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { mustBeRegular } from '../../files/regularFile.ts'
import { crc32 } from '../../hashes/crc32.ts'
import { WRITES_THROUGH } from './nodeDisk.ts'

/** The file, in a directory that a venue has been opened in. */
export const MARK = 'durable'
/** Two places, written in turns: one of them is whole whenever the power goes. A third says whose directory it is, and stays. */
const PLACE = 512
const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_DSYNC ?? 0)

export interface Claim {
  /** The log was durable up to this commit; 0 where nothing says so. */
  readonly head: number
  /** The directory is a copy of the one that was written. */
  readonly copied: boolean
  /** How often it has been opened to be written. */
  readonly openings: number
  /** What the venue of the directory is known by, which what is derived says as well (K8); 0 where nothing says it. */
  readonly venue: number
}

export class DirectoryMark {
  readonly #file: FileHandle
  readonly #identity: number
  readonly openings: number
  readonly venue: number
  #turn = 0
  #head = -1

  private constructor(file: FileHandle, identity: number, openings: number, venue: number) {
    this.#file = file
    this.#identity = identity
    this.openings = openings
    this.venue = venue
  }

  /** What the directory says of its log. */
  static async read(directory: string): Promise<Claim> {
    const name = path.join(directory, MARK)
    await mustBeRegular(name)
    const text = await readFile(name, 'latin1').catch((error: NodeJS.ErrnoException) => {
      // What cannot be read is not taken for nothing: it may know of commits that the log has lost.
      if (error.code !== 'ENOENT') throw error
      return null
    })
    if (text === null) return { head: 0, copied: false, openings: 0, venue: 0 }
    const { ino } = await stat(name)
    const lines = [text.slice(0, PLACE), text.slice(PLACE)].map(parse).filter((line) => line !== null)
    const head = Math.max(0, ...lines.map((line) => line.head))
    const copied = lines.length > 0 && lines.every(({ identity }) => identity !== ino)
    const openings = Math.max(0, ...lines.map((line) => line.openings))
    return { head: copied ? 0 : head, copied, openings, venue: copied ? 0 : venueIn(text.slice(2 * PLACE)) }
  }

  /** Opened by whoever holds the directory. A copy is put aside for a file of its own. */
  static async open(directory: string, { copied, openings, venue }: Claim): Promise<DirectoryMark> {
    const name = path.join(directory, MARK)
    if (copied) await rm(name)
    const file = await open(name, FLAGS, 0o600)
    try {
      const known = venue === 0 ? await drawnVenue(file) : venue
      return new DirectoryMark(file, (await file.stat()).ino, openings + 1, known)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Says that the log is durable up to a commit. */
  async write(head: number): Promise<void> {
    if (head <= this.#head) return
    this.#head = head
    const text = lineOf({ head, identity: this.#identity, openings: this.openings })
    this.#turn = 1 - this.#turn
    await this.#file.write(text.padEnd(PLACE - 1).concat('\n'), this.#turn * PLACE, 'latin1')
    if (!WRITES_THROUGH) await this.#file.datasync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

interface Line {
  readonly head: number
  readonly identity: number
  readonly openings: number
}

function lineOf({ head, identity, openings }: Line): string {
  // Of directories that no build which counts has opened.
  const counted = openings === 0 ? '' : ` opening ${openings}`
  return checkedLine(`durable up to commit ${head} in file ${identity}${counted}`)
}

function checkedLine(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `${text} check ${crc32(bytes, 0, bytes.length)}`
}

function parse(place: string): Line | null {
  const found =
    /^durable up to commit ([0-9]{1,16}) in file ([0-9]{1,20})(?: opening ([0-9]{1,15}))? check [0-9]+/.exec(
      place,
    )
  if (found === null) return null
  const [text, head, identity, openings = 0] = found
  const line = { head: Number(head), identity: Number(identity), openings: Number(openings) }
  return text === lineOf(line) ? line : null
}

/** Above any that is said: what is derived has three bytes for it. */
const VENUES = 1 << 24

async function drawnVenue(file: FileHandle): Promise<number> {
  const venue = randomInt(1, VENUES)
  await file.write(
    venueLine(venue)
      .padEnd(PLACE - 1)
      .concat('\n'),
    2 * PLACE,
    'latin1',
  )
  if (!WRITES_THROUGH) await file.datasync()
  return venue
}

const venueLine = (venue: number): string => checkedLine(`of venue ${venue}`)

/** 0 where it was not said yet, or cannot be read any more: it is drawn anew. */
function venueIn(place: string): number {
  const [text, venue = 0] = /^of venue ([0-9]{1,8}) check [0-9]+/.exec(place) ?? []
  return text === venueLine(Number(venue)) ? Number(venue) : 0
}
