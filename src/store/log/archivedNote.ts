/**
 * What was moved out of a log, as a file beside those that stayed: a first file that is missing is a loss, unless this
 * says that it was archived (K14).
 */

import { crc32 } from '../../hashes/crc32.ts'
import { StoreDamaged } from '../store.ts'
import { hex } from './bytes.ts'
import type { Disk } from './disk.ts'
import { GENESIS_CHAIN } from './segmentHeader.ts'
import { writeWhole } from './wholeFile.ts'

/** The commits before the first file of a log. */
export interface Before {
  /** The last of them; 0 = there are none. */
  readonly head: number
  /** The chain after it. */
  readonly chain: Uint8Array
}

export const ARCHIVED_NOTE = 'archived'
const INCOMING = `${ARCHIVED_NOTE}.incoming`

/** @throws StoreDamaged where the note fails its check. */
export async function archivedOn(disk: Disk): Promise<Before> {
  if (!(await disk.list()).includes(ARCHIVED_NOTE)) return { head: 0, chain: GENESIS_CHAIN }
  const file = await disk.open(ARCHIVED_NOTE)
  const bytes = new Uint8Array(file.size)
  await file.read(bytes, 0).finally(() => file.close())
  const text = String.fromCharCode(...bytes)
  const [, head = '', chain = ''] = /^commits 1 to ([0-9]{1,16}) .* ([0-9a-f]{64}) check /.exec(text) ?? []
  const before = { head: Number(head), chain: Uint8Array.from(chain.match(/../g) ?? [], fromHex) }
  if (chain === '' || textOf(before) !== text)
    throw new StoreDamaged(1, 'the note of what was archived is damaged')
  return before
}

/** Replaces the note; resolves once that is on the medium. */
export async function noteArchived(disk: Disk, before: Before): Promise<void> {
  await writeWhole(disk, ARCHIVED_NOTE, INCOMING, ascii(textOf(before)))
  await disk.flush()
}

function textOf({ head, chain }: Before): string {
  const text = `commits 1 to ${head} were archived, with chain ${hex(chain)}`
  const bytes = ascii(text)
  return `${text} check ${crc32(bytes, 0, bytes.length)}\n`
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function fromHex(digits: string): number {
  return Number.parseInt(digits, 16)
}
