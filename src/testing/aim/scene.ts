/** What an intent is interpreted against: the model of the bus right now, and what the run has done before. */

import type { Caller, Command } from '../../events/command.ts'
import type { Placement } from '../../events/placeOrder.ts'
import type { Dice } from '../dice.ts'
import type { Model } from '../model.ts'
import type { ModelAccount, ModelMarket, ModelPosition } from '../modelState.ts'

/** A command as the run will give it. */
export interface Input {
  readonly command: Command
  /** The time it is given, epoch ms. */
  readonly at: number
  readonly caller?: Caller
}

/** Each input is dispatched before the next is asked for. */
export type Inputs = Generator<Input, void>

/** What a run remembers beside the model. */
export interface Memory {
  /** Placements under an idempotency key, and when they were answered. */
  readonly keyed: { readonly command: Placement; readonly at: number }[]
  /** Index prices at the start: prices are kept within reach of them. */
  readonly home: Map<string, bigint>
}

export interface Scene {
  readonly model: Model
  readonly dice: Dice
  readonly memory: Memory
  /** When the intent happens. */
  readonly at: number
}

export function isPriced(market: ModelMarket, at: number): boolean {
  return market.priceAt !== null && at - market.priceAt < market.parameters.maxPriceAgeMs
}

/** Whether an account can place an increase order. */
export function canTrade(account: ModelAccount): boolean {
  return (
    account.status === 'active' &&
    account.phase !== null &&
    account.loaded &&
    account.apiTrading &&
    !account.locked &&
    account.free > 0n
  )
}

/** An account that can trade; rarely any. */
export function somebody({ model, dice }: Scene): ModelAccount {
  const all = [...model.accounts.values()]
  const able = dice.chance(4) ? all : all.filter(canTrade)
  return (dice.pick(able) ?? dice.pick(all)) as ModelAccount
}

/** A market with a price that is open; rarely any. */
export function somewhere({ model, dice }: Scene, account?: ModelAccount): ModelMarket {
  const all = [...model.markets.values()]
  const listed = all.filter(
    ({ priceAt, status, parameters }) =>
      priceAt !== null &&
      status === 'open' &&
      (account === undefined || account.parameters.allowedCategories.includes(parameters.category)),
  )
  return ((dice.chance(5) ? undefined : dice.pick(listed)) ?? dice.pick(all)) as ModelMarket
}

/** An open position on a market that is not paused, of an account that may trade; else any. */
export function somePosition({ model, dice }: Scene): ModelPosition | undefined {
  const all = [...model.open.values()]
  const able = all.filter(({ marketId, accountId }) => {
    const account = model.account(accountId)
    return model.market(marketId).status === 'open' && account.apiTrading && !account.locked
  })
  return (dice.chance(6) ? undefined : dice.pick(able)) ?? dice.pick(all)
}

/** A placement, now and then under an idempotency key. */
export function underKey({ dice, memory }: Scene, command: Placement, at: number): Placement {
  if (!dice.chance(10)) return command
  const keyed = { ...command, idempotencyKey: `key-${dice.below(4)}` }
  memory.keyed.push({ command: keyed, at })
  return keyed
}

/** The owner with a key or a session, or the embedding program. */
export function onBehalfOf({ dice }: Scene, account: ModelAccount): { caller?: Caller } {
  const roll = dice.below(10)
  if (roll < 3) return {}
  return { caller: { userId: account.parameters.userId, apiKey: roll < 8 && account.apiTrading } }
}
