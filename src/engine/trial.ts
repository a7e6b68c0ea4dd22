/**
 * What a platform command would do: decided on a copy of what it concerns, and not applied. Its events are those that the
 * command itself would make on the same state at the same time (`test/properties/trials.test.ts`), because nothing that is left
 * out of the copy takes part in the decision: a command of an account needs that account, one of a market's price the accounts
 * that trade there, and only time needs everybody.
 */
import { decide } from '../domain/commands/decide.ts'
import { builtWorld, recordsAmong, type WorldRecords } from '../domain/decider/venueState.ts'
import { moveClock } from '../domain/evolve/clock.ts'
import { Decision } from '../domain/flows/decision.ts'
import type { Account } from '../domain/state/account.ts'
import type { World } from '../domain/state/world.ts'
import type { PlatformCommand, RevokeApiKey } from '../events/command.ts'
import type { Event } from '../events/event.ts'
import { type AccountSummary, accountSummary } from '../projections/accountSummary.ts'
import { AccountsImage } from '../projections/accountsImage.ts'
import type { Quote } from '../quantity/units.ts'
import { invalid, type Rejection } from '../terms/errors.ts'
import { LAST_INSTANT, LONGEST_ADVANCE_MS } from '../terms/instants.ts'

/** What became of a command that was tried. */
export interface Tried {
  /** The commit after which it was tried. */
  readonly seq: number
  /** When it would have happened, epoch ms; of an `advanceTime`, where it leads to. */
  readonly at: number
  /** Why it would be refused; null where it would not. */
  readonly rejection: Rejection | null
  /** In order, those of all instants that fall due on the way of an `advanceTime` among them. */
  readonly events: readonly Event[]
  /** Of the accounts that it concerns, those that would be otherwise, in creation order. */
  readonly accounts: readonly AccountChange[]
  readonly house: { readonly was: Quote; readonly would: Quote }
}

interface AccountChange {
  readonly accountId: string
  /** As it is at the time of the command; null of one that it opens. */
  readonly was: AccountSummary | null
  readonly would: AccountSummary
}

/** A command that is not tried, because that would hold others up: more is concerned, or would happen, than the limit. */
export interface NotTried {
  readonly beyond: keyof TrialLimits
}

/** Of one trial. */
export interface TrialLimits {
  /** Accounts, orders and positions together: they are copied in one go, and decided on in another. */
  readonly records: number
  readonly events: number
}

/**
 * Copies what a command concerns, at once, and then decides it, piece by piece: gives undefined wherever others may have their
 * turn. The world given stays as it is, and may go on meanwhile. `at`: epoch ms, before anything that falls due.
 */
export function* tried(
  world: World,
  command: PlatformCommand,
  at: number,
  limits: TrialLimits,
): Generator<undefined, Tried | NotTried> {
  const concerned = concernedBy(world, command, limits.records)
  if (concerned === null) return { beyond: 'records' }
  const { seq, house } = world
  const records = copyOf(world, command, concerned)
  yield
  const copy = builtWorld(records, world.archive)
  yield
  const ended = ending(copy, command, at)
  if (ended === null) {
    const rejection = invalid(command.type === 'advanceTime' ? 'ms' : 'at')
    return { seq, at, rejection, events: [], accounts: [], house: { was: house, would: house } }
  }
  moveClock(copy, at)
  const before = summaries(copy)
  yield
  const events: Event[] = []
  const decision = new Decision(copy)
  for (;;) {
    const due = command.type === 'advanceTime' && copy.nextDueAt < ended
    decision.begin(due ? copy.nextDueAt : ended)
    const step = due ? { type: 'advanceTime' as const, ms: copy.nextDueAt - copy.now } : command
    const { rejected: rejection } = decide(decision, step, null)
    if (decision.isSilent) moveClock(copy, decision.at)
    events.push(...decision.events())
    if (events.length > limits.events) return { beyond: 'events' }
    if (!due) {
      yield
      const accounts = changes(before, summaries(copy))
      return { seq, at: ended, rejection, events, accounts, house: { was: house, would: copy.house } }
    }
    // What falls due is a commit of its own, with ids of its own.
    copy.seq += 1
    yield
  }
}

