// Changing an order that rests: the venue replaces it by another.
import { useState } from 'preact/hooks'
import type { ApiMarket, ApiOrder, MarginTradingClient } from '../../../../client/client.ts'
import { formatDecimal } from '../../../../quantity/decimal.ts'
import { formatFp9 } from '../../../../quantity/fp9.ts'
import { isCloseType, isTrailing } from '../../../../terms/orderTypes.ts'
import { price, quantity } from '../shared/amounts.ts'
import { announce } from '../shared/announcements.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { TextField } from '../shared/fields.tsx'
import { LOOKED_FIRST } from '../shared/lostAttempts.ts'
import { useLostAttempts } from '../shared/useLostAttempts.ts'
import { NOT_A_NUMBER, typed } from '../shared/writtenAmounts.ts'
import { orderTypeName } from './orderTypeNames.ts'
import { Row } from './ticket/preview.tsx'

interface Props {
  readonly order: ApiOrder
  readonly market: ApiMarket
  readonly client: MarginTradingClient
  /** Where the reader has moved its line to. */
  readonly movedTo: bigint | null
  readonly onClose: () => void
}

export function EditDialog({ order, market, client, movedTo, onClose }: Props) {
  const [trigger, setTrigger] = useState(formatDecimal(movedTo ?? quantity(order.triggerPrice)))
  const [amount, setAmount] = useState(formatDecimal(quantity(order.amount)))
  const isBaseSized = order.sizeMode === 'base'
  const faults = {
    trigger: isTrailing(order.type) ? null : faultOf(trigger),
    amount: isBaseSized ? null : faultOf(amount),
  }
  const changes = {
    ...changed('triggerPrice', trigger, order.triggerPrice),
    ...changed('amount', amount, order.amount),
  }
  const name = orderTypeName(order.type)
  const attempt = useLostAttempts<Changes>({
    send: (one) => client.editOrder(order.id, one),
    wasDone: async (one) => wasReplaced(await client.activeOrders(order.trader), order, one),
    isSame: (one, other) => one.triggerPrice === other.triggerPrice && one.amount === other.amount,
  })
  const edit = async () => {
    await attempt(changes)
    const at = price(quantity(changes.triggerPrice ?? order.triggerPrice))
    announce(`${name} order on ${market.config.ticker} now at ${at}.`)
  }
  return (
    <Dialog
      title={`${name} order on ${market.config.ticker}`}
      action="Change it"
      isReady={faults.trigger === null && faults.amount === null && Object.keys(changes).length > 0}
      written={`${trigger} ${amount}`}
      ifLost={`It may have been changed all the same. ${LOOKED_FIRST}`}
      onConfirm={edit}
      onClose={onClose}
    >
      {!isTrailing(order.type) && (
        <TextField label="Trigger price" value={trigger} fault={faults.trigger} onInput={setTrigger} />
      )}
      {!isBaseSized && (
        <TextField
          label={`Amount, ${isCloseType(order.type) ? market.config.baseAsset : 'USD'}`}
          value={amount}
          fault={faults.amount}
          onInput={setAmount}
        />
      )}
      <dl class="figures preview" aria-label="Now">
        <Row name="Index price" value={price(quantity(market.state.indexPrice))} />
        <Row name="Trigger price now" value={price(quantity(order.triggerPrice))} />
      </dl>
    </Dialog>
  )
}

interface Changes {
  readonly triggerPrice?: string
  readonly amount?: string
}

/** Whether it rests no more, and one like it does that is as it was to become. */
function wasReplaced(resting: readonly ApiOrder[], order: ApiOrder, changes: Changes): boolean {
  const wanted = { ...order, ...changes }
  return (
    resting.every(({ id }) => id !== order.id) &&
    resting.some((other) => LIKE.every((field) => other[field] === wanted[field]))
  )
}

const LIKE = ['market', 'type', 'direction', 'positionId', 'triggerPrice', 'amount'] as const

function faultOf(text: string): string | null {
  const value = typed(text)
  return value === undefined ? NOT_A_NUMBER : (value ?? 0n) > 0n ? null : 'This has to be above 0.'
}

function changed(field: 'triggerPrice' | 'amount', text: string, before: string): Changes {
  const value = typed(text)
  return value == null || formatFp9(value) === before ? {} : { [field]: formatFp9(value) }
}
