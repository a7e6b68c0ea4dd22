// Margin into a position, or out of it.
import { useState } from 'preact/hooks'
import type {
  ApiMarket,
  ApiPosition,
  ApiPositionEvent,
  MarginTradingClient,
} from '../../../../client/client.ts'
import { liquidationPrice } from '../../../../domain/formulas/liquidation.ts'
import { formatFp9 } from '../../../../quantity/fp9.ts'
import { money, price, quantity } from '../shared/amounts.ts'
import { announce } from '../shared/announcements.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { Choice, TextField } from '../shared/fields.tsx'
import { LOOKED_FIRST } from '../shared/lostAttempts.ts'
import { useLostAttempts } from '../shared/useLostAttempts.ts'
import { NOT_A_NUMBER, typed } from '../shared/writtenAmounts.ts'
import { marketTerms, positionTerms } from './formulaTerms.ts'
import { Row } from './ticket/preview.tsx'

interface Props {
  readonly position: ApiPosition
  readonly market: ApiMarket
  readonly client: MarginTradingClient
  readonly onClose: () => void
}

export function MarginDialog({ position, market, client, onClose }: Props) {
  const [way, setWay] = useState<'in' | 'out'>('in')
  const [text, setText] = useState('')
  const written = typed(text)
  const amount = written ?? 0n
  const change = way === 'in' ? amount : -amount
  const held = positionTerms(position)
  const margin = held.margin + change
  const { maintenanceMarginRate } = marketTerms(market).parameters
  const level = margin > 0n ? liquidationPrice({ ...held, margin }, maintenanceMarginRate) : null
  const id = position.idx ?? ''
  const attempt = useLostAttempts<Change>({
    send: (one) => client.changeMargin(id, formatFp9(one.change), { version: one.version }),
    wasDone: async (one) => wasMoved(await client.positionEvents(id), one),
    isSame: (one, other) => one.change === other.change,
  })
  const move = async () => {
    await attempt({ change, version: position.version })
    announce(`Margin of ${market.config.ticker}: ${money(margin)}.`)
  }
  return (
    <Dialog
      title={`Margin of ${held.direction} ${market.config.ticker}`}
      action={way === 'in' ? 'Add margin' : 'Take margin out'}
      isReady={amount > 0n && margin > 0n}
      ifLost={`The margin may have been moved all the same. ${LOOKED_FIRST}`}
      onConfirm={move}
      onClose={onClose}
    >
      <Choice
        name="Which way"
        value={way}
        options={[
          ['in', 'In'],
          ['out', 'Out'],
        ]}
        onChange={setWay}
      />
      <TextField label="Amount, USD" value={text} fault={faultOf(written, margin)} onInput={setText} />
      <dl class="figures preview" aria-label="What the venue would do">
        <Row name="Margin now" value={money(held.margin)} />
        <Row name="Margin then" value={money(margin)} />
        {level !== null && (
          <Row name="Liquidation price then" value={level === 0n ? 'never' : price(level)} />
        )}
      </dl>
    </Dialog>
  )
}

const MOVES = ['addMargin', 'removeMargin']

interface Change {
  readonly change: bigint
  /** Of the position before it: it is done to that or not at all. */
  readonly version: number
}

/** Whether an event since then moved as much. */
function wasMoved(events: readonly ApiPositionEvent[], { change, version }: Change): boolean {
  const margins = new Map(events.map((event) => [event.version, quantity(event.margin)]))
  return events.some(
    (event) =>
      event.version > version &&
      MOVES.includes(event.eventName) &&
      quantity(event.margin) - (margins.get(event.version - 1) ?? 0n) === change,
  )
}

/** `margin`: what would be left. */
function faultOf(written: bigint | null | undefined, margin: bigint): string | null {
  if (written === undefined) return NOT_A_NUMBER
  if (written !== null && written <= 0n) return 'This has to be above 0.'
  return margin <= 0n ? 'Some margin has to stay.' : null
}
