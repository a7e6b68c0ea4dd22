// Margin into a position, or out of it.
import { useState } from 'preact/hooks'
import type {
  ApiMarket,
  ApiPosition,
  ApiPositionEvent,
  MarginTradingClient,
} from '../../../../client/client.ts'
import { isLiquidatable, liquidationPrice } from '../../../../domain/formulas/liquidation.ts'
import { formatFp9 } from '../../../../quantity/fp9.ts'
import { ERRORS } from '../../../../terms/errors.ts'
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
  readonly freeBalance: bigint
  readonly client: MarginTradingClient
  readonly onClose: () => void
}

export function MarginDialog({ position, market, freeBalance, client, onClose }: Props) {
  const [way, setWay] = useState<'in' | 'out'>('in')
  const [text, setText] = useState('')
  const written = typed(text)
  const amount = written ?? 0n
  const change = way === 'in' ? amount : -amount
  const held = positionTerms(position)
  const margin = held.margin + change
  const { indexPrice, parameters } = marketTerms(market)
  const { maintenanceMarginRate } = parameters
  const level = margin > 0n ? liquidationPrice({ ...held, margin }, maintenanceMarginRate) : null
  const isTooLittle =
    margin <= 0n || (way === 'out' && isLiquidatable({ ...held, margin }, maintenanceMarginRate, indexPrice))
  const fault =
    faultOf(written) ??
    (way === 'in' && amount > freeBalance ? ERRORS.insufficient_balance.meaning : null) ??
    (isTooLittle ? TOO_LITTLE : null)
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
      isReady={amount > 0n && fault === null}
      written={`${way} ${text}`}
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
      <TextField label="Amount, USD" value={text} fault={fault} onInput={setText} />
      <dl class="figures preview" aria-label="What the venue would do">
        <Row name="Free balance" value={money(freeBalance)} />
        <Row name="Margin now" value={money(held.margin)} />
        {margin > 0n && <Row name="Margin then" value={money(margin)} />}
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

const TOO_LITTLE = 'So little margin would not keep the position open at this price.'

function faultOf(written: bigint | null | undefined): string | null {
  if (written === undefined) return NOT_A_NUMBER
  return written !== null && written <= 0n ? 'This has to be above 0.' : null
}