/** When the command ends; null where no engine would take it. */
function ending(world: World, command: PlatformCommand, at: number): number | null {
  if (command.type !== 'advanceTime') return at
  const { ms } = command
  const end = at + ms
  return Number.isSafeInteger(ms) &&
    ms >= 0 &&
    ms <= LONGEST_ADVANCE_MS &&
    end <= LAST_INSTANT &&
    at >= world.now
    ? end
    : null
}

/** Accounts that take part in the decision, in creation order; null where these have more than `most` records. */
function concernedBy(world: World, command: PlatformCommand, most: number): readonly Account[] | null {
  const concerned = new Set<Account>()
  let records = 0
  for (const account of partiesTo(world, command)) {
    if (account === undefined || concerned.has(account)) continue
    concerned.add(account)
    records += 1 + account.orders.size + account.positions.size
    if (records > most) return null
  }
  return [...concerned].sort((a, b) => a.sequence - b.sequence)
}

function* partiesTo(world: World, command: PlatformCommand): Generator<Account | undefined> {
  const { accounts, positions } = world
  switch (command.type) {
    case 'updatePrice':
    case 'weeklySessionRiskClose': {
      const market = world.markets.get(command.marketId)
      for (const { accountId } of market?.positions ?? []) yield accounts.get(accountId)
      for (const { accountId } of market?.orders ?? []) yield accounts.get(accountId)
      return
    }
    case 'advanceTime':
      yield* accounts.values()
      return
    case 'openAccount':
      yield accounts.get(command.account.id)
      return
    case 'forceClosePosition': {
      const position = positions.read(command.positionId)
      if (position !== undefined) yield accounts.get(position.accountId)
      return
    }
    case 'adjustBalance':
    case 'setApiTrading':
    case 'setAccountLock':
    case 'setAccountLoaded':
    case 'stopAccount':
    case 'unfreezeAccount':
      yield accounts.get(command.accountId)
      return
    // Of these the next price finds what they make of others.
    case 'configureMarket':
    case 'setMarketStatus':
    case 'setFundingRate':
    case 'revokeApiKey':
      return
    default:
      return unknownCommand(command)
  }
}

function unknownCommand(command: never): never {
  throw new TypeError(`not a platform command: ${JSON.stringify(command)}`)
}

function copyOf(world: World, command: PlatformCommand, concerned: readonly Account[]): WorldRecords {
  const inOrder = (a: { readonly sequence: number }, b: { readonly sequence: number }) =>
    a.sequence - b.sequence
  const excerpt = {
    accounts: concerned,
    orders: concerned.flatMap(({ orders }) => [...orders]).sort(inOrder),
    positions: concerned.flatMap(({ positions }) => [...positions]).sort(inOrder),
    apiKeys: command.type === 'revokeApiKey' ? keysNamed(world, command) : [],
  }
  return recordsAmong(world, excerpt)
}

function keysNamed({ apiKeys }: World, { keyId, hash }: RevokeApiKey) {
  const named = [
    keyId == null ? undefined : apiKeys.get(keyId),
    hash == null ? undefined : apiKeys.withHash(hash),
  ]
  return named.filter((key) => key !== undefined)
}

function summaries(world: World): Map<string, AccountSummary> {
  const image = new AccountsImage(world)
  return new Map(Array.from(image, (account) => [account.id, accountSummary(image, account)]))
}

function changes(
  before: ReadonlyMap<string, AccountSummary>,
  after: ReadonlyMap<string, AccountSummary>,
): AccountChange[] {
  return Array.from(after, ([accountId, would]) => ({
    accountId,
    was: before.get(accountId) ?? null,
    would,
  })).filter(({ was, would }) => was === null || !isSame(was, would))
}

function isSame(a: AccountSummary, b: AccountSummary): boolean {
  return (Object.keys(a) as (keyof AccountSummary)[]).every((field) => a[field] === b[field])
}
