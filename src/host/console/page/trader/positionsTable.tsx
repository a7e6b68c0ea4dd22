// Open positions with what they are worth now.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ApiMarket, ApiPosition } from '../../../../client/client.ts'
import { entryPrice } from '../../../../domain/formulas/entryPrice.ts'
import { liquidationPrice } from '../../../../domain/formulas/liquidation.ts'
import { rawUnrealizedPnl } from '../../../../domain/formulas/rawUnrealizedPnl.ts'
import { ONE } from '../../../../quantity/fp9.ts'
import { divideDown } from '../../../../quantity/rounding.ts'
import { exact, money, percent, price, quantity, signedMoney, toneOf } from '../shared/amounts.ts'
import { announce } from '../shared/announcements.tsx'
import { useFocusBeyond } from '../shared/useFocusBeyond.ts'
import { ROOM_FOR_MANY, useStacked } from '../shared/useStacked.ts'
import { CloseDialog } from './closeDialog.tsx'
import { positionTerms } from './formulaTerms.ts'
import type { LiveVenue } from './liveVenue.ts'
import { MarginDialog } from './marginDialog.tsx'
import { ProfitWindowLeft } from './profitWindowLeft.tsx'
import { useProfitWindow } from './useProfitWindow.ts'

interface Props {
  readonly positions: readonly ApiPosition[]
  /** Of the account. */
  readonly freeBalance: bigint
  readonly markets: ReadonlyMap<string, ApiMarket>
  readonly live: LiveVenue
  readonly onMarket: (marketId: string) => void
}

export function PositionsTable({ positions, freeBalance, markets, live, onMarket }: Props) {
  const isStacked = useStacked(ROOM_FOR_MANY)
  return (
    <section class="card" aria-labelledby="positions-title">
      <div class="head">
        <h2 id="positions-title" tabIndex={-1}>
          Positions
        </h2>
        <span class="hint">{positions.length} open</span>
      </div>
      {positions.length === 0 ? (
        <p class="nothing">No open position.</p>
      ) : (
        <div class="scroll">
          <table class={isStacked ? 'stacked' : ''}>
            <thead>
              <tr>
                <th scope="col">Market</th>
                <th scope="col" class="number">
                  Size
                </th>
                <th scope="col" class="number">
                  Entry
                </th>
                <th scope="col" class="number">
                  Index
                </th>
                <th scope="col" class="number">
                  Liquidation
                </th>
                <th scope="col" class="number">
                  Margin
                </th>
                <th scope="col" class="number">
                  Pnl
                </th>
                <th scope="col">
                  <span class="unseen">What to do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {positions.map((position) => {
                const market = markets.get(position.market)
                return market === undefined ? null : (
                  <PositionRow
                    key={position.idx}
                    position={position}
                    freeBalance={freeBalance}
                    market={market}
                    live={live}
                    onMarket={onMarket}
                  />
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

interface RowProps {
  readonly position: ApiPosition
  readonly freeBalance: bigint
  readonly market: ApiMarket
  readonly live: LiveVenue
  readonly onMarket: (marketId: string) => void
}

function PositionRow({ position, freeBalance, market, live, onMarket }: RowProps) {
  const [asked, setAsked] = useState<'close' | 'margin' | null>(null)
  const window = useProfitWindow(position, market.config.scalpingWindowMs, live)
  const row = useFocusBeyond('positions-title')
  useEndTold(asked !== null, `${position.direction} ${market.config.ticker}`)
  return useMemo(() => {
    const done = () => setAsked(null)
    const terms = positionTerms(position)
    const index = quantity(market.state.indexPrice)
    const named = `${position.direction} ${market.config.ticker}`
    const pnl = rawUnrealizedPnl(terms, index)
    const level = liquidationPrice(terms, quantity(market.config.maintenanceMarginRate))
    return (
      <tr ref={row}>
        <td class="wraps">
          <button type="button" class="link" onClick={() => onMarket(market.id)}>
            <Breakable text={market.config.ticker} after="/" />
          </button>{' '}
          <Side direction={position.direction} />
        </td>
        <td class="number wraps" data-label="Size">
          <span>
            <Breakable text={exact(terms.size)} after="." />{' '}
            <span class="unit">{market.config.baseAsset}</span>
          </span>
        </td>
        <td class="number" data-label="Entry">
          {price(entryPrice(terms))}
        </td>
        <td class="number" data-label="Index">
          <span class="steady">{price(index)}</span>
        </td>
        <td class="number" data-label="Liquidation">
          {level === 0n ? 'never' : price(level)}
        </td>
        <td class="number" data-label="Margin">
          {money(terms.margin)}
        </td>
        <td class={`number ${toneOf(pnl)}`} data-label="Pnl">
          <span class="steady">
            {signedMoney(pnl)}
            <small class="below">
              {window !== null && <ProfitWindowLeft window={window} live={live} />}
              {ofMargin(pnl, terms.margin)}
            </small>
          </span>
        </td>
        <td class="actions">
          <button type="button" onClick={() => setAsked('margin')} aria-label={`Margin of ${named}`}>
            Margin
          </button>
          <button type="button" onClick={() => setAsked('close')} aria-label={`Close ${named}`}>
            Close
          </button>
          {asked === 'close' && (
            <CloseDialog position={position} market={market} live={live} window={window} onClose={done} />
          )}
          {asked === 'margin' && (
            <MarginDialog
              position={position}
              market={market}
              freeBalance={freeBalance}
              client={live.client}
              onClose={done}
            />
          )}
        </td>
      </tr>
    )
  }, [position, market, freeBalance, live, window, onMarket, asked, row])
}

/** A dialog goes with its position: whoever has it open is told why. */
function useEndTold(isAsking: boolean, named: string): void {
  const open = useRef(isAsking)
  open.current = isAsking
  useEffect(
    () => () => {
      if (open.current) announce(`The position ${named} has ended meanwhile.`)
    },
    [named],
  )
}

function ofMargin(pnl: bigint, margin: bigint): string {
  return margin > 0n ? percent(divideDown(pnl * ONE, margin), 1) : ''
}

/** A text that may go on in a second line after the first of a sign. */
function Breakable({ text, after }: { readonly text: string; readonly after: string }) {
  const end = text.indexOf(after) + 1
  return (
    <>
      {text.slice(0, end)}
      <wbr />
      {text.slice(end)}
    </>
  )
}

export function Side({ direction }: { readonly direction: string }) {
  return <span class={`side ${direction}`}>{direction}</span>
}
