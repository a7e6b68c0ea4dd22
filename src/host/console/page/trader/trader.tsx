// What a trader sees: one account on all its markets, as it happens.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ApiOrder } from '../../../../client/client.ts'
import type { ApiStreamedAccount } from '../../../../client/venueStream.ts'
import { price, quantity } from '../shared/amounts.ts'
import { Frame } from '../shared/frame.tsx'
import { shortId } from '../shared/names.ts'
import { sentenceOf } from '../shared/sentences.ts'
import type { SignedIn } from '../shared/session.ts'
import { obstacleTo, standingName } from './accountStanding.ts'
import { Balances } from './balances.tsx'
import { chartLines } from './chartLines.ts'
import { ClosedPositions } from './closedPositions.tsx'
import { ConnectionState } from './connectionState.tsx'
import { EditDialog } from './editDialog.tsx'
import { EndedOrders } from './endedOrders.tsx'
import { Evaluation } from './evaluation.tsx'
import { LiveVenue } from './liveVenue.ts'
import { OrdersTable } from './ordersTable.tsx'
import { PositionsTable } from './positionsTable.tsx'
import { PriceChart } from './priceChart.tsx'
import { OrderTicket } from './ticket/orderTicket.tsx'
import { useLive } from './useLive.ts'
import { useOwnBounds } from './useOwnBounds.ts'

/** An order that the reader is changing. */
interface Edited {
  readonly order: ApiOrder
  /** Where they have moved its line to. */
  readonly movedTo: bigint | null
}

interface Props {
  readonly session: SignedIn
  readonly onLeave: (why: string | null) => void
}

export function Trader({ session, onLeave }: Props) {
  const live = useMemo(() => new LiveVenue(session.token), [session])
  useEffect(() => {
    live.listen().catch((error: unknown) => onLeave(sentenceOf(error)))
    return () => live.stop()
  }, [live, onLeave])
  useLive(live)
  const [accountId, setAccountId] = useState<string | null>(null)
  const [marketId, setMarketId] = useState<string | null>(null)
  const [edited, setEdited] = useState<Edited | null>(null)
  const { accounts, markets, positions } = live.stream
  const account = (accountId === null ? undefined : accounts.get(accountId)) ?? [...accounts.values()][0]
  const chosen = (marketId === null ? undefined : markets.get(marketId)) ?? [...markets.values()][0]
  const market = useOwnBounds(live.client, account, chosen)
  const held =
    account === undefined ? [] : [...positions.values()].filter(({ trader }) => trader === account.accountId)
  const resting =
    account === undefined ? [] : live.orders.filter(({ trader }) => trader === account.accountId)

  const marketOfEdited = edited === null ? undefined : markets.get(edited.order.market)
  const bar = (
    <>
      {accounts.size > 1 && account !== undefined && (
        <select
          aria-label="Account"
          value={account.accountId}
          onChange={(event) => setAccountId(event.currentTarget.value)}
        >
          {[...accounts.values()].map((one) => (
            <option key={one.accountId} value={one.accountId}>
              {shortId(one.accountId)} · {standingName(one)}
            </option>
          ))}
        </select>
      )}
      <ConnectionState connection={live.connection} />
    </>
  )
  return (
    <Frame bar={bar} onLeave={() => onLeave(null)}>
      <main class="desk">
        <h1 class="unseen">Trading</h1>
        {account === undefined ? (
          <p class="nothing card">
            {live.stream.seq === null ? 'Loading…' : 'There is no account to trade with.'}
          </p>
        ) : (
          <>
            <Obstacle account={account} />
            <Balances account={account} />
            <div class="desk-columns">
              <div class="desk-price">
                {market !== undefined && (
                  <section class="card" aria-label="Price">
                    <div class="head">
                      <select
                        aria-label="Market"
                        class="market"
                        value={market.id}
                        onChange={(event) => setMarketId(event.currentTarget.value)}
                      >
                        {[...markets.values()].map(({ id, config }) => (
                          <option key={id} value={id}>
                            {config.ticker}
                          </option>
                        ))}
                      </select>
                      <b class="index-price">{price(quantity(market.state.indexPrice))}</b>
                      <span class="hint">{standing(market.settings)}</span>
                    </div>
                    <PriceChart
                      market={market}
                      trail={live.trails.get(market.id)}
                      lines={chartLines(market, held, resting)}
                      onMove={(order, movedTo) => setEdited({ order, movedTo })}
                    />
                  </section>
                )}
              </div>
              <div class="desk-side">
                {market !== undefined && (
                  <OrderTicket
                    key={`${account.accountId} ${market.id}`}
                    account={account}
                    market={market}
                    positions={held.filter((position) => position.market === market.id)}
                    live={live}
                  />
                )}
                <Evaluation account={account} live={live} />
              </div>
              <div class="desk-lists">
                <PositionsTable
                  positions={held}
                  freeBalance={quantity(account.riskStatus.freeBalance)}
                  markets={markets}
                  live={live}
                  onMarket={setMarketId}
                />
                <OrdersTable
                  orders={resting}
                  markets={markets}
                  client={live.client}
                  onEdit={(order) => setEdited({ order, movedTo: null })}
                />
                {market !== undefined && (
                  <ClosedPositions
                    key={`${account.accountId} ${market.id}`}
                    accountId={account.accountId}
                    market={market}
                    client={live.client}
                    held={held.filter((position) => position.market === market.id)}
                  />
                )}
                {market !== undefined && (
                  <EndedOrders
                    key={`${account.accountId} ${market.id} orders`}
                    accountId={account.accountId}
                    market={market}
                    live={live}
                  />
                )}
              </div>
            </div>
            {edited !== null && marketOfEdited !== undefined && (
              <EditDialog
                order={edited.order}
                market={marketOfEdited}
                movedTo={edited.movedTo}
                client={live.client}
                onClose={() => setEdited(null)}
              />
            )}
          </>
        )}
      </main>
    </Frame>
  )
}

/** There all the time, so that what comes into it is heard. */
function Obstacle({ account }: { readonly account: ApiStreamedAccount }) {
  const said = obstacleTo(account)
  return (
    <div role="status" aria-label="Whether the account trades">
      {said !== null && <p class="card obstacle">{said}</p>}
    </div>
  )
}

function standing({ isPaused, isCloseOnly }: { isPaused: boolean; isCloseOnly: boolean }): string {
  if (isPaused) return 'paused: nothing trades'
  return isCloseOnly ? 'close only' : 'index price since this page is open'
}
