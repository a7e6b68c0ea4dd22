/** Money: nothing is created, nothing is lost, and nobody's account is overdrawn (C11). */
import { postingOf } from '../../domain/evolve/ledger.ts'
import type { Law } from '../law.ts'
import type { Model } from '../model.ts'

/** free + reserve + margin over all accounts, and the house: 0 after every event. */
export const moneyIsConserved: Law = {
  name: 'money is conserved',
  statement:
    'Every posting sums to zero, and after every event so do free + reserve + margin over all accounts and the house (C11).',
  watch: () => ({
    afterEvent({ model, event }) {
      const posting = postingOf(event)
      if (posting !== null && posting.free + posting.reserve + posting.margin + posting.house !== 0n)
        return `the posting of ${event.type} does not sum to zero`
      const sum = totals(model).reduce((all, amount) => all + amount, 0n)
      return sum === 0n ? null : `the ledger sums to ${sum} after ${event.type}`
    },
  }),
}

export const nothingIsOverdrawn: Law = {
  name: 'nothing is overdrawn',
  statement:
    'free, reserve and margin of an account and the margin of a position are never negative (C10, C11, J4).',
  watch: () => ({
    afterEvent({ model, event }) {
      if (!('accountId' in event)) return null
      const { free, reserve, margin } = model.account(event.accountId)
      if (free < 0n || reserve < 0n || margin < 0n)
        return `${event.type} leaves free ${free}, reserve ${reserve}, margin ${margin}`
      if (!('positionId' in event) || !('direction' in event) || event.type === 'orderPlaced') return null
      const position = model.position(event.positionId)
      const { size, notional } = position
      if (size < 0n || notional < 0n || position.margin < 0n)
        return `${event.type} leaves size ${size}, notional ${notional}, margin ${position.margin}`
      return null
    },
  }),
}

/** Reserves and margins are sums over what holds them. */
export const accountsAreSums: Law = {
  name: 'accounts are sums',
  statement:
    "An account's reserve is the sum over its active orders and the fill under way, its margin the sum over its open positions, and what has ended holds nothing (C11, C13).",
  watch: () => ({
    afterEvent({ model, event }) {
      if (!('accountId' in event)) return null
      const account = model.account(event.accountId)
      let reserve = account.inFlight
      for (const order of model.active.values())
        if (order.placed.accountId === account.id) reserve += order.reserve
      if (reserve !== account.reserve) return `reserve ${account.reserve}, but its orders hold ${reserve}`
      let margin = 0n
      for (const position of model.open.values())
        if (position.accountId === account.id) margin += position.margin
      if (margin !== account.margin) return `margin ${account.margin}, but its positions hold ${margin}`
      if (!('positionId' in event) || event.positionId === null) return null
      const position = model.positions.get(event.positionId)
      return position !== undefined &&
        position.status !== 'opened' &&
        (position.size !== 0n || position.notional !== 0n || position.margin !== 0n)
        ? `the ended position ${position.id} still holds something`
        : null
    },
    afterCommit({ model }) {
      for (const account of model.accounts.values())
        if (account.inFlight !== 0n) return `a fill of ${account.inFlight} never arrived`
      return null
    },
  }),
}

/** The engine's own totals are those that the events add up to. */
export const engineLedgerIsTheSum: Law = {
  name: 'the engine holds what the events add up to',
  statement: 'Balances as read are the sums of the events, for every account after every command (I17).',
  watch: () => ({
    afterCommand({ bus, model, commits }) {
      if (commits.length === 0) return null
      const [free, reserve, margin, house] = totals(model)
      const read = bus.read.ledger()
      if (read.free !== free || read.reserve !== reserve || read.margin !== margin || read.house !== house)
        return 'the ledger as read differs from the sum of the events'
      for (const { id, ...account } of model.accounts.values())
        if (bus.read.balance(id) !== account.free + account.reserve + account.margin)
          return `the balance of ${id} differs`
      return null
    },
  }),
}

function totals(model: Model): [free: bigint, reserve: bigint, margin: bigint, house: bigint] {
  let [free, reserve, margin] = [0n, 0n, 0n]
  for (const account of model.accounts.values()) {
    free += account.free
    reserve += account.reserve
    margin += account.margin
  }
  return [free, reserve, margin, model.house]
}
