// What the house stands to win and lose, by market.
import { useCallback } from 'preact/hooks'
import { approximately, money, percent, price, quantity, signedMoney, toneOf } from '../shared/amounts.ts'
import { Table } from '../shared/table.tsx'
import type { Exposure, OperatorClient } from './operatorClient.ts'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

const PAUSE_MS = 3_000
type MarketExposure = Exposure['markets'][number]

export function ExposureView({ client }: { readonly client: OperatorClient }) {
  const read = useCallback(() => client.exposure(), [client])
  const { value, refusal } = usePolled(read, PAUSE_MS)
  return (
    <>
      {(value === null || value.markets.length === 0) && (
        <View title="Exposure" refusal={refusal} isLoading={value === null} />
      )}
      <div class="side-by-side">
        {value?.markets.map((market) => (
          <View
            key={market.marketId}
            title={market.asset}
            refusal={refusal}
            tools={
              <span class="hint">
                {market.openPositions} open at {price(quantity(market.indexPrice))}
              </span>
            }
          >
            <Open name="Long" open={market.openNotionalLong} most={market.maxOpenNotionalLong} />
            <Open name="Short" open={market.openNotionalShort} most={market.maxOpenNotionalShort} />
            <Moves market={market} />
          </View>
        ))}
      </div>
    </>
  )
}

interface OpenProps {
  readonly name: string
  readonly open: string
  readonly most: string | null
}

function Open({ name, open, most }: OpenProps) {
  const part =
    most === null || quantity(most) === 0n
      ? null
      : approximately(quantity(open)) / approximately(quantity(most))
  const said = most === null ? money(quantity(open)) : `${money(quantity(open))} of ${money(quantity(most))}`
  return (
    <div class="open-notional">
      <div class="row">
        <span>{name}</span>
        <b>{said}</b>
      </div>
      {part !== null && (
        <div
          class={`meter ${part >= 0.75 ? 'near' : 'fine'}`}
          role="img"
          aria-label={`${name}: ${Math.round(part * 100)}% of what is allowed`}
        >
          <i style={{ width: `${Math.min(100, Math.round(part * 100))}%` }} />
        </div>
      )}
    </div>
  )
}

const signedPercent = (move: bigint) => (move > 0n ? `+${percent(move, 0)}` : percent(move, 0))

function Moves({ market }: { readonly market: MarketExposure }) {
  return (
    <Table
      rows={market.moves}
      keyOf={({ move }) => move}
      none="It was never priced."
      columns={[
        { name: 'Price moves', of: ({ move }) => signedPercent(quantity(move)) },
        { name: 'To', isNumber: true, of: ({ indexPrice }) => price(quantity(indexPrice)) },
        {
          name: 'The house wins',
          isNumber: true,
          of: ({ houseGain }) => (
            <span class={toneOf(quantity(houseGain))}>{signedMoney(quantity(houseGain))}</span>
          ),
        },
        { name: 'Liquidations', isNumber: true, of: ({ liquidations }) => liquidations },
        { name: 'Breaches', isNumber: true, of: ({ breaches }) => breaches },
      ]}
    />
  )
}
