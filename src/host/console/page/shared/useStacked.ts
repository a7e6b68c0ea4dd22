// Where a window is too narrow for a table, its rows stack, each cell under its name.
import { useEffect, useState } from 'preact/hooks'

/** Whether the window is narrower than so many pixels. */
export function useStacked(narrowest: number): boolean {
  const [query] = useState(() => matchMedia(`(width < ${narrowest}px)`))
  const [isNarrow, setNarrow] = useState(query.matches)
  useEffect(() => {
    const look = () => setNarrow(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  return isNarrow
}

/** The narrowest window that a list of few columns has room in, and one of many or with buttons at its end, pixels. */
export const [ROOM_FOR_FEW, ROOM_FOR_MANY] = [641, 861]
