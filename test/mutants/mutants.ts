// Mistakes somebody could make in the rules, one at a time. The suite must notice each of them.

import { ACCESS_MUTANTS } from './accessMutants.ts'
import { ARCHIVE_MUTANTS } from './archiveMutants.ts'
import { CLUSTER_MUTANTS } from './clusterMutants.ts'
import { ENGINE_MUTANTS } from './engineMutants.ts'
import { EXHAUSTIVE_MUTANTS } from './exhaustiveMutants.ts'
import { FAIRNESS_MUTANTS } from './fairnessMutants.ts'
import { FAULT_MUTANTS } from './faultMutants.ts'
import { FEED_MUTANTS } from './feedMutants.ts'
import { FETCH_MUTANTS } from './fetchMutants.ts'
import { HISTORY_MUTANTS } from './historyMutants.ts'
import { LEARNER_MUTANTS } from './learnerMutants.ts'
import { LIVE_MUTANTS } from './liveMutants.ts'
import { LOG_MUTANTS } from './logMutants.ts'
import { MARKET_MUTANTS } from './marketMutants.ts'
import type { Mutant } from './mutant.ts'
import { OPERATOR_MUTANTS } from './operatorMutants.ts'
import { OWNERSHIP_MUTANTS } from './ownershipMutants.ts'
import { PAGED_HISTORY_MUTANTS } from './pagedHistoryMutants.ts'
import { PARQUET_MUTANTS } from './parquetMutants.ts'
import { QUOTA_MUTANTS } from './quotaMutants.ts'
import { RESEARCH_MUTANTS } from './researchMutants.ts'
import { ROW_MUTANTS } from './rowMutants.ts'
import { SCALE_MUTANTS } from './scaleMutants.ts'
import { STREAM_MUTANTS } from './streamMutants.ts'
import { SUITE_MUTANTS } from './suiteMutants.ts'
import { SURFACE_MUTANTS } from './surfaceMutants.ts'
import { TELLING_MUTANTS } from './tellingMutants.ts'

const domain = (name: string) => `unit/domain/${name}.test.ts`

/** One edit in a file of the rules. */
function mutant(breaks: string, file: string, find: string, replace: string, ...tests: string[]): Mutant {
  return { breaks, file: `src/${file}`, edits: [[find, replace]], tests }
}

const PROFIT_CAP = domain('formulas/profitWindow')
const SETTLEMENT = domain('formulas/settlement')
const SIZING = domain('formulas/sizing')
const TRAILING = domain('formulas/trailingStop')
const PRICING = domain('formulas/executionPrice')
const TICK = domain('commands/updatePrice')
const DRAWDOWN = domain('formulas/drawdown')
const TARGET = domain('formulas/profitTarget')

