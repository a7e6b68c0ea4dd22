/** Liquidation: nobody beyond the level survives a tick, nobody short of it is liquidated (E1, E2, B6, C9). */
import { isEventOn } from '../../events/eventTable.ts'
import type { Law } from '../law.ts'
import type { Model } from '../model.ts'
import { equity, floors } from '../modelAccount.ts'
import { liquidatable } from '../modelLevel.ts'

export const onlyTheLiquidatableAreLiquidated: Law = {
  name: 'only the liquidatable are liquidated',
  statement:
    'A position is liquidated only where M + u ≤ mmr·q·index, checked on exact products one unit either side of the level, and gets nothing back: M + pnl − fee = 0 (E1, E2).',
  watch: () => ({
    beforeEvent({ model, event }) {
      if (event.type !== 'liquidate') return null
      const position = model.position(event.positionId)
      const { indexPrice, parameters } = model.market(event.marketId)
      const mmr = parameters.maintenanceMarginRate
      if (!liquidatable(position, mmr, indexPrice)) return `a healthy ${position.direction} at ${indexPrice}`
      const safe = event.liquidationPrice + (position.direction === 'long' ? 1n : -1n)
      if (!liquidatable(position, mmr, event.liquidationPrice) || liquidatable(position, mmr, safe))
        return `${event.liquidationPrice} is not the level`
      if (event.size !== position.size) return 'liquidated in part'
      return event.credit === 0n && position.margin + event.pnl - event.fee === 0n
        ? null
        : 'something was paid out'
    },
  }),
}

export const noneSurvivesATick: Law = {
  name: 'no liquidatable position survives a tick',
  statement:
    'After a tick of a market that is not paused no position on it is liquidatable, and no command leaves a position liquidatable that it has itself changed (B6, invariant 9).',
  watch: () => ({
    afterCommit({ model, commit }) {
      const ticked = new Set<string>()
      const changed = new Set<string>()
      for (const event of commit.events) {
        if (event.type === 'priceUpdated') ticked.add(event.marketId)
        if (isEventOn(event, 'position')) changed.add(event.positionId)
      }
      if (ticked.size === 0 && changed.size === 0) return null
      for (const position of model.open.values()) {
        if (!ticked.has(position.marketId) && !changed.has(position.id)) continue
        const { status, indexPrice, parameters } = model.market(position.marketId)
        if (status !== 'paused' && liquidatable(position, parameters.maintenanceMarginRate, indexPrice))
          return `a liquidatable ${position.direction} at ${indexPrice} is still open`
      }
      return null
    },
  }),
}

export const partialClosesAreSafe: Law = {
  name: 'partial closes are safe',
  statement:
    'A partial close that settles nothing negative never moves the liquidation price against the trader: (N − M)/q of a long does not rise, (N + M)/q of a short does not fall (C9).',
  watch: () => {
    let before = { backed: 0n, size: 1n }
    return {
      beforeEvent({ model, event }) {
        if (event.type === 'closePosition') before = backing(model, event.positionId)
        return null
      },
      afterEvent({ model, event }) {
        if (event.type !== 'closePosition' || event.closes || event.credit === 0n) return null
        const { backed, size } = backing(model, event.positionId)
        const moved = backed * before.size - before.backed * size
        return (event.direction === 'long' ? moved <= 0n : moved >= 0n)
          ? null
          : 'the liquidation price came nearer'
      },
    }
  },
}

export const withdrawalsLeaveAMargin: Law = {
  name: 'withdrawals leave a margin',
  statement: 'A margin change never leaves an open position without margin, whatever its profit (E6).',
  watch: () => ({
    afterEvent({ model, event }) {
      if (event.type !== 'removeMargin') return null
      const { margin } = model.position(event.positionId)
      return margin > 0n ? null : `a withdrawal of ${event.amount} left ${margin}`
    },
  }),
}

function backing(model: Model, positionId: string) {
  const { direction, notional, margin, size } = model.position(positionId)
  return { backed: direction === 'long' ? notional - margin : notional + margin, size }
}

export const nobodyTradesBelowAFloor: Law = {
  name: 'nobody trades below a floor',
  statement:
    'After a tick of a market that is not paused, and after any event on its positions, an active account has at least the equity of its drawdown floors (H5, H6, J5).',
  watch: () => ({
    afterCommit({ model, commit, at }) {
      const touched = new Set<string>()
      for (const event of commit.events) {
        if (isEventOn(event, 'position') || event.type === 'dayStarted') touched.add(event.accountId)
        if (event.type !== 'priceUpdated' || model.market(event.marketId).status === 'paused') continue
        for (const { marketId, accountId } of model.open.values())
          if (marketId === event.marketId) touched.add(accountId)
      }
      for (const id of touched) {
        const account = model.account(id)
        if (account.status !== 'active' || account.phase === null) continue
        const worth = equity(model, account, at)
        const floor = floors(account).find((level) => worth < level)
        if (floor !== undefined) return `equity ${worth} is below a floor of ${floor}`
      }
      return null
    },
    beforeEvent({ event, model, at }) {
      if (event.type !== 'accountStopped' || event.breach === null) return null
      const { floor } = event.breach
      if (event.breach.equity >= floor) return 'stopped without a breach'
      return floors(model.account(event.accountId)).includes(floor) ? null : `${floor} is no floor at ${at}`
    },
  }),
}
