/** What the operator does: markets, rates, switches, stops, deposits, and the passing of time. */
import type { AccountConfiguration, MarketConfiguration } from '../../events/command.ts'
import { fp9 } from '../../quantity/decimal.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { ModelAccount } from '../modelState.ts'
import { VENUE_PLANS } from '../venue.ts'
import { canTrade, type Inputs, type Scene, somePosition } from './scene.ts'

/** Closes a market to new orders, or opens one that is not open. */
export function* marketStatus({ model, dice, at }: Scene): Inputs {
  const markets = [...model.markets.values()]
  const shut = markets.filter(({ status }) => status !== 'open')
  const reopened = dice.pick(shut)
  if (reopened !== undefined && !dice.chance(15)) {
    yield { command: { type: 'setMarketStatus', marketId: reopened.id, status: 'open' }, at }
    return
  }
  const status = dice.pick(['close_only', 'paused', 'open'] as const)
  const marketId = dice.pick(markets)?.id
  if (marketId !== undefined) yield { command: { type: 'setMarketStatus', marketId, status }, at }
}

export function* fundingRate({ model, dice, at }: Scene): Inputs {
  const market = dice.pick([...model.markets.values()])
  if (market === undefined) return
  const rate = () =>
    dice.weighted([
      [6, dice.between(-2_000_000n, 2_000_000n)],
      [1, 0n],
      [1, 40_000_000n],
      [1, -1n],
    ])
  const fundingRateShort = dice.chance(50) ? rate() : null
  const command = {
    type: 'setFundingRate',
    marketId: market.id,
    fundingRate: rate(),
    fundingRateShort,
  } as const
  yield { command, at }
}

/** Changes a parameter on which levels, prices or limits depend. */
export function* marketParameters({ model, dice, at }: Scene): Inputs {
  const market = dice.pick([...model.markets.values()])
  if (market === undefined) return
  const { id } = market
  if (dice.chance(10)) {
    const quota = () => dice.between(20_000n * ONE, 70_000n * ONE)
    yield {
      command: { type: 'setNotionalQuota', marketId: id, quotaLong: quota(), quotaShort: quota() },
      at,
    }
    return
  }
  const change = dice.pick([
    { spread: dice.between(0n, 2_000_000n) },
    { maintenanceMarginRate: dice.between(0n, 6_000_000n) },
    { feeRate: dice.between(0n, 3_000_000n) },
    { minStopDistance: dice.pick([0n, 1_000_000n] as const) },
    { maxOpenNotionalLong: dice.chance(50) ? null : fp9('40000') },
    { scalpingCoefficient: dice.pick([ONE, 2n * ONE] as const), scalpingWindowMs: 45_000 },
    { scalpingCoefficient: 0n },
    { weekendMaxLeverage: dice.chance(50) ? null : 3n * ONE },
  ] as const satisfies readonly Omit<MarketConfiguration, 'id'>[])
  yield { command: { type: 'configureMarket', market: { id, ...change } }, at }
}

export function* forceClose(scene: Scene): Inputs {
  const position = somePosition(scene)
  if (position !== undefined)
    yield { command: { type: 'forceClosePosition', positionId: position.id }, at: scene.at }
}

export function* weeklyClose({ model, dice, at }: Scene): Inputs {
  const market = dice.pick([...model.markets.values()])
  if (market !== undefined) yield { command: { type: 'weeklySessionRiskClose', marketId: market.id }, at }
}

export function* stopAccount({ model, dice, at }: Scene): Inputs {
  const account = dice.pick([...model.accounts.values()])
  if (account === undefined) return
  const reason = dice.weighted([
    [4, 'freeze'],
    [3, 'promote'],
    [1, 'manual'],
    [1, 'fail'],
  ] as const)
  yield { command: { type: 'stopAccount', accountId: account.id, reason }, at }
}

export function* unfreeze({ model, dice, at }: Scene): Inputs {
  const all = [...model.accounts.values()]
  const frozen = all.filter(({ status, loaded }) => status === 'frozen' && loaded)
  const account = dice.pick(frozen) ?? (dice.chance(20) ? dice.pick(all) : undefined)
  if (account !== undefined) yield { command: { type: 'unfreezeAccount', accountId: account.id }, at }
}

/** A deposit, or a withdrawal of up to everything that is free and one unit. */
export function* adjustBalance({ model, dice, at }: Scene): Inputs {
  const account = dice.pick([...model.accounts.values()].filter(({ loaded }) => loaded || dice.chance(20)))
  if (account === undefined) return
  const amount = dice.weighted([
    [6, dice.between(1n, fp9('2000'))],
    [3, -dice.between(0n, account.free / 10n)],
    [1, -account.free],
    [1, -(account.free + 1n)],
  ])
  yield { command: { type: 'adjustBalance', accountId: account.id, amount }, at }
}

/** The three switches of an account; what is off is mostly switched on again. */
export function* flipSwitch({ model, dice, at }: Scene): Inputs {
  const accounts = [...model.accounts.values()]
  const lame = accounts.filter((account) => account.status === 'active' && !canTrade(account))
  const account = (dice.chance(70) ? dice.pick(lame) : undefined) ?? dice.pick(accounts)
  if (account === undefined) return
  const { id: accountId } = account
  const on = (is: boolean) => (is ? !dice.chance(60) : !dice.chance(10))
  const commands = {
    api: { type: 'setApiTrading', accountId, enabled: on(account.apiTrading) },
    lock: { type: 'setAccountLock', accountId, locked: !on(!account.locked) },
    load: { type: 'setAccountLoaded', accountId, loaded: on(account.loaded) },
  } as const
  yield { command: commands[dice.pick(faults(account))], at }
}

type Switch = 'api' | 'lock' | 'load'

function faults({ loaded, locked, apiTrading }: ModelAccount): [Switch, ...Switch[]] {
  if (!loaded) return ['load']
  if (locked) return ['lock']
  return apiTrading ? ['api', 'lock', 'load'] : ['api']
}

/** A fresh account, so that a run outlives those that failed. */
export function* openAccount({ model, dice, at }: Scene): Inputs {
  const number = model.accounts.size + 1
  const able = [...model.accounts.values()].filter(canTrade).length
  if (number > 60 || (able >= 4 && !dice.chance(20))) return
  const plan =
    VENUE_PLANS[dice.pick(['unlimited', 'ordinary', 'soft', 'trailing', 'climbing', 'strict'] as const)]
  const account: AccountConfiguration = {
    id: `00000000-0000-4000-9000-0000000000${number.toString().padStart(2, '0')}`,
    userId: dice.pick(['user-alice', 'user-bob', 'user-carol'] as const),
    balance: dice.between(fp9('500'), fp9('60000')),
    ...plan,
  }
  yield { command: { type: 'openAccount', account }, at }
}

export function* wait({ model, dice, at }: Scene): Inputs {
  yield {
    command: { type: 'advanceTime', ms: at - model.now + dice.pick([0, 1, 1_000] as const) },
    at: model.now,
  }
}
