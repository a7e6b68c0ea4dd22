// Where orders are written: the fields that the type has, what the venue would do with it, and what it said.
import { useMemo, useRef, useState } from 'preact/hooks'
import { ApiError, type ApiMarket, type ApiOrder, type ApiPosition } from '../../../../../client/index.ts'
import type { ApiStreamedAccount } from '../../../../../client/venueStream.ts'
import { ERRORS, EXECUTION_ERRORS, type ExecutionErrorCode } from '../../../../../terms/errors.ts'
import { isCloseType, PLACEABLE_ORDER_TYPES } from '../../../../../terms/orderTypes.ts'
import { exact, money, percent, quantity, times } from '../../shared/amounts.ts'
import { announce } from '../../shared/announcements.tsx'
import { Choice, TextField } from '../../shared/fields.tsx'
import { freshKey } from '../../shared/freshKey.ts'
import { mayBeDone, sentenceOf } from '../../shared/sentences.ts'
import { NOT_A_NUMBER } from '../../shared/writtenAmounts.ts'
import type { LiveVenue } from '../liveVenue.ts'
import { orderTypeName } from '../orderTypeNames.ts'
import { useProfitWindow } from '../useProfitWindow.ts'
import { faultyField } from './faultyField.ts'
import { type OrderPreview, previewOrder } from './orderPreview.ts'
import { bodyOf } from './placementBody.ts'
import { Preview } from './preview.tsx'
import {
  chosenPosition,
  EMPTY_TICKET,
  type TicketField,
  type TicketForm,
  type ToldField,
  toldFieldsOf,
  writtenTicket,
} from './ticketForm.ts'

interface Props {
  readonly account: ApiStreamedAccount
  readonly market: ApiMarket
  /** On the market, of the account. */
  readonly positions: readonly ApiPosition[]
  readonly live: LiveVenue
}

interface Fault {
  readonly field: TicketField | null
  readonly sentence: string
}

const LABELS: { readonly [Field in Exclude<ToldField, 'expectedAmount'>]: string } = {
  triggerPrice: 'Trigger price',
  stopLimitPrice: 'Limit price once triggered',
  stopTriggerPrice: 'Stop-loss (optional)',
  takeTriggerPrice: 'Take-profit (optional)',
  trailingStopActivationPrice: 'Trails from this price on (optional)',
  trailingStopOffset: 'Distance in price',
  trailingStopOffsetPercent: 'or distance in %',
}

