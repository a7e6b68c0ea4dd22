/** The stored form of every event. Numbers are given once; a released schema never changes (test/golden holds them). */
import type { AccountParameters } from '../../terms/accountParameters.ts'
import { ACCOUNT_PARAMETERS } from '../../terms/parameterFields.ts'
import type { AccountOpened } from '../accountEvents.ts'
import type { EngineCreated } from '../engineEvents.ts'
import type { Event, EventType } from '../event.ts'
import { EVENTS } from '../eventTable.ts'
import { object, text } from './fields.ts'
import { type RetiredSchema, SchemaSet, schemasOf } from './schemas.ts'
import { fieldsBefore, wholeFields } from './storedKinds.ts'

/** The number under which each event is stored, with the fields of the table in their order. */
const NUMBERS: { readonly [Type in EventType]: number } = {
  engineCreated: 34,
  dayBegan: 35,
  commandRefused: 36,
  marketListed: 2,
  marketConfigured: 3,
  marketStatusChanged: 4,
  fundingRateChanged: 5,
  priceUpdated: 6,
  accountOpened: 31,
  balanceAdjusted: 8,
  apiTradingChanged: 9,
  accountLockChanged: 10,
  accountLoadedChanged: 11,
  accountStopped: 12,
  accountUnfrozen: 13,
  accountPromoted: 14,
  dayStarted: 15,
  orderPlaced: 16,
  orderExecuted: 17,
  orderCanceled: 18,
  orderFailed: 19,
  orderReplaced: 20,
  increasePosition: 21,
  closePosition: 22,
  liquidate: 23,
  forceClose: 24,
  addMargin: 25,
  removeMargin: 26,
  payFunding: 27,
  apiKeyRegistered: 28,
  apiKeyRefreshed: 29,
  apiKeyRevoked: 30,
  apiKeyAmended: 32,
  apiKeyForgotten: 33,
  notionalQuotaSet: 37,
}

export const EVENT_SCHEMAS = schemasOf<Event>(NUMBERS, (type) => wholeFields(EVENTS[type].fields))

/** Forms of events that older logs hold, with what turns them into today's. */
const RETIRED: readonly RetiredSchema<Event>[] = [
  { id: 1, type: 'engineCreated', fields: { seed: text }, upcast: withDaysOfAccounts },
  {
    id: 7,
    type: 'accountOpened',
    fields: {
      ...wholeFields(EVENTS.accountOpened.fields),
      parameters: object(fieldsBefore('maxActiveOrders', wholeFields(ACCOUNT_PARAMETERS))),
    },
    upcast: withoutOrderLimit,
  },
]

/** Where a log does not say how its days begin, every account's begins by itself (K15). */
function withDaysOfAccounts(stored: object): EngineCreated {
  return { ...(stored as Omit<EngineCreated, 'dayBoundary'>), dayBoundary: 'account' }
}

/** An account's parameters as 0.1.0 stored them. */
type PlanOf010 = Omit<AccountParameters, 'maxActiveOrders'>

/** Where no limit was known, any number of orders may rest (K2). */
function withoutOrderLimit(stored: object): AccountOpened {
  const event = stored as Omit<AccountOpened, 'parameters'> & { readonly parameters: PlanOf010 }
  return { ...event, parameters: { ...event.parameters, maxActiveOrders: null } }
}

export const eventCodec = new SchemaSet<Event>(EVENT_SCHEMAS, RETIRED)
