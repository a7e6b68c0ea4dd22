// The way of an account to its next phase, and to its end: target, profitable days, both floors, and how far away they are.

import type { ApiStreamedAccount } from '../../../../client/venueStream.ts'
import { ONE } from '../../../../quantity/fp9.ts'
import { fractionUp } from '../../../../quantity/products.ts'
import { approximately, money, percent, quantity } from '../shared/amounts.ts'
import { standingName } from './accountStanding.ts'
import type { LiveVenue } from './liveVenue.ts'
import { NextDay } from './nextDay.tsx'

interface Props {
  readonly account: ApiStreamedAccount
  readonly live: LiveVenue
}

export function Evaluation({ account, live }: Props) {
  const { riskStatus: risk } = account
  const initial = quantity(account.initialAccountBalance)
  const share = quantity(account.profitTarget)
  const target = initial + fractionUp(initial, share)
  const equity = quantity(risk.currentEquity)
  const balance = quantity(risk.currentBalance)
  const earned = target > initial ? approximately(balance - initial) / approximately(target - initial) : 1
  return (
    <section class="card" aria-labelledby="evaluation-title">
      <div class="head">
        <h2 id="evaluation-title">Evaluation</h2>
        <span class="hint">{standingName(account)}</span>
      </div>
      <Ladder initial={initial} target={target} equity={equity} floors={floorsOf(account)} />
      <ul class="limits">
        {share > 0n && (
          <Limit
            name={`Target +${percent(share, 1)}`}
            said={`${money(balance)} of ${money(target)}`}
            part={earned}
            state="goal"
          />
        )}
        {account.minTradingDays > 0 && (
          <Limit
            name="Profitable days"
            said={`${account.profitableDays} of ${account.minTradingDays}`}
            part={account.profitableDays / account.minTradingDays}
            state="goal"
          />
        )}
        <LossLimit
          name="Daily loss"
          limit={account.maxDailyDrawdown}
          floor={risk.dailyLossFloor}
          remaining={risk.dailyLossRemaining}
          from={quantity(risk.dayStartEquity)}
        />
        <LossLimit
          name="Total loss"
          limit={account.maxTotalDrawdown}
          floor={risk.totalLossFloor}
          remaining={risk.totalLossRemaining}
          from={initial}
        />
      </ul>
      <p class="hint">
        <NextDay at={risk.nextDayAt} live={live} />
        {risk.drawdownMode === 'trailing_eod' &&
          ' The floor of the total loss follows the highest end-of-day balance.'}
      </p>
    </section>
  )
}

interface LossLimitProps {
  readonly name: string
  readonly limit: string
  readonly floor: string | null
  readonly remaining: string | null
  readonly from: bigint
}

function LossLimit({ name, limit, floor, remaining, from }: LossLimitProps) {
  if (floor === null || remaining === null || quantity(limit) === ONE) return null
  const left = quantity(remaining)
  const room = approximately(from - quantity(floor))
  const used = room > 0 ? 1 - approximately(left) / room : 1
  return (
    <Limit
      name={`${name} ${percent(quantity(limit), 1)}`}
      said={`${money(left)} left above ${money(quantity(floor))}`}
      part={used}
      state={used >= 1 ? 'broken' : used >= 0.75 ? 'near' : 'fine'}
    />
  )
}

interface LimitProps {
  readonly name: string
  readonly said: string
  readonly part: number
  readonly state: 'goal' | 'fine' | 'near' | 'broken'
}

function Limit({ name, said, part, state }: LimitProps) {
  const shown = Math.round(Math.min(Math.max(part, 0), 1) * 100)
  return (
    <li>
      <div class="row">
        <span>{name}</span>
        <b>{said}</b>
      </div>
      <div
        class={`meter ${state}`}
        role="img"
        aria-label={`${name}: ${shown}% ${state === 'goal' ? 'reached' : 'used'}`}
      >
        <i style={{ width: `${shown}%` }} />
      </div>
    </li>
  )
}

interface LadderProps {
  readonly initial: bigint
  readonly target: bigint
  readonly equity: bigint
  readonly floors: readonly { readonly name: string; readonly at: bigint }[]
}

/** Where the equity stands between the floors and the target, on one line. */
function Ladder({ initial, target, equity, floors }: LadderProps) {
  const marks = [
    ...floors,
    { name: 'start', at: initial },
    ...(target > initial ? [{ name: 'target', at: target }] : []),
  ]
  const levels = [...marks.map(({ at }) => approximately(at)), approximately(equity)]
  const [low, high] = [Math.min(...levels), Math.max(...levels)]
  const place = (at: bigint) => (high > low ? 4 + ((approximately(at) - low) / (high - low)) * 92 : 50)
  const said = `Equity ${money(equity)}; ${marks.map(({ name, at }) => `${name} ${money(at)}`).join(', ')}`
  return (
    <svg class="ladder" role="img" aria-label={said} preserveAspectRatio="none">
      <line x1="4%" x2="96%" y1="30" y2="30" class="rail" />
      <line
        x1={`${place(initial)}%`}
        x2={`${place(equity)}%`}
        y1="30"
        y2="30"
        class={equity >= initial ? 'up' : 'down'}
      />
      {marks.map(({ name, at }, row) => (
        <g key={name}>
          <line x1={`${place(at)}%`} x2={`${place(at)}%`} y1="22" y2="38" class="mark" />
          <text
            x={`${place(at)}%`}
            y={row % 2 === 0 ? 54 : 14}
            text-anchor={place(at) > 80 ? 'end' : place(at) < 20 ? 'start' : 'middle'}
          >
            {name}
          </text>
        </g>
      ))}
      <circle cx={`${place(equity)}%`} cy="30" r="6" class={equity >= initial ? 'up' : 'down'} />
    </svg>
  )
}

function floorsOf({ riskStatus }: ApiStreamedAccount): LadderProps['floors'] {
  const { totalLossFloor, dailyLossFloor } = riskStatus
  return [
    ...(totalLossFloor === null ? [] : [{ name: 'total floor', at: quantity(totalLossFloor) }]),
    ...(dailyLossFloor === null ? [] : [{ name: 'daily floor', at: quantity(dailyLossFloor) }]),
  ]
}
