// Positions on the market in view that have ended, newest first.
import { useEffect, useState } from 'preact/hooks'
import type { ApiMarket, ApiPage, ApiPosition, MarginTradingClient } from '../../../../client/client.ts'
import { money, quantity, signedMoney, toneOf } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { words } from '../shared/names.ts'
import { sentenceOf } from '../shared/sentences.ts'
import { Side } from './positionsTable.tsx'

/** Positions that are asked for at once. */
const PAGE = 10

interface Props {
  readonly accountId: string
  readonly market: ApiMarket
  readonly client: MarginTradingClient
  /** The open positions on the market: once one of them is gone there is one more to show. */
  readonly held: readonly ApiPosition[]
}

export function ClosedPositions({ accountId, market, client, held }: Props) {
  const [shown, setShown] = useState<ApiPage<ApiPosition>>({ data: [], totalCount: 0 })
  const [most, setMost] = useState(PAGE)
  const [refusal, setRefusal] = useState<string | null>(null)
  const open = held.map(({ idx }) => idx).join()
  const asset = market.config.baseAsset
  // Once what is open has changed it is asked again.
  useEffect(() => {
    let isOver = false
    client.positionHistory(accountId, asset, { limit: most }).then(
      (page) => {
        if (isOver) return
        setShown(page)
        setRefusal(null)
      },
      (error: unknown) => {
        if (!isOver) setRefusal(sentenceOf(error))
      },
    )
    return () => {
      isOver = true
    }
  }, [client, accountId, asset, most, open])
  const { data, totalCount } = shown
  return (
    <section class="card" aria-labelledby="closed-title">
      <div class="head">
        <h2 id="closed-title">Closed positions</h2>
        <span class="hint">
          {totalCount} on {market.config.ticker}
        </span>
      </div>
      {refusal !== null && <p class="refusal">{refusal}</p>}
      {data.length === 0 ? (
        <p class="nothing">No position has ended here.</p>
      ) : (
        <div class="scroll">
          <table class="stacking">
            <thead>
              <tr>
                <th scope="col">Closed (UTC)</th>
                <th scope="col">Opened (UTC)</th>
                <th scope="col">How</th>
                <th scope="col" class="number">
                  Pnl
                </th>
                <th scope="col" class="number">
                  Funding
                </th>
                <th scope="col" class="number">
                  Fees
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((position) => (
                <ClosedRow key={position.idx} position={position} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.length < totalCount && most < MOST && (
        <button type="button" onClick={() => setMost(Math.min(most + PAGE, MOST))}>
          Earlier ones
        </button>
      )}
    </section>
  )
}

/** As many as one answer holds. */
const MOST = 100

function ClosedRow({ position }: { readonly position: ApiPosition }) {
  const { closedAt, openedAt, direction, status, closeReason, profitAdjustmentApplied } = position
  const pnl = quantity(position.pnl ?? '0')
  const ended = closeReason === null ? words(status) : `${words(status)}: ${words(closeReason)}`
  return (
    <tr>
      <td>
        {closedAt === null ? '–' : moment(closedAt)} <Side direction={direction} />
      </td>
      <td class="wide" data-label="Opened (UTC)">
        {moment(openedAt)}
      </td>
      <td class="wide" data-label="How">
        {profitAdjustmentApplied ? `${ended}, profit of the first minute capped` : ended}
      </td>
      <td class={`number ${toneOf(pnl)}`} data-label="Pnl">
        {signedMoney(pnl)}
      </td>
      <td class="number" data-label="Funding">
        {signedMoney(quantity(position.funding ?? '0'))}
      </td>
      <td class="number" data-label="Fees">
        {money(quantity(position.fee))}
      </td>
    </tr>
  )
}
