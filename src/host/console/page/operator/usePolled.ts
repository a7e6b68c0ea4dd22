// What the venue says, asked for again and again while it is on the page.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { sentenceOf } from '../shared/sentences.ts'

export interface Polled<Value> {
  /** Null before the first answer. */
  readonly value: Value | null
  /** Why the last attempt came to nothing, in a sentence. */
  readonly refusal: string | null
  /** Asks at once. */
  readonly again: () => void
}

/** The next is asked `pauseMs` after an answer. `read` keeps its identity for as long as it asks the same. */
export function usePolled<Value>(read: () => Promise<Value>, pauseMs: number): Polled<Value> {
  const [value, setValue] = useState<Value | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isGone = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      try {
        const answer = await read()
        if (isGone) return
        setValue(() => answer)
        setRefusal(null)
      } catch (error) {
        if (isGone) return
        setRefusal(sentenceOf(error))
      }
      timer = setTimeout(ask, pauseMs)
    }
    void ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [read, pauseMs, round])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { value, refusal, again }
}
