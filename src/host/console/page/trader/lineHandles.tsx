// What dragging is for the keyboard: a line of the chart that may be moved, taken hold of and moved in steps.
import { useState } from 'preact/hooks'
import type { ApiOrder } from '../../../../client/client.ts'
import { ONE } from '../../../../quantity/fp9.ts'
import { approximately, price, priceDecimals } from '../shared/amounts.ts'
import type { ChartLine } from './chartLines.ts'

/** Where a line that somebody holds is shown. */
export interface LineHolder {
  /** Shows the line at a level, until it is let go of. */
  hold(line: ChartLine, level: bigint): void
  letGo(): void
}

interface Props {
  readonly lines: readonly ChartLine[]
  readonly chart: LineHolder | null
  readonly onMove: (order: ApiOrder, movedTo: bigint) => void
}

/** By key: thousandths of its price that a line moves. */
const STEPS: Readonly<Record<string, bigint>> = { ArrowUp: 1n, ArrowDown: -1n, PageUp: 10n, PageDown: -10n }

export function LineHandles({ lines, chart, onMove }: Props) {
  return (
    <div class="handles">
      {lines.map(
        (line) =>
          line.order !== null && (
            <LineHandle key={line.id} line={line} order={line.order} chart={chart} onMove={onMove} />
          ),
      )}
    </div>
  )
}

type HandleProps = Omit<Props, 'lines'> & { readonly line: ChartLine; readonly order: ApiOrder }

function LineHandle({ line, order, chart, onMove }: HandleProps) {
  const [movedTo, setMovedTo] = useState<bigint | null>(null)
  const level = movedTo ?? line.price
  const letGo = () => {
    chart?.letGo()
    setMovedTo(null)
  }
  const press = (event: KeyboardEvent) => {
    const steps = STEPS[event.key]
    if (steps !== undefined) {
      const moved = level + steps * stepOf(line.price)
      if (moved <= 0n) return
      chart?.hold(line, moved)
      setMovedTo(moved)
    } else if (event.key === 'Escape') letGo()
    else if (event.key === 'Enter' && movedTo !== null) {
      letGo()
      onMove(order, movedTo)
    } else return
    event.preventDefault()
  }
  return (
    <div
      class="handle"
      role="slider"
      tabIndex={0}
      aria-label={`Line of the ${line.title}: arrows move it, Enter changes the order`}
      aria-orientation="vertical"
      aria-valuenow={approximately(level)}
      aria-valuetext={price(level)}
      onKeyDown={press}
      onBlur={letGo}
    >
      {line.title} {price(level)}: ↑ ↓ move it, Enter changes the order
    </div>
  )
}

/** A thousandth of a price, as round as prices are written. */
function stepOf(level: bigint): bigint {
  const unit = ONE / 10n ** BigInt(priceDecimals(level))
  const units = level / 1_000n / unit
  return (units > 0n ? units : 1n) * unit
}
