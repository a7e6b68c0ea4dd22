/** The stored form of every command. Numbers are given once; a released schema never changes (test/golden holds them). */

import type { FieldKinds } from '../../terms/fieldKinds.ts'
import type {
  AccountConfiguration,
  Command,
  CreateEngine,
  OpenAccount,
  RefreshApiKey,
  RegisterApiKey,
  RevokeApiKey,
} from '../command.ts'
import { ACCOUNT_FIELDS, COMMAND_FIELDS } from '../commandTable.ts'
import { id, object, text } from './fields.ts'
import { type RetiredSchema, SchemaSet, schemasOf } from './schemas.ts'
import { fieldsBefore, givenFields } from './storedKinds.ts'

/** The number under which each command is stored, with the fields of the table in their order. */
const NUMBERS: { readonly [Type in Command['type']]: number } = {
  createEngine: 30,
  placeOrder: 2,
  editOrder: 3,
  cancelOrder: 4,
  changeMargin: 5,
  closeAll: 6,
  updatePrice: 7,
  advanceTime: 8,
  configureMarket: 9,
  setMarketStatus: 10,
  setFundingRate: 11,
  openAccount: 24,
  adjustBalance: 13,
  setApiTrading: 14,
  setAccountLock: 15,
  setAccountLoaded: 16,
  stopAccount: 17,
  unfreezeAccount: 18,
  forceClosePosition: 19,
  weeklySessionRiskClose: 20,
  registerApiKey: 25,
  refreshApiKey: 26,
  revokeApiKey: 27,
  amendApiKey: 28,
  withdrawApiKey: 29,
  setNotionalQuota: 32,
}

export const COMMAND_SCHEMAS = schemasOf<Command>(NUMBERS, (type) =>
  givenFields(ownFields(COMMAND_FIELDS[type])),
)

/** What is stored of a command itself: the name it was given under stands before it, where there is one. */
function ownFields({ commandId, ...fields }: FieldKinds): FieldKinds {
  return fields
}

/** Forms of commands that older logs hold, with what turns them into today's. */
const RETIRED: readonly RetiredSchema<Command>[] = [
  { id: 1, type: 'createEngine', fields: { seed: text }, upcast: (stored) => stored as CreateEngine },
  {
    id: 12,
    type: 'openAccount',
    fields: { account: object(fieldsBefore('maxActiveOrders', givenFields(ACCOUNT_FIELDS))) },
    upcast: withoutOrderLimit,
  },
  // Keys had no limit in 0.1.0 (K3).
  {
    id: 21,
    type: 'registerApiKey',
    fields: fieldsBefore('maxLive', givenFields(COMMAND_FIELDS.registerApiKey)),
    upcast: asItIs<RegisterApiKey>,
  },
  {
    id: 22,
    type: 'refreshApiKey',
    fields: fieldsBefore('maxLive', givenFields(COMMAND_FIELDS.refreshApiKey)),
    upcast: asItIs<RefreshApiKey>,
  },
  { id: 23, type: 'revokeApiKey', fields: { keyId: id, userId: id }, upcast: asItIs<RevokeApiKey> },
]

/** What was added since may be left out. */
function asItIs<C extends Command>(stored: object): C {
  return stored as C
}

/** Where no limit could be given, none was meant (K2). */
function withoutOrderLimit(stored: object): OpenAccount {
  const { account } = stored as { readonly account: Omit<AccountConfiguration, 'maxActiveOrders'> }
  return { type: 'openAccount', account: { ...account, maxActiveOrders: null } }
}

export const commandCodec = new SchemaSet<Command>(COMMAND_SCHEMAS, RETIRED)
