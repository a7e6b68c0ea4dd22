// The markets of a run: their data of the folder, or simulated prices.
import { useId } from 'preact/hooks'
import { Refusal } from '../../host/console/page/shared/refusal.tsx'
import type { DataSet } from '../dataSets.ts'
import type { FormMarket } from '../runForm.ts'
import { Field } from './field.tsx'
import { assetIn, dataText } from './formText.ts'

interface Props {
  readonly markets: readonly FormMarket[]
  readonly data: readonly DataSet[]
  /** The rates are the venue's. */
  readonly isLive: boolean
  readonly fault: string | null
  readonly onChange: (markets: readonly FormMarket[]) => void
}

export function MarketFields({ markets, data, isLive, fault, onChange }: Props) {
  const prices = data.filter(({ kind }) => kind !== 'funding')
  const rates = data.filter(({ kind }) => kind === 'funding')
  const put = (at: number, market: FormMarket) =>
    onChange(markets.map((one, index) => (index === at ? market : one)))
  const add = (place: string) => onChange([...markets, { asset: assetIn(place), data: place, funding: '' }])
  return (
    <>
      {markets.map((market, at) => (
        <div class="market" key={at}>
          <Choose
            label="Data"
            of={`of market ${at + 1}`}
            value={market.data}
            none="Leave out"
            sets={prices}
            onChange={(place) =>
              place === ''
                ? onChange(markets.filter((_, index) => index !== at))
                : put(at, { ...market, data: place, asset: assetIn(place) })
            }
          />
          <Field
            label="Market"
            of={String(at + 1)}
            value={market.asset}
            fault={null}
            onInput={(asset) => put(at, { ...market, asset })}
          />
          {!isLive && (
            <Choose
              label="Funding rates"
              of={`of market ${at + 1}`}
              value={market.funding}
              none="The constant rate of the market"
              sets={rates}
              onChange={(funding) => put(at, { ...market, funding })}
            />
          )}
        </div>
      ))}
      <div class="fields">
        <Choose
          label={markets.length === 0 ? 'Data' : 'Another market'}
          value=""
          none={
            isLive
              ? 'None'
              : prices.length === 0
                ? 'Simulated: the folder holds no prices'
                : markets.length === 0
                  ? 'Simulated prices'
                  : 'None'
          }
          sets={prices}
          onChange={add}
        />
      </div>
      {prices.length === 0 && (
        <p class="hint">
          Prices come into the folder with <code>npx margin-core data fetch</code>, or as files of your own.
        </p>
      )}
      <Refusal said={fault} />
    </>
  )
}

interface ChooseProps {
  readonly label: string
  readonly of?: string
  readonly value: string
  readonly none: string
  readonly sets: readonly DataSet[]
  readonly onChange: (place: string) => void
}

function Choose({ label, of = '', value, none, sets, onChange }: ChooseProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>
        {label}
        {of !== '' && <span class="unseen"> {of}</span>}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{none}</option>
        {sets.map((set) => (
          <option key={set.place} value={set.place}>
            {dataText(set)}
          </option>
        ))}
      </select>
    </div>
  )
}
