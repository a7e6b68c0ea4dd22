// The markets, and whether they trade.
import { useCallback, useMemo, useState } from 'preact/hooks'
import { percent, price, quantity } from '../shared/amounts.ts'
import { announce } from '../shared/announcements.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { freshKey } from '../shared/freshKey.ts'
import { words } from '../shared/names.ts'
import { mayBeDone } from '../shared/sentences.ts'
import { Table } from '../shared/table.tsx'
import { CommandPreview } from './commandPreview.tsx'
import { MarketDetails } from './marketDetails.tsx'
import type { OperatorClient, OperatorMarket } from './operatorClient.ts'
import { SignedBy } from './signedBy.tsx'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

const PAUSE_MS = 1_000

const CHANGES: {
  readonly [Status in OperatorMarket['status']]?: readonly [OperatorMarket['status'], string][]
} = {
  open: [
    ['paused', 'Pause'],
    ['close_only', 'Close only'],
  ],
  close_only: [
    ['open', 'Open'],
    ['paused', 'Pause'],
  ],
  paused: [
    ['open', 'Open'],
    ['close_only', 'Close only'],
  ],
}

interface Asked {
  readonly market: OperatorMarket
  readonly status: OperatorMarket['status']
  readonly action: string
}

export function MarketsView({ client }: { readonly client: OperatorClient }) {
  const read = useCallback(() => client.markets(), [client])
  const { value, refusal, again } = usePolled(read, PAUSE_MS)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = value?.markets.find(({ marketId }) => marketId === chosen)
  const command = useMemo(() => {
    if (asked === null) return null
    const { market, status } = asked
    return { commandId: freshKey(), type: 'setMarketStatus', marketId: market.marketId, status }
  }, [asked])
  const make = async (change: Asked) => {
    const { market, status } = change
    await client.command(command as object).catch((error: unknown) => {
      // A refusal is kept under the id of the command: the next attempt is another.
      if (!mayBeDone(error)) setAsked({ ...change })
      throw error
    })
    announce(`${market.asset} is ${words(status)}.`)
    again()
  }
  return (
    <>
      <View title="Markets" refusal={refusal} isLoading={value === null}>
        <Table
          rows={value?.markets ?? []}
          keyOf={({ marketId }) => marketId}
          none="No market is listed."
          columns={[
            {
              name: 'Market',
              of: ({ asset, marketId }) => (
                <button
                  type="button"
                  class="link"
                  aria-expanded={marketId === chosen}
                  aria-label={`Sources and parameters of ${asset}`}
                  onClick={() => setChosen(marketId === chosen ? null : marketId)}
                >
                  {asset}
                </button>
              ),
            },
            {
              name: 'Status',
              of: ({ status, isStale }) => `${words(status)}${isStale ? ', price stale' : ''}`,
            },
            { name: 'Index', isNumber: true, of: ({ indexPrice }) => price(quantity(indexPrice)) },
            {
              name: 'Age',
              isNumber: true,
              of: ({ priceAgeMs }) => (priceAgeMs === null ? 'never' : `${(priceAgeMs / 1000).toFixed(1)} s`),
            },
            {
              name: 'Source',
              of: ({ priceSource, sources }) =>
                sources.length === 0
                  ? priceSource
                  : `${priceSource}, ${sources.filter(({ excluded }) => excluded === null).length} of ${sources.length}`,
            },
            { name: 'Spread', isNumber: true, of: ({ spread }) => percent(quantity(spread), 3) },
            { name: 'Funding', isNumber: true, of: ({ fundingRate }) => percent(quantity(fundingRate), 4) },
            { name: 'Positions', isNumber: true, of: ({ openPositions }) => openPositions },
            { name: 'Orders', isNumber: true, of: ({ restingOrders }) => restingOrders },
            {
              name: 'Change',
              isActions: true,
              of: (market) =>
                // By place: the button that was pressed stays, with the focus, and says what comes next.
                (CHANGES[market.status] ?? []).map(([status, action], place) => (
                  <button
                    key={`button ${place}`}
                    type="button"
                    onClick={() => setAsked({ market, status, action })}
                    aria-label={`${action}: ${market.asset}`}
                  >
                    {action}
                  </button>
                )),
            },
          ]}
        />
        {asked !== null && (
          <Dialog
            isWide
            title={`${asked.action}: ${asked.market.asset}`}
            action={asked.action}
            isReady
            ifLost="Sent again, it is done once."
            onConfirm={() => make(asked)}
            onClose={() => setAsked(null)}
          >
            <p class="prose">{EFFECTS[asked.status]}</p>
            <p class="hint">
              {asked.market.openPositions} open positions, {asked.market.restingOrders} resting orders
            </p>
            {command !== null && <CommandPreview command={command} client={client} />}
            <SignedBy client={client} />
          </Dialog>
        )}
      </View>
      {shown !== undefined && <MarketDetails market={shown} />}
    </>
  )
}

const EFFECTS: { readonly [Status in OperatorMarket['status']]: string } = {
  open: 'Orders of all kinds are taken again, and triggers are looked at with the next price.',
  paused: 'Nothing trades: orders are refused, and no trigger fires.',
  close_only: 'Only closing at market is accepted.',
}
