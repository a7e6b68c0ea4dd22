// The figures of a preview.
import type { ApiMarket } from '../../../../../client/client.ts'
import { ONE } from '../../../../../quantity/fp9.ts'
import { exact, money, price, signedMoney, times, toneOf } from '../../shared/amounts.ts'
import type { OrderPreview } from './orderPreview.ts'

interface Props {
  readonly preview: OrderPreview
  readonly market: ApiMarket
}

export function Preview({ preview, market }: Props) {
  const { fill, settlement, executionPrice, liquidationPrice, nearestStop, pushedStop, reserve } = preview
  const { spreadTimes, takenByMinute, trailsAt } = preview
  const { baseAsset } = market.config
  return (
    <dl class="figures preview" aria-label="What the venue would do">
      {trailsAt !== null && <Row name="Fires at, as the price is" value={price(trailsAt)} />}
      {executionPrice !== null && <Row name="Price after spread" value={price(executionPrice)} />}
      {spreadTimes !== ONE && <Row name="Spread, closed so soon" value={times(spreadTimes)} />}
      {fill !== null && (
        <>
          <Row name="Size" value={`${exact(fill.size)} ${baseAsset}`} />
          <Row name="Notional" value={money(fill.notional)} />
          <Row name="Margin" value={money(fill.margin)} />
          <Row name="Fee" value={money(fill.fee)} />
          <Row name="Reserved" value={money(reserve)} />
        </>
      )}
      {liquidationPrice !== null && (
        <Row
          name="Liquidation price then"
          value={liquidationPrice === 0n ? 'never' : price(liquidationPrice)}
        />
      )}
      {settlement !== null && (
        <>
          <Row name="Pnl" value={signedMoney(settlement.pnl)} tone={toneOf(settlement.pnl)} />
          <Row name="Fee" value={money(settlement.fee)} />
          <Row name="Back to the balance" value={money(settlement.credit)} />
        </>
      )}
      {takenByMinute > 0n && (
        <Row name="Taken by the minute's rule, closed now" value={money(takenByMinute)} />
      )}
      {nearestStop !== null && <Row name="Nearest stop allowed" value={price(nearestStop)} />}
      {pushedStop !== null && <Row name="The stop is moved to" value={price(pushedStop)} />}
    </dl>
  )
}

interface RowProps {
  readonly name: string
  readonly value: string
  readonly tone?: string
}

export function Row({ name, value, tone = '' }: RowProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={tone}>{value}</dd>
    </div>
  )
}
