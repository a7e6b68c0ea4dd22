/** One request to an archive: asked again where it has too much to do, and every failure told in a sentence. */
import { setTimeout as sleep } from 'node:timers/promises'
import { FeedError } from '../feed/feedError.ts'

/** Before a request is made again, ms. */
export type Wait = (ms: number) => Promise<unknown>

const TRIES = 4
/** Longer than this nobody waits before a command. */
const LONGEST_WAIT_MS = 60_000
/** Too many requests, and what goes by itself. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/**
 * @returns what the archive has: the whole (200), what was left (206), or that nothing is (416).
 * @throws FeedError where it is out of reach, has no such file, refuses, or still has too much to do after some tries.
 */
export async function archiveAnswer(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  wait: Wait = sleep,
): Promise<Response> {
  for (let tried = 1; ; tried++) {
    const response = await asked(url, headers)
    if (response.ok || response.status === 416) return response
    await response.body?.cancel()
    const asksForMs = waitOf(response)
    const isOver = tried === TRIES || (asksForMs !== null && asksForMs > LONGEST_WAIT_MS)
    if (!PASSING.has(response.status) || isOver) throw new FeedError(url, null, refusal(response, asksForMs))
    await wait(asksForMs ?? 500 * 2 ** tried)
  }
}

async function asked(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    // What is packed once more on its way would come unpacked, and have another length. For a range fetch asks so by itself.
    return await fetch(url, {
      headers: 'range' in headers ? headers : { 'accept-encoding': 'identity', ...headers },
    })
  } catch (error) {
    throw new FeedError(url, null, `the archive cannot be reached (${reasonOf(error as Error)})`)
  }
}

/** What `Retry-After` says, in seconds or as an instant; null where it says nothing. */
function waitOf({ headers }: Response): number | null {
  const said = headers.get('retry-after')
  if (said === null) return null
  if (/^\d+$/.test(said)) return Number(said) * 1000
  const instant = Date.parse(said)
  const now = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(instant) || Number.isNaN(now) ? null : Math.max(instant - now, 0)
}

function refusal({ status }: Response, asksForMs: number | null): string {
  if (status === 404) return NO_SUCH_FILE
  if (status === 403) return 'the archive refuses it (403), as some do of what they do not have'
  if (asksForMs !== null)
    return `the archive answers ${status} and asks to come again in ${Math.ceil(asksForMs / 1000)} s`
  return `the archive answers ${status}`
}

/** The reason of a failure for a file that is not there, as against one that is out of reach. */
export const NO_SUCH_FILE = 'the archive has no such file'

/** What fetch says of itself is the same for every reason: "fetch failed", "terminated". */
export function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}
