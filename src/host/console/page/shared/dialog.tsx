// Something to be decided before anything else: the browser's own dialog, which keeps the focus and closes with Escape.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { mayBeDone, sentenceOf } from './sentences.ts'

interface Props {
  readonly title: string
  readonly children: ComponentChildren
  /** What the button says that does it. */
  readonly action: string
  readonly isReady: boolean
  /** What is typed and chosen in it: what was refused is not said of anything else. */
  readonly written?: string
  /** Where there are tables in it. */
  readonly isWide?: boolean
  /** What to know, in a sentence, before it is sent again where the venue has not said whether it was done. */
  readonly ifLost: string
  /** Does it; the dialog closes when it is done, and says why where it is refused. */
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

interface Refused {
  readonly written: string
  readonly sentence: string
}

export function Dialog(props: Props) {
  const { title, children, action, isReady, written = '', isWide = false, ifLost, onConfirm, onClose } = props
  const place = useRef<HTMLDialogElement>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const [isUnderWay, setUnderWay] = useState(false)
  const titleId = useId()
  // As it comes into the page: a key that follows at once is meant for it.
  useLayoutEffect(() => place.current?.showModal(), [])
  // One that is taken out of the page while it is open does not give the focus back.
  const leave = () => (place.current === null ? onClose() : place.current.close())
  const submit = async (event: Event) => {
    event.preventDefault()
    setUnderWay(true)
    try {
      await onConfirm()
      leave()
    } catch (error) {
      const said = sentenceOf(error)
      setRefused({ written, sentence: mayBeDone(error) ? `${said} ${ifLost}` : said })
      setUnderWay(false)
    }
  }
  return (
    <dialog ref={place} class={isWide ? 'wide' : ''} aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id={titleId}>{title}</h2>
        {children}
        {refused?.written === written && (
          <p class="refusal" role="alert">
            {refused.sentence}
          </p>
        )}
        <div class="decisions">
          <button type="button" onClick={leave}>
            Leave it
          </button>
          <button type="submit" class="primary" disabled={!isReady || isUnderWay}>
            {isUnderWay ? 'Sending…' : action}
          </button>
        </div>
      </form>
    </dialog>
  )
}
