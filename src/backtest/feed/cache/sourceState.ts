/** Whether files are what they were: by size and times, and by their bytes where these do not settle it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { mustBeRegular } from '../../../files/regularFile.ts'
import type { SourceState } from './columnFile.ts'

/** Times of a file may be as coarse as this, ms: a change so soon after another need not show in them. */
const COARSEST_TIME_MS = 2_000

export async function stateOf(file: string): Promise<SourceState> {
  return { ...(await seenOf(file)), sha256: await sha256Of(file) }
}

/** @param begun when the columns began to be made of it, epoch ms. */
export async function isUnchanged(file: string, was: SourceState, begun: number): Promise<boolean> {
  const is = await seenOf(file)
  if (is.size !== was.size) return false
  const settled = Number(BigInt(was.changed) / 1_000_000n) < begun - COARSEST_TIME_MS
  if (settled && is.modified === was.modified && is.changed === was.changed) return true
  return (await sha256Of(file)) === was.sha256
}

async function seenOf(file: string): Promise<Omit<SourceState, 'sha256'>> {
  const { size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
  return { size: Number(size), modified: String(mtimeNs), changed: String(ctimeNs) }
}

async function sha256Of(file: string): Promise<string> {
  await mustBeRegular(file)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), hash)
  return hash.digest('hex')
}