export const MUTANTS: readonly Mutant[] = [
  mutant(
    'the cap takes the raw pnl as its reference: a dust increase launders the profit (D3)',
    'domain/formulas/profitWindow.ts',
    'return unrealizedPnl(position, indexPrice, at, windowMs)',
    'return rawUnrealizedPnl(position, indexPrice)',
    PROFIT_CAP,
  ),
  mutant(
    'the 60-second window is closed at its end (D1)',
    'domain/formulas/profitWindow.ts',
    'at - position.lastIncreaseAt < windowMs',
    'at - position.lastIncreaseAt <= windowMs',
    PROFIT_CAP,
  ),
  mutant(
    'an increase does not restart the window (D3)',
    'domain/evolve/positionReducers.ts',
    'position.lastIncreaseAt = at',
    'position.lastIncreaseAt += 0',
    PROFIT_CAP,
  ),
  mutant(
    'a partial close leaves the whole reference to the rest (D4)',
    'domain/evolve/positionReducers.ts',
    'position.profitReference -= event.profitReferenceUsed',
    'position.profitReference -= 0n',
    PROFIT_CAP,
  ),
  mutant(
    'the opening fee is rounded down (C1)',
    'quantity/products.ts',
    'return divideUp(amount * leverage * rate, ONE_SQUARED)',
    'return divideDown(amount * leverage * rate, ONE_SQUARED)',
    SIZING,
  ),
  mutant(
    'the closing fee is rounded down (C8)',
    'domain/formulas/settlement.ts',
    'fractionUp(trade.exchangedQuote, feeRate)',
    'notionalDown(trade.exchangedQuote, feeRate)',
    SETTLEMENT,
  ),
  mutant(
    'a shortfall is given to the margin instead of taken from it (C9)',
    'domain/formulas/settlement.ts',
    'fee, share - settled, 0n',
    'fee, share + settled, 0n',
    SETTLEMENT,
  ),
  {
    breaks: 'the cost of a part is rounded in the trader’s favour (C7)',
    file: 'src/domain/formulas/settlement.ts',
    edits: [
      ['? proRataUp(position.notional', '? proRataDown(position.notional'],
      [': proRataDown(position.notional', ': proRataUp(position.notional'],
    ],
    tests: [SETTLEMENT],
  },
  mutant(
    'a position may lose more than its margin (C10)',
    'domain/formulas/settlement.ts',
    'const rawPnl = raw < -position.margin ? -position.margin : raw',
    'const rawPnl = raw',
    SETTLEMENT,
  ),
  mutant(
    'postings leave out the house (C11)',
    'domain/evolve/ledger.ts',
    'house.house += entry.house',
    'house.house += 0n',
    SETTLEMENT,
  ),
  mutant(
    'a failed execution keeps its reserve (C2)',
    'domain/flows/endOrder.ts',
    'released: order.reserve,\n    errorCode',
    'released: 0n,\n    errorCode',
    SIZING,
  ),
  mutant(
    'a base-sized fill keeps what it did not need (C2)',
    'domain/flows/increasePosition.ts',
    'released: order.reserve - fill.spent',
    'released: 0n',
    SIZING,
  ),
  mutant(
    'the slippage limit of a short is a floor (C3)',
    'domain/formulas/slippageTolerance.ts',
    'size < expectedAmount : size > expectedAmount',
    'size < expectedAmount : size < expectedAmount',
    SIZING,
  ),
  mutant(
    'a notional of exactly the minimum is too small (C4)',
    'domain/flows/increasePosition.ts',
    'fill.notional < minNotional',
    'fill.notional <= minNotional',
    SIZING,
  ),
  mutant(
    'a notional that exactly fits the market does not (C5)',
    'domain/formulas/openNotional.ts',
    'open + notional <= maximum',
    'open + notional < maximum',
    SIZING,
  ),
  mutant(
    'a deposit leaves the drawdown floor where it was (J8)',
    'domain/evolve/applyAccountEvent.ts',
    'account.highWater += event.amount\n      account.lossFloor = lossFloor(account)',
    'account.highWater += event.amount',
    DRAWDOWN,
  ),
  mutant(
    'a new day leaves the drawdown floor where it was (H5)',
    'domain/evolve/applyAccountEvent.ts',
    'account.realizedToday = 0n\n      account.lossFloor = lossFloor(account)',
    'account.realizedToday = 0n',
    DRAWDOWN,
  ),
  mutant(
    'a new phase leaves the drawdown floor where it was (H3)',
    'domain/evolve/applyAccountEvent.ts',
    'account.bestDayGain = 0n\n      account.lossFloor = lossFloor(account)',
    'account.bestDayGain = 0n',
    DRAWDOWN,
  ),
  mutant(
    'what closes makes no room (C5)',
    'domain/evolve/applyPositionEvent.ts',
    'market.openNotionalLong -= event.cost',
    'market.openNotionalLong -= 0n',
    SIZING,
  ),
  mutant(
    'a long is not liquidated at its price (E1)',
    'quantity/products.ts',
    '(price - 1n) * (size * share) < notional * ONE_SQUARED',
    'price * (size * share) < notional * ONE_SQUARED',
    domain('formulas/liquidation'),
  ),
  mutant(
    'the liquidation price of a long is rounded away from the market (E1)',
    'domain/formulas/liquidation.ts',
    'return priceOfShareUp(',
    'return priceOfShareDown(',
    domain('formulas/liquidation'),
  ),
  mutant(
    'funding is rounded for the payer (E4)',
    'domain/formulas/funding.ts',
    'fractionUp(notionalUp(position.size, indexPrice), rate)',
    'fractionDown(notionalDown(position.size, indexPrice), rate)',
    domain('flows/fundingInstant'),
  ),
  mutant(
    'a withdrawal may leave nothing (E6)',
    'domain/commands/changeMargin.ts',
    'margin > 0n &&',
    'margin >= 0n &&',
    domain('commands/changeMargin'),
  ),
  mutant(
    'the spread is in the trader’s favour (B1)',
    'domain/formulas/executionPrice.ts',
    "return side === 'buy'",
    "return side === 'sell'",
    PRICING,
  ),
  mutant(
    'the scalping window is closed at its end (B2)',
    'domain/formulas/executionPrice.ts',
    'holdingTimeMs < scalpingWindowMs',
    'holdingTimeMs <= scalpingWindowMs',
    PRICING,
  ),
  mutant(
    'a limit compares with the index instead of the price it would get (F3)',
    'domain/formulas/executionPrice.ts',
    'if (spread === 0n) return limitPrice',
    'if (spread >= 0n) return limitPrice',
    PRICING,
  ),
  mutant(
    'a price at its maximum age is still fresh (B7)',
    'domain/commands/marketAvailability.ts',
    'at - market.priceAt >= market.parameters.maxPriceAgeMs',
    'at - market.priceAt > market.parameters.maxPriceAgeMs',
    domain('commands/availability'),
  ),
  mutant(
    'the path is walked by age alone (B5)',
    'domain/triggers/firingSequence.ts',
    'if (a.distance !== b.distance) return a.distance < b.distance ? -1 : 1',
    'if (a.sequence !== b.sequence) return a.sequence - b.sequence',
    TICK,
  ),
  mutant(
    'positions that moved beyond their price during a tick are left open (B6)',
    'domain/flows/riskChecks.ts',
    "if (position.status !== 'opened') continue",
    "if (position.status !== 'closed') continue",
    TICK,
  ),
  mutant(
    'a stop is pushed after the liquidation check (F9)',
    'domain/commands/triggerCheck.ts',
    'liquidationRejection(market, pushed.triggerPrice, terms)',
    'liquidationRejection(market, price, terms)',
    domain('formulas/minimumStopDistance'),
  ),
  mutant(
    'a stop that was pushed to 0 can never be edited (F9)',
    'terms/orderTypes.ts',
    ' && requestedTriggerPrice === null',
    '',
    domain('formulas/minimumStopDistance'),
  ),
  mutant(
    'the best price of a trailing stop goes stale (F8)',
    'domain/evolve/trailing.ts',
    'const passed = next?.isPassedBy(indexPrice) === true',
    'const passed = next?.isPassedBy(indexPrice) === null',
    TRAILING,
  ),
  mutant(
    'trailing stops ratchet while the market is paused (G1)',
    'domain/evolve/applyMarketEvent.ts',
    'if (MARKET_STATUSES[market.status].evaluates) trail(world, market)',
    'trail(world, market)',
    TRAILING,
  ),
  mutant(
    'a trailing stop at its activation price waits (F8)',
    'domain/formulas/trailingStop.ts',
    'indexPrice >= activation',
    'indexPrice > activation',
    TRAILING,
  ),
  mutant(
    'a closed position leaves its orders behind (F16)',
    'domain/flows/closePosition.ts',
    'if (closes) cancelAttachedOrders',
    "if (closes && order.orderType === 'stop') cancelAttachedOrders",
    domain('flows/attachedOrders'),
  ),
  mutant(
    'the limit of a stop_limit takes its reserve a second time (F4)',
    'domain/flows/attachedOrders.ts',
    'limit.reserveInherited = true',
    'limit.reserveInherited = false',
    domain('flows/attachedOrders'),
  ),
  mutant(
    'an edit forgets the expected amount (C3)',
    'domain/commands/editOrder.ts',
    'edit.expectedAmount ?? order.expectedAmount',
    'edit.expectedAmount ?? 0n',
    domain('commands/editOrder'),
  ),
  {
    breaks: 'the account’s status is answered before the leverage (I1)',
    file: 'src/domain/commands/placeOrder.ts',
    edits: [
      [
        'leverageBoundRejection(command, account, market) ??\n    tradingRejection(account) ??',
        'tradingRejection(account) ?? leverageBoundRejection(command, account, market) ??',
      ],
    ],
    tests: [domain('commands/placeOrder')],
  },
  {
    breaks: 'the day begins before the funding of midnight (J1)',
    file: 'src/domain/commands/advanceTime.ts',
    edits: [
      [
        'if (decision.at < decision.world.nextDueAt) return null',
        'if (decision.at < decision.world.nextDueAt) return null\n  if (decision.at % DAY_MS === 0) for (const account of decision.world.accounts.values()) startDay(decision, account)',
      ],
      [
        'liquidateChanged(decision)\n  if (decision.at % DAY_MS === 0)',
        'liquidateChanged(decision)\n  if (decision.at < 0)',
      ],
    ],
    tests: [DRAWDOWN],
  },
  {
    breaks: 'an account exactly at its floor fails (H6)',
    file: 'src/domain/formulas/drawdown.ts',
    edits: [
      ['equity >= account.lossFloor', 'equity > account.lossFloor'],
      ['equity < total', 'equity <= total'],
    ],
    tests: [DRAWDOWN],
  },
  mutant(
    'a fill that is born liquidatable stays open until the next tick (J24)',
    'domain/commands/decide.ts',
    'if (!decision.changed.isEmpty) liquidateChanged(decision)',
    'if (decision.at < 0) liquidateChanged(decision)',
    domain('formulas/liquidation'),
  ),
  mutant(
    'a resting order has its account checked (J28)',
    'domain/flows/decision.ts',
    '    if (position === null) return\n',
    "    if ('reserve' in event) this.touched.add(this.world.accounts.known(event.accountId))\n    if (position === null) return\n",
    DRAWDOWN,
  ),
  mutant(
    'an unloaded account tells what became of its orders (J32)',
    'domain/commands/findOrder.ts',
    "return accessRejection(account, caller, true) ?? rejection('order_not_active')",
    "return accessRejection(account, caller, false) ?? rejection('order_not_active')",
    domain('commands/cancelOrder'),
  ),
  mutant(
    'a soft freeze thaws a day late (H5)',
    'domain/flows/newDay.ts',
    'account.frozenUntil <= decision.at',
    'account.frozenUntil < decision.at',
    DRAWDOWN,
  ),
  mutant(
    'the target itself is not enough (H7)',
    'domain/formulas/profitTarget.ts',
    'balanceOf(account) >= targetBalance(account)',
    'balanceOf(account) > targetBalance(account)',
    TARGET,
  ),
  mutant(
    'a promoted account keeps its old balance (H7)',
    'domain/flows/endPhase.ts',
    'adjustment: initialBalance - account.free',
    'adjustment: 0n',
    TARGET,
  ),
  mutant(
    'a new phase does not end the old one (H3)',
    'domain/evolve/applyAccountEvent.ts',
    'account.phaseOrdinal += 1',
    'account.phaseOrdinal += 0',
    domain('flows/phase'),
  ),
  mutant(
    'an idempotency key lasts a millisecond too long (I4)',
    'engine/outcomeWindow.ts',
    'return now < at + this.#windowMs',
    'return now <= at + this.#windowMs',
    'unit/engine/idempotency.test.ts',
  ),
  ...ARCHIVE_MUTANTS,
  ...ENGINE_MUTANTS,
  ...EXHAUSTIVE_MUTANTS,
  ...FAIRNESS_MUTANTS,
  ...LOG_MUTANTS,
  ...MARKET_MUTANTS,
  ...FAULT_MUTANTS,
  ...HISTORY_MUTANTS,
  ...OPERATOR_MUTANTS,
  ...ROW_MUTANTS,
  ...SCALE_MUTANTS,
  ...CLUSTER_MUTANTS,
  ...OWNERSHIP_MUTANTS,
  ...QUOTA_MUTANTS,
  ...PAGED_HISTORY_MUTANTS,
  ...ACCESS_MUTANTS,
  ...LEARNER_MUTANTS,
  ...FETCH_MUTANTS,
  ...LIVE_MUTANTS,
  ...PARQUET_MUTANTS,
  ...RESEARCH_MUTANTS,
  ...SUITE_MUTANTS,
  ...FEED_MUTANTS,
  ...STREAM_MUTANTS,
  ...SURFACE_MUTANTS,
  ...TELLING_MUTANTS,
]