export function OrderTicket({ account, market, positions, live }: Props) {
  const { accountId } = account
  const freeBalance = quantity(account.riskStatus.freeBalance)
  const [form, setForm] = useState<TicketForm>(EMPTY_TICKET)
  const [refused, setRefused] = useState<Fault | null>(null)
  const [isUnderWay, setUnderWay] = useState(false)
  // One for an order and all attempts at it: an answer that was lost is asked for again, not a second order placed.
  const key = useRef(freshKey())
  const change = (changes: Partial<TicketForm>) => {
    setForm((before) => ({ ...before, ...changes }))
    setRefused(null)
    key.current = freshKey()
  }

  const closes = isCloseType(form.type)
  const written = useMemo(
    () => writtenTicket(form, { accountId, marketId: market.id, positions }),
    [form, accountId, market.id, positions],
  )
  const position = closes
    ? chosenPosition(form, positions)
    : positions.find(({ direction }) => direction === form.direction)
  const window = useProfitWindow(position, market.config.scalpingWindowMs, live)
  const preview = useMemo(() => {
    const terms = { market, account, freeBalance, positions, window, now: live.now() }
    return written.placement === null ? null : previewOrder(written.placement, terms)
  }, [written, market, account, freeBalance, positions, window, live])
  const isBegun = form.amount !== '' || (closes && positions.length > 0)
  const foreseen = isBegun ? foreseenFault(written.malformed, preview, form) : null
  const fault = refused ?? foreseen

  const submit = async (event: Event) => {
    event.preventDefault()
    if (written.placement === null || preview === null) return
    setUnderWay(true)
    try {
      const order = await live.client.placeOrder(bodyOf(written.placement, preview.reserve), {
        idempotencyKey: key.current,
      })
      key.current = freshKey()
      setRefused(failureOf(order, form))
      if (order.errorCode === null) {
        announce(placed(order, market))
        setForm({ ...form, amount: '' })
      }
    } catch (error) {
      if (!mayBeDone(error)) key.current = freshKey()
      setRefused(
        error instanceof ApiError && !mayBeDone(error)
          ? { field: faultyField(error.code, error.body.details, form), sentence: refusalOf(error, market) }
          : { field: null, sentence: `${sentenceOf(error)} Sent again, the order is placed once at most.` },
      )
    } finally {
      setUnderWay(false)
    }
  }

  const sentenceAt = (field: TicketField) => (fault?.field === field ? fault.sentence : null)
  const unit = closes || form.sizeMode === 'base' ? market.config.baseAsset : 'USD'
  return (
    <form class="card ticket" onSubmit={submit} aria-labelledby="ticket-title" noValidate>
      <div class="head">
        <h2 id="ticket-title">Order</h2>
        <span class="hint">{market.config.ticker}</span>
      </div>
      <label class="field">
        <span>Type</span>
        <select
          value={form.type}
          onChange={(event) => change({ type: event.currentTarget.value as TicketForm['type'] })}
        >
          {PLACEABLE_ORDER_TYPES.map((type) => (
            <option key={type} value={type}>
              {orderTypeName(type)}
            </option>
          ))}
        </select>
      </label>
      {closes ? (
        <label class="field">
          <span>Position</span>
          <select
            value={position?.idx ?? ''}
            onChange={(event) => change({ positionId: event.currentTarget.value })}
          >
            {positions.length === 0 && <option value="">none on this market</option>}
            {positions.map(({ idx, direction, size }) => (
              <option key={idx} value={idx ?? ''}>
                {direction} {exact(quantity(size))} {market.config.baseAsset}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <>
          <Choice
            name="Direction"
            value={form.direction}
            options={[
              ['long', '▲ Long'],
              ['short', '▼ Short'],
            ]}
            onChange={(direction) => change({ direction })}
          />
          <Choice
            name="Sized in"
            value={form.sizeMode}
            options={[
              ['quote', 'USD to spend'],
              ['base', `${market.config.baseAsset} to hold`],
            ]}
            onChange={(sizeMode) => change({ sizeMode })}
          />
        </>
      )}
      <div class="pair">
        <TextField
          label={`Amount, ${unit}${closes ? ' (empty = all)' : ''}`}
          value={form.amount}
          fault={sentenceAt('amount')}
          onInput={(amount) => change({ amount })}
        />
        {!closes && (
          <TextField
            label={`Leverage, up to ${times(quantity(market.config.maxLeverage))}`}
            value={form.leverage}
            fault={sentenceAt('leverage')}
            onInput={(leverage) => change({ leverage })}
          />
        )}
      </div>
      <div class="pair">
        {toldFieldsOf(form.type).map((field) => (
          <TextField
            key={field}
            label={labelOf(field, form)}
            value={form[field]}
            fault={sentenceAt(field)}
            onInput={(text) => change({ [field]: text })}
          />
        ))}
      </div>
      {preview !== null && <Preview preview={preview} market={market} />}
      {fault !== null && !isShownAtField(fault.field, form) && (
        <p class="refusal" role="alert">
          {fault.sentence}
        </p>
      )}
      <button
        type="submit"
        class="primary"
        disabled={isUnderWay || !isBegun || (foreseen !== null && refused === null)}
      >
        {isUnderWay
          ? 'Sending…'
          : closes
            ? `Place ${orderTypeName(form.type).toLowerCase()}`
            : `${verb(form)} ${market.config.baseAsset}`}
      </button>
      <p class="hint">
        Fee {percent(quantity(market.config.feeRate), 3)}, spread {percent(quantity(market.config.spread), 3)}{' '}
        a side, free {money(freeBalance)} USD
      </p>
    </form>
  )
}

/** What the size may not be below, or above: that is what the price slips by. */
function labelOf(field: ToldField, { direction }: TicketForm): string {
  if (field !== 'expectedAmount') return LABELS[field]
  return `${direction === 'long' ? 'Smallest' : 'Largest'} size (optional)`
}

function verb({ type, direction }: TicketForm): string {
  const side = direction === 'long' ? 'Long' : 'Short'
  return type === 'market' ? side : `${orderTypeName(type)}: ${side.toLowerCase()}`
}

function isShownAtField(field: TicketField | null, form: TicketForm): boolean {
  if (field === null) return false
  if (field === 'amount') return true
  if (field === 'leverage') return !isCloseType(form.type)
  return (toldFieldsOf(form.type) as readonly TicketField[]).includes(field)
}

function foreseenFault(
  malformed: TicketField | null,
  preview: OrderPreview | null,
  form: TicketForm,
): Fault | null {
  if (malformed !== null) return { field: malformed, sentence: NOT_A_NUMBER }
  if (preview === null) return null
  const { rejection, failure } = preview
  if (rejection !== null)
    return {
      field: faultyField(rejection.code, rejection.details, form),
      sentence: ERRORS[rejection.code].meaning,
    }
  return failure === null
    ? null
    : { field: faultyField(failure, undefined, form), sentence: EXECUTION_ERRORS[failure] }
}

function refusalOf(error: ApiError, { config }: ApiMarket): string {
  return error.code === 'invalid_leverage'
    ? `The leverage has to be between ${times(quantity(error.body.minLeverage ?? config.minLeverage))} and ${times(quantity(error.body.maxLeverage ?? config.maxLeverage))}.`
    : sentenceOf(error)
}

/** An order that was accepted and failed when its turn came, which was at once. */
function failureOf({ errorCode }: ApiOrder, form: TicketForm): Fault | null {
  if (errorCode === null) return null
  const code = errorCode as ExecutionErrorCode
  return { field: faultyField(code, undefined, form), sentence: EXECUTION_ERRORS[code] }
}

function placed({ type, status, direction }: ApiOrder, { config }: ApiMarket): string {
  const done = status === 'executed' ? 'filled' : 'rests'
  return `${orderTypeName(type)} order, ${direction} ${config.ticker}: ${done}.`
}
