// Commits as they happen, from some commit on; connections that are lost are opened again where they were.
import { useEffect, useState } from 'preact/hooks'
import { sentenceOf } from '../shared/sentences.ts'
import type { OperatorClient, ShownCommit } from './operatorClient.ts'

/** How long it waits before it connects again, ms. */
const PAUSE_MS = 2_000

interface FollowedLog {
  /** Newest first, as many as are kept. */
  readonly commits: readonly ShownCommit[]
  /** Whether older ones were let go of. */
  readonly isCut: boolean
  /** Why nothing newer comes, in a sentence. */
  readonly refusal: string | null
}

export interface LogTerms {
  readonly type?: string
  readonly accountId?: string
  readonly marketId?: string
  readonly quietPrices?: 'false'
}

/**
 * The newest `most` commits that match. `after` says from where on; it and the terms keep their identity for as long as
 * they are the same. Null: nothing is asked.
 */
export function useLog(
  client: OperatorClient,
  terms: LogTerms | null,
  after: () => Promise<number>,
  most: number,
): FollowedLog {
  const [log, setLog] = useState<Omit<FollowedLog, 'refusal'>>(NOTHING)
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => {
    setLog(NOTHING)
    setRefusal(null)
    if (terms === null) return
    const leaving = new AbortController()
    let gathered: ShownCommit[] = []
    let isDue = false
    const show = () => {
      isDue = false
      const news = gathered.reverse()
      gathered = []
      setLog(({ commits, isCut }) => {
        const all = [...news, ...commits]
        return { commits: all.slice(0, most), isCut: isCut || all.length > most }
      })
    }
    const follow = async () => {
      let last: number | null = null
      while (!leaving.signal.aborted) {
        try {
          last ??= await after()
          for await (const commit of client.commits({ ...terms }, last, leaving.signal)) {
            last = commit.seq
            setRefusal(null)
            gathered.push(commit)
            // What is not shown yet is not kept either.
            if (gathered.length > 2 * most) gathered = gathered.slice(-most)
            if (!isDue) requestAnimationFrame(show)
            isDue = true
          }
        } catch (error) {
          if (leaving.signal.aborted) return
          setRefusal(sentenceOf(error))
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
    void follow()
    return () => leaving.abort()
  }, [client, terms, after, most])
  return { ...log, refusal }
}

const NOTHING = { commits: [], isCut: false } as const
