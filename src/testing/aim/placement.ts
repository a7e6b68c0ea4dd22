/** Increase orders of every type, with amounts at the edges of what the account, the market and the size allow. */
import { type Placement, uncheckedOrder } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Direction } from '../../terms/direction.ts'
import type { Dice } from '../dice.ts'
import { execution, opening } from '../modelLevel.ts'
import type { ModelAccount, ModelMarket } from '../modelState.ts'
import { beyond, refresh } from './price.ts'
import { type Inputs, onBehalfOf, type Scene, somebody, somewhere, underKey } from './scene.ts'

/** Places an increase order, after a tick where the price has become stale. */
export function* enter(scene: Scene): Inputs {
  const { at } = scene
  const account = somebody(scene)
  const market = somewhere(scene, account)
  yield* refresh(scene, market)
  const command = underKey(scene, entry(scene, account, market), at)
  yield { command: uncheckedOrder(command), at, ...onBehalfOf(scene, account) }
}

/** An increase order that mostly is acceptable. */
export function entry({ dice, model }: Scene, account: ModelAccount, market: ModelMarket): Placement {
  const direction = dice.pick(['long', 'short'] as const)
  const leverage = someLeverage(dice, account, market)
  const common = {
    type: 'placeOrder',
    accountId: account.id,
    marketId: market.id,
    direction,
    leverage,
    ...sizing(dice, account, market, direction, leverage, openNotional(model, market.id, direction)),
  } as const
  const here = market.indexPrice
  const long = direction === 'long'
  const orderType = dice.weighted([
    [46, 'market'],
    [24, 'limit'],
    [15, 'stop_market'],
    [15, 'stop_limit'],
  ] as const)
  switch (orderType) {
    case 'market':
      return { ...common, orderType, ...attached(dice, long, here, here) }
    case 'limit': {
      const triggerPrice = onSide(dice, here, !long)
      return { ...common, orderType, triggerPrice, ...attached(dice, long, triggerPrice, triggerPrice) }
    }
    case 'stop_market': {
      const triggerPrice = onSide(dice, here, long)
      return { ...common, orderType, triggerPrice, ...attached(dice, long, triggerPrice, triggerPrice) }
    }
    case 'stop_limit': {
      const triggerPrice = onSide(dice, here, long)
      const stopLimitPrice = onSide(dice, triggerPrice, !long)
      const prices = attached(dice, long, stopLimitPrice, triggerPrice)
      return { ...common, orderType, triggerPrice, stopLimitPrice, ...prices }
    }
  }
}

/** On the accepted side; rarely one unit or more on the other. */
function onSide(dice: Dice, from: bigint, above: boolean): bigint {
  return beyond(dice, from, dice.chance(3) ? !above : above)
}

function attached(dice: Dice, long: boolean, stopFrom: bigint, takeFrom: bigint) {
  const strictly = (from: bigint, above: boolean) => {
    const price = onSide(dice, from, above)
    return price === from && !dice.chance(10) ? price + (above ? 1n : -1n) : price
  }
  return {
    ...(dice.chance(35) ? { stopTriggerPrice: strictly(stopFrom, !long) } : {}),
    ...(dice.chance(35) ? { takeTriggerPrice: strictly(takeFrom, long) } : {}),
  }
}

function someLeverage(dice: Dice, account: ModelAccount, { parameters }: ModelMarket): bigint {
  const { minLeverage, maxLeverage } = parameters
  const bound = account.phase === null ? maxLeverage : least(maxLeverage, account.parameters.maxLeverage)
  const kind = dice.below(100)
  if (kind < 50) return dice.between(minLeverage, bound)
  if (kind < 80) return bound
  if (kind < 97) return minLeverage
  return dice.pick([bound + 1n, minLeverage - 1n] as const)
}

/** What of the market's open notional one direction holds. */
function openNotional(model: Scene['model'], marketId: string, direction: Direction): bigint {
  let sum = 0n
  for (const position of model.open.values())
    if (position.marketId === marketId && position.direction === direction) sum += position.notional
  return sum
}

function sizing(
  dice: Dice,
  { free }: ModelAccount,
  market: ModelMarket,
  direction: Direction,
  leverage: bigint,
  open: bigint,
): Pick<Placement, 'amount' | 'sizeMode' | 'baseSize' | 'expectedAmount'> {
  const { parameters } = market
  const { feeRate, minNotional, maxOrderNotional, maxOpenNotionalLong, maxOpenNotionalShort } = parameters
  const maximum = direction === 'long' ? maxOpenNotionalLong : maxOpenNotionalShort
  const cap = maximum === null || market.quota === null ? maximum : least(maximum, market.quota[direction])
  const amountFor = (notional: bigint) => amountOfNotional(notional, leverage, feeRate)
  const usual = dice.between(minNotional + 1_000n, least(12_000n * ONE, (free * leverage) / (4n * ONE)))
  const amount = dice.weighted<() => bigint>([
    [82, () => amountFor(usual)],
    [4, () => free],
    [1, () => free + 1n],
    [2, () => 1n + BigInt(dice.below(50))],
    [3, () => amountFor(minNotional) + dice.nudge()],
    [4, () => amountFor((cap ?? 30_000n * ONE) - (cap === null ? 0n : open)) + dice.nudge()],
    [2, () => amountFor(maxOrderNotional ?? 20_000n * ONE) + dice.nudge()],
  ])()
  const price = execution(market.indexPrice, parameters.spread, opening(direction))
  if (price === 0n) return { amount }
  const size = (usual * ONE) / price
  if (dice.chance(25)) {
    const spent = ceil(ceil(size * price, ONE) * ONE, leverage) + ceil(ceil(size * price, ONE) * feeRate, ONE)
    const reserve = dice.weighted([
      [6, spent + spent / 50n],
      [3, spent],
      [1, spent + 1n],
      [1, spent - 1n],
    ])
    const most = dice.chance(5) ? reserve : least(reserve, free)
    return { sizeMode: 'base', baseSize: size, amount: most, ...expected(dice, size, direction) }
  }
  const margin = amount - ceil(amount * leverage * feeRate, ONE * ONE)
  const notional = (margin * leverage) / ONE
  const bought = direction === 'long' ? (notional * ONE) / price : ceil(notional * ONE, price)
  return { amount, ...expected(dice, bought, direction) }
}

/** The trader's limit on the size: what the fill will give now, or that and one unit either way (C3). */
function expected(dice: Dice, size: bigint, direction: Direction): { expectedAmount?: bigint } {
  if (size <= 1n || !dice.chance(15)) return {}
  const room = direction === 'long' ? -(size / 50n) : size / 50n
  return { expectedAmount: size + dice.pick([room, 0n, 1n, -1n] as const) }
}

/** The largest amount whose (amount − fee)·leverage is at most a notional. */
function amountOfNotional(notional: bigint, leverage: bigint, feeRate: bigint): bigint {
  if (notional <= 0n || leverage <= 0n) return 1n
  const reaches = (amount: bigint) =>
    ((amount - ceil(amount * leverage * feeRate, ONE * ONE)) * leverage) / ONE > notional
  let amount = (notional * ONE * ONE * ONE) / (leverage * (ONE * ONE - leverage * feeRate))
  for (let step = 0; step < 4 && !reaches(amount + 1n); step++) amount += 1n
  for (let step = 0; step < 4 && reaches(amount); step++) amount -= 1n
  return amount > 0n ? amount : 1n
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function ceil(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
