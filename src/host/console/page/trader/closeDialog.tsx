// Closing a position, in part or whole, at the price there is.
import { useRef, useState } from 'preact/hooks'
import type { ApiMarket, ApiPosition } from '../../../../client/client.ts'
import { formatDecimal } from '../../../../quantity/decimal.ts'
import { formatFp9, ONE } from '../../../../quantity/fp9.ts'
import { EXECUTION_ERRORS, type ExecutionErrorCode } from '../../../../terms/errors.ts'
import { exact, money, price, signedMoney, times, toneOf } from '../shared/amounts.ts'
import { announce } from '../shared/announcements.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { TextField } from '../shared/fields.tsx'
import { freshKey } from '../shared/freshKey.ts'
import { mayBeDone } from '../shared/sentences.ts'
import { NOT_A_NUMBER, typed } from '../shared/writtenAmounts.ts'
import { type ClosingNow, closingNow, takenByMinute } from './closingNow.ts'
import { marketTerms, positionTerms } from './formulaTerms.ts'
import type { LiveVenue } from './liveVenue.ts'
import type { ProfitWindow } from './profitWindow.ts'
import { Row } from './ticket/preview.tsx'

interface Props {
  readonly position: ApiPosition
  readonly market: ApiMarket
  readonly live: LiveVenue
  readonly window: ProfitWindow | null
  readonly onClose: () => void
}

const WITHIN = 'The size has to be above 0, and not above what is open.'

const SHARES = [25n, 50n, 75n, 100n]

export function CloseDialog({ position, market, live, window, onClose }: Props) {
  const held = positionTerms(position)
  const [text, setText] = useState(formatDecimal(held.size))
  // One for all attempts at the same: an answer that was lost is asked for again, nothing is closed twice.
  const key = useRef(freshKey())
  const write = (next: string) => {
    setText(next)
    key.current = freshKey()
  }
  const size = typed(text) ?? 0n
  const isWithin = size > 0n && size <= held.size
  const terms = { market: marketTerms(market), window, now: live.now() }
  const closing = isWithin ? closingNow(held, size, terms) : null

  const close = async () => {
    const order = await send()
    if (order.errorCode !== null) {
      key.current = freshKey()
      throw new Error(EXECUTION_ERRORS[order.errorCode as ExecutionErrorCode])
    }
    announce(`Closed ${exact(size)} ${market.config.baseAsset} of ${market.config.ticker}.`)
  }
  const send = () => {
    const placing = live.client.placeOrder(
      {
        accountId: position.trader,
        marketId: market.id,
        type: 'take',
        direction: held.direction,
        positionId: position.idx,
        amount: formatFp9(size),
        triggerPrice: '0',
      },
      { idempotencyKey: key.current },
    )
    return placing.catch((error: unknown) => {
      if (!mayBeDone(error)) key.current = freshKey()
      throw error
    })
  }

  return (
    <Dialog
      title={`Close ${held.direction} ${market.config.ticker}`}
      action={size === held.size ? 'Close all of it' : 'Close this part'}
      isReady={isWithin}
      written={text}
      ifLost="Sent again, it is closed once at most."
      onConfirm={close}
      onClose={onClose}
    >
      <TextField
        label={`Size, of ${exact(held.size)} ${market.config.baseAsset}`}
        value={text}
        fault={isWithin ? null : typed(text) === undefined ? NOT_A_NUMBER : WITHIN}
        onInput={write}
      />
      <div class="shares">
        {SHARES.map((share) => (
          <button key={share} type="button" onClick={() => write(formatDecimal((held.size * share) / 100n))}>
            {String(share)}%
          </button>
        ))}
      </div>
      {closing !== null && <Closing {...closing} />}
    </Dialog>
  )
}

function Closing({ price: at, spreadTimes, settlement }: ClosingNow) {
  const taken = takenByMinute(settlement)
  return (
    <dl class="figures preview" aria-label="What the venue would do">
      <Row name="Price after spread" value={price(at)} />
      {spreadTimes !== ONE && <Row name="Spread, closed so soon" value={times(spreadTimes)} />}
      <Row name="Pnl" value={signedMoney(settlement.pnl)} tone={toneOf(settlement.pnl)} />
      {taken > 0n && <Row name="Taken by the minute's rule" value={money(taken)} />}
      <Row name="Fee" value={money(settlement.fee)} />
      <Row name="Back to the balance" value={money(settlement.credit)} />
    </dl>
  )
}
