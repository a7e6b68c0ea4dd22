// Where the keyboard is when the row that it was in is gone.
import { useLayoutEffect, useRef } from 'preact/hooks'

/** For a row that comes and goes: whoever was in it is at the title of its list afterwards, and not at the top of the page. */
export function useFocusBeyond(titleId: string) {
  const row = useRef<HTMLTableRowElement>(null)
  useLayoutEffect(
    () => () => {
      if (!row.current?.contains(document.activeElement)) return
      // While a dialog in it is open nothing else takes the focus.
      queueMicrotask(() => document.getElementById(titleId)?.focus())
    },
    [titleId],
  )
  return row
}
