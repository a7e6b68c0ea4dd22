/**
 * A file on its way: what has come of it, and which file of the archive that is the beginning of. It is gone on with only where the rest is of the
 * same file: an archive's hash decides in the end, or else the archive says that it still has the file that was begun (RFC 9110, 13.1.5).
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { FeedError } from '../feed/feedError.ts'
import { archiveAnswer, reasonOf, type Wait } from './archiveRequest.ts'

export class BegunFile {
  /** What a file is called until it is whole and its hash is that of the archive. */
  readonly part: string
  /** Which file it is the beginning of, as the archive said when it was begun. */
  readonly #mark: string
  readonly #url: string

  constructor(url: string, whole: string) {
    this.#url = url
    this.part = `${whole}.part`
    this.#mark = `${whole}.etag.part`
  }

  /**
   * Brings what is missing.
   *
   * @param isGuarded whether a hash will tell if the parts are of one file.
   * @returns whether what had been brought before was gone on with.
   * @throws FeedError where the archive or the disk fails.
   */
  async bring(isGuarded: boolean, wait: Wait | undefined): Promise<boolean> {
    const begun = await sizeOf(this.part)
    const mark = begun === 0 ? null : await readFile(this.#mark, 'utf8').catch(() => null)
    if (begun > 0 && (isGuarded || mark !== null)) {
      const range = { range: `bytes=${begun}-`, ...(mark !== null && { 'if-range': mark }) }
      const response = await archiveAnswer(this.#url, range, wait)
      if (response.status === 200) return this.#begin(response)
      const isSame = isGuarded || (isOf(response, mark) && response.status === 206)
      if (isSame && response.status === 416) return false
      if (isSame && beginOf(response) === begun) {
        await this.#written(response, 'a')
        return true
      }
      await response.body?.cancel()
    }
    return this.#begin(await archiveAnswer(this.#url, {}, wait))
  }

  async remove(): Promise<void> {
    await Promise.all([this.part, this.#mark].map((file) => rm(file, { force: true })))
  }

  async #begin(response: Response): Promise<false> {
    const mark = markOf(response)
    await rm(this.#mark, { force: true })
    if (mark !== null)
      await writeFile(this.#mark, mark).catch((error: Error) => {
        throw this.#failure(error)
      })
    await this.#written(response, 'w')
    return false
  }

  async #written(response: Response, flags: 'a' | 'w'): Promise<void> {
    await written(response, this.part, flags).catch((error: Error) => {
      throw this.#failure(error)
    })
  }

  #failure(error: Error): FeedError {
    // A call of the system that failed itself was the file's: one of the connection is the cause of fetch's own error.
    if ('syscall' in error) return new FeedError(this.part, null, `it cannot be written (${error.message})`)
    return new FeedError(this.#url, null, `it was cut off (${reasonOf(error)}); fetch it again to go on`)
  }
}

async function written({ body }: Response, file: string, flags: 'a' | 'w'): Promise<void> {
  const sent = body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream)
  const part = createWriteStream(file, { flags })
  try {
    await pipeline(sent, part)
  } finally {
    // A write that was under way when the archive hung up is in the file before anybody looks how long it is.
    if (!part.closed) await once(part, 'close')
  }
}

/** What says of a file that it is the same: an ETag that is not weak, or else when it was changed last; null where neither is said, or it came unpacked. */
function markOf({ headers }: Response): string | null {
  if (headers.has('content-encoding')) return null
  const tag = headers.get('etag')
  return tag === null || tag.startsWith('W/') ? headers.get('last-modified') : tag
}

/** Whether the rest is of the file that was begun. It has to say its ETag again, but not when it was changed: that it was asked, and has sent the rest, says it. */
function isOf(response: Response, mark: string | null): boolean {
  if (mark === null) return false
  const own = markOf(response)
  return own === mark || (own === null && !mark.startsWith('"'))
}

function beginOf({ headers }: Response): number | null {
  const [, begin] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? []
  return begin === undefined ? null : Number(begin)
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
