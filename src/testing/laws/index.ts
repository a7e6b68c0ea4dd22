/** Every law. */
import type { Law } from '../law.ts'
import { acceptancesAreOneCommit, keysActOnce, rejectionsLeaveNoTrace } from './commands.ts'
import { closesPayTheSpread, fundingFallsOnInstants } from './costs.ts'
import { eventsAreWhatTheirTableSays } from './events.ts'
import { accountsAreSums, engineLedgerIsTheSum, moneyIsConserved, nothingIsOverdrawn } from './ledger.ts'
import {
  nobodyTradesBelowAFloor,
  noneSurvivesATick,
  onlyTheLiquidatableAreLiquidated,
  partialClosesAreSafe,
  withdrawalsLeaveAMargin,
} from './liquidation.ts'
import {
  cancellationsSayWhy,
  endedOrdersNeverChange,
  ordersMoveAlongTheirTable,
  ordersReadAsTheyStand,
  sessionClosesStayOnTheirMarket,
} from './orders.ts'
import { limitOrBetter, ticksWalkThePath } from './path.ts'
import {
  fillsFitTheMarket,
  phasesStartFlat,
  pricesAreFresh,
  restingOrdersAreBounded,
  stopsKeepTheirDistance,
} from './placement.ts'
import {
  eventSumsAreTotals,
  increasesAreBornHealthy,
  onePositionPerDirection,
  positionsMoveAlongTheirTable,
  reducersAgree,
  versionsHaveNoGaps,
} from './positions.ts'
import {
  adjustmentMeansBound,
  equityIsCapped,
  lossIsBoundedByMargin,
  profitIsCapped,
  referenceIsAdjusted,
  splittingGainsNothing,
} from './profitCap.ts'
import { idsAreUnique, recordsHaveTheirForm } from './records.ts'
import { theLogIsTheTruth } from './replay.ts'
import { fillsRoundForTheHouse, roundingNeverPaysTheTrader } from './rounding.ts'

/** Every law of docs/laws.md. */
export const LAWS: readonly Law[] = [
  moneyIsConserved,
  nothingIsOverdrawn,
  accountsAreSums,
  engineLedgerIsTheSum,
  onePositionPerDirection,
  positionsMoveAlongTheirTable,
  reducersAgree,
  versionsHaveNoGaps,
  eventSumsAreTotals,
  increasesAreBornHealthy,
  profitIsCapped,
  referenceIsAdjusted,
  splittingGainsNothing,
  adjustmentMeansBound,
  lossIsBoundedByMargin,
  equityIsCapped,
  closesPayTheSpread,
  fundingFallsOnInstants,
  onlyTheLiquidatableAreLiquidated,
  noneSurvivesATick,
  partialClosesAreSafe,
  withdrawalsLeaveAMargin,
  nobodyTradesBelowAFloor,
  ticksWalkThePath,
  limitOrBetter,
  pricesAreFresh,
  fillsFitTheMarket,
  stopsKeepTheirDistance,
  restingOrdersAreBounded,
  phasesStartFlat,
  ordersMoveAlongTheirTable,
  endedOrdersNeverChange,
  ordersReadAsTheyStand,
  cancellationsSayWhy,
  sessionClosesStayOnTheirMarket,
  rejectionsLeaveNoTrace,
  acceptancesAreOneCommit,
  keysActOnce,
  eventsAreWhatTheirTableSays,
  recordsHaveTheirForm,
  idsAreUnique,
  fillsRoundForTheHouse,
  roundingNeverPaysTheTrader,
  theLogIsTheTruth,
]
