// What an account has, in a row of figures.
import type { ApiStreamedAccount } from '../../../../client/venueStream.ts'
import { money, quantity, signedMoney, toneOf } from '../shared/amounts.ts'

export function Balances({ account }: { readonly account: ApiStreamedAccount }) {
  const { currentEquity, currentBalance, freeBalance } = account.riskStatus
  const unrealized = quantity(currentEquity) - quantity(currentBalance)
  return (
    <section class="figures-row" aria-label="Balances">
      <Figure name="Equity" value={money(quantity(currentEquity))} />
      <Figure name="Unrealized pnl" value={signedMoney(unrealized)} tone={toneOf(unrealized)} />
      <Figure name="Balance" value={money(quantity(currentBalance))} />
      <Figure name="Free" value={money(quantity(freeBalance))} />
    </section>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly tone?: string
}

function Figure({ name, value, tone = '' }: FigureProps) {
  return (
    <div class="figure">
      <span class="muted">{name}</span>
      <b class={tone}>{value}</b>
    </div>
  )
}
