/**
 * Reads what accounts are sorted by ahead of the operator who asks: when a venue of many accounts begins, and again when many
 * more have come, a little at a time. A page that is asked for then finds its columns made.
 */
import type { Engine } from '../engine/engine.ts'
import { columnsOf } from '../engine/internals.ts'
import { unattended } from './unattended.ts'

/** With fewer accounts a page makes its columns within a few milliseconds. */
const FEW = 10_000

/** Worth reading ahead: a page reads as many again within some milliseconds. */
const SHARE = 1 / 16

const LOOK_MS = 100

/** Of the loop a piece takes less than a tenth. */
const [PIECE_MS, PAUSE_MS] = [0.5, 5]

const STRIDE = 16

/** A millisecond or so. */
const AT_ONCE = 1_000

/** All of them, before anybody can ask; others have the loop in between. */
export async function readColumns(engine: Engine, few = FEW): Promise<void> {
  for (const _ of columnsOf(engine, few)?.broughtUp(AT_ONCE) ?? [])
    await new Promise((resolve) => setImmediate(resolve))
}

/** Until what it gives is called. */
export function readColumnsAhead(engine: Engine, few = FEW): () => void {
  let pieces: Iterator<undefined, void> | null = null
  const read = unattended(engine, () => {
    pieces ??= whatIsDue(engine, few)
    const end = performance.now() + PIECE_MS
    while (pieces !== null && performance.now() < end) if (pieces.next().done === true) pieces = null
  })
  const go = () => {
    read()
    timer = setTimeout(go, pieces === null ? LOOK_MS : PAUSE_MS).unref()
  }
  let timer = setTimeout(go, PAUSE_MS).unref()
  return () => clearTimeout(timer)
}

function whatIsDue(engine: Engine, few: number): Iterator<undefined, void> | null {
  const columns = columnsOf(engine, few)
  return columns === null || columns.behind < columns.size * SHARE ? null : columns.broughtUp(STRIDE)
}
