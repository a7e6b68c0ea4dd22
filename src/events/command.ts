/**
 * Everything that may be asked of the engine. The traders' commands are those of the Margin Trading API; the
 * platform's are the operator's. Prices and time are commands too: nothing enters the engine any other way.
 */
import type { Base, Price, Quote, Rate } from '../quantity/units.ts'
import type { AccountParameters } from '../terms/accountParameters.ts'
import type { AccountPhase, AccountStatus, StopReason } from '../terms/accountStatus.ts'
import type { MarketParameters } from '../terms/marketParameters.ts'
import type { MarketStatus } from '../terms/marketStatus.ts'
import type { DayBoundary } from './engineEvents.ts'
import type { PlaceOrder } from './placeOrder.ts'

type Optional<T> = T | null | undefined

/**
 * `PATCH /orders/{orderId}`. What can be edited depends on the order, which the command only names: so this is one type for all
 * of them, and the rules refuse what the order does not have (I3, J23, J27). Where nothing is given, or nothing that applies, the
 * order stays as it is and the command is accepted, because a caller may say again what is so already (J22).
 */
export interface EditOrder {
  readonly type: 'editOrder'
  /** An order that rests. */
  readonly orderId: string
  /** The new trigger price, above 0; none for a trailing stop (I3). */
  readonly triggerPrice?: Optional<Price>
  /** Increase: quote reserve, close: base size; fp9, above 0. */
  readonly amount?: Optional<bigint>
  /** The new limit of the size (C3). At least 0; 0 = no limit. */
  readonly expectedAmount?: Optional<Base>
  /** The new base size of an order sized by it, above 0; only along with `amount` (J23). */
  readonly baseSize?: Optional<Base>
}

/** `DELETE /orders/{orderId}` (I8), of an account that is not loaded too (J32). */
export interface CancelOrder {
  readonly type: 'cancelOrder'
  /** An order that rests. */
  readonly orderId: string
}

/** `PATCH /positions/{positionId}/margin` (E6, E7). */
export interface ChangeMargin {
  readonly type: 'changeMargin'
  /** An open position. */
  readonly positionId: string
  /** Signed: positive adds, negative withdraws, 0 changes nothing (E6). */
  readonly marginChange: Quote
}

/** `POST /positions/{accountId}/close-all` (I9). */
export interface CloseAll {
  readonly type: 'closeAll'
  /** The account whose orders are cancelled and whose positions are closed. */
  readonly accountId: string
}

/** What a trader may ask for. */
export type TraderCommand = PlaceOrder | EditOrder | CancelOrder | ChangeMargin | CloseAll

/** Begins a log. The first command of every engine, given by the engine itself. */
export interface CreateEngine {
  readonly type: 'createEngine'
  /** Ids derive from it (A4). */
  readonly seed: string
  /** How days begin, for the life of the log (K15); default, and in the logs of 0.1.0, `account`. */
  readonly dayBoundary?: Optional<DayBoundary>
}

/** What the operator may give again without its being done again. */
export interface Repeatable {
  /**
   * Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives
   * the first result, a refusal too. 1 to 255 characters.
   */
  readonly commandId?: Optional<string>
}

/**
 * A tick: the index price of one market. It is the price until the next (B3), and decides in one go what lies on the way to it, in
 * the order in which the price reaches it (B4–B6, J12); of a paused market it decides nothing (J6).
 */
export interface UpdatePrice extends Repeatable {
  readonly type: 'updatePrice'
  /** The market. */
  readonly marketId: string
  /** Its index price from here on. */
  readonly indexPrice: Price
}

/** Moves the clock forward, running everything that falls due in time order (J30): at one instant funding, then the day (J1). */
export interface AdvanceTime extends Repeatable {
  readonly type: 'advanceTime'
  /** Milliseconds, a whole number of at least 0. */
  readonly ms: number
}

/** A market as configured: identity required, the rest with defaults; partial for a known id. */
export interface MarketConfiguration extends Partial<MarketParameters> {
  /** Names the market for good. */
  readonly id: string
  /** Default: `open`. */
  readonly status?: MarketStatus
  /** First index price; null = never priced. Only when the market is listed. */
  readonly indexPrice?: Price | null
  /** When `indexPrice` was current, epoch ms; default now. */
  readonly priceAt?: number | null
}

/** Lists a market under a base asset of its own (I12), or changes the parameters of one that is listed. */
export interface ConfigureMarket extends Repeatable {
  readonly type: 'configureMarket'
  /** The market: a new one with all it needs, or a known one with what changes. */
  readonly market: MarketConfiguration
}

/** Opens a market, pauses it or sets it to close-only (G1, G2). */
export interface SetMarketStatus extends Repeatable {
  readonly type: 'setMarketStatus'
  /** The market. */
  readonly marketId: string
  /** What it is from here on (G1, G2). */
  readonly status: MarketStatus
}

/** Sets what longs, and shorts, pay at each funding instant from here on (E4, J2). */
export interface SetFundingRate extends Repeatable {
  readonly type: 'setFundingRate'
  /** The market. */
  readonly marketId: string
  /** What longs pay per funding instant, signed (E4). */
  readonly fundingRate: Rate
  /** What shorts pay, signed; null = the mirror, −fundingRate (J2). */
  readonly fundingRateShort?: Optional<Rate>
}

/** An account as configured: id, user and balance required, the rest with defaults. */
export interface AccountConfiguration extends Partial<AccountParameters> {
  /** Names the account for good. */
  readonly id: string
  /** Whose it is. */
  readonly userId: string
  /** What it opens with, and every phase starts with. */
  readonly balance: Quote
  /** Default: `active`. */
  readonly status?: AccountStatus
  /** Default: `active_evaluation`; null = none that trades (H1). */
  readonly phase?: AccountPhase
  /** Whether API keys may be used for it (H10). Default: true. */
  readonly apiTrading?: boolean
  /** Whether its live data is there (H9). Default: true. */
  readonly loaded?: boolean
  /** Whether increases are refused (H4). Default: false. */
  readonly locked?: boolean
}

/** Opens an account in the phase that is given (H1). */
export interface OpenAccount extends Repeatable {
  readonly type: 'openAccount'
  /** The account. */
  readonly account: AccountConfiguration
}

/** Deposits to or withdraws from the free balance of an account; the house is the other side (J8). */
export interface AdjustBalance extends Repeatable {
  readonly type: 'adjustBalance'
  /** The account. */
  readonly accountId: string
  /** Signed quote: positive deposits, negative withdraws, never more than is free (J8). */
  readonly amount: Quote
}

/** Lets an account be used with API keys, or not (H10). */
export interface SetApiTrading extends Repeatable {
  readonly type: 'setApiTrading'
  /** The account. */
  readonly accountId: string
  /** Whether API keys may be used for it (H10). */
  readonly enabled: boolean
}

/** Sets or lifts the managed capital limit of an account (H4). */
export interface SetAccountLock extends Repeatable {
  readonly type: 'setAccountLock'
  /** The account. */
  readonly accountId: string
  /** Whether increases are refused (H4). */
  readonly locked: boolean
}

/** Loads or unloads an account's live data (H9). */
export interface SetAccountLoaded extends Repeatable {
  readonly type: 'setAccountLoaded'
  /** The account. */
  readonly accountId: string
  /** Whether its live data is there; it is unloaded only with nothing open (J16). */
  readonly loaded: boolean
}

/** Ends the trading of an account: its orders and positions end with it (H2, J15). */
export interface StopAccount extends Repeatable {
  readonly type: 'stopAccount'
  /** The account. */
  readonly accountId: string
  /** Why, and with it what becomes of the account (H2). */
  readonly reason: StopReason
}

/** Makes a frozen account active again (H2, J15), and checks it at once (J11). */
export interface UnfreezeAccount extends Repeatable {
  readonly type: 'unfreezeAccount'
  /** A frozen account. */
  readonly accountId: string
}

/** Closes a position at its market's price, whoever it belongs to (H2). */
export interface ForceClosePosition extends Repeatable {
  readonly type: 'forceClosePosition'
  /** An open position. */
  readonly positionId: string
}

/** Closes what is too highly leveraged to be held over the end of a market's session (G3). */
export interface WeeklySessionRiskClose extends Repeatable {
  readonly type: 'weeklySessionRiskClose'
  /** The market. */
  readonly marketId: string
}

/** What the operator may ask for. */
export type PlatformCommand =
  | UpdatePrice
  | AdvanceTime
  | ConfigureMarket
  | SetMarketStatus
  | SetFundingRate
  | OpenAccount
  | AdjustBalance
  | SetApiTrading
  | SetAccountLock
  | SetAccountLoaded
  | StopAccount
  | UnfreezeAccount
  | ForceClosePosition
  | WeeklySessionRiskClose
  | RevokeApiKey

/** Makes an API key known (I6). The host draws id and secret; only the secret's SHA-256 enters the log. */
export interface RegisterApiKey {
  readonly type: 'registerApiKey'
  /** The key; no other has this id. */
  readonly keyId: string
  /** Whose it is. */
  readonly userId: string
  /** What its owner calls it. */
  readonly name: string
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string
  /** The first characters of the secret, for people to recognize it by. */
  readonly prefix: string
  /** When it ends, epoch ms; null = never. */
  readonly expiresAt?: Optional<number>
  /** How many keys of the user may be live with it (K3); null = any number. */
  readonly maxLive?: Optional<number>
}

/** Gives a user's key a new secret; the old one is dead at once. */
export interface RefreshApiKey {
  readonly type: 'refreshApiKey'
  /** The key. */
  readonly keyId: string
  /** Whose it has to be. */
  readonly userId: string
  /** SHA-256 of the new secret, hexadecimal. */
  readonly hash: string
  /** The first characters of the new secret. */
  readonly prefix: string
  /** When it ends, epoch ms; null = never. */
  readonly expiresAt?: Optional<number>
  /** How many keys of the user may be live with it (K3); null = any number. */
  readonly maxLive?: Optional<number>
}

/** Ends a key, named by its id or by its secret's SHA-256 (K11). */
export interface RevokeApiKey extends Repeatable {
  readonly type: 'revokeApiKey'
  /** The key, where it is named by its id. */
  readonly keyId?: Optional<string>
  /** SHA-256 of the key's secret, where it is named by that: 64 hexadecimal digits, lower case. */
  readonly hash?: Optional<string>
  /** Whose key it has to be; null = anybody's. */
  readonly userId?: Optional<string>
}

/** The configuration gives a key that came from it to another user, or another end (K11). */
export interface AmendApiKey {
  readonly type: 'amendApiKey'
  /** The key. */
  readonly keyId: string
  /** Whose it is from here on. */
  readonly userId: string
  /** When it ends, epoch ms; null = never. */
  readonly expiresAt?: Optional<number>
}

/** A key that came from the configuration has left it (K11): it ends, and the configuration may name it again. */
export interface WithdrawApiKey {
  readonly type: 'withdrawApiKey'
  /** The key. */
  readonly keyId: string
}

/** What only the host's configuration asks for (K11). */
export type ConfigurationCommand = AmendApiKey | WithdrawApiKey

/** What of a market's open notional this shard of a cluster may hold (C5), from here on. */
export interface SetNotionalQuota {
  readonly type: 'setNotionalQuota'
  /** The market. */
  readonly marketId: string
  /** Of longs. */
  readonly quotaLong: Quote
  /** Of shorts. */
  readonly quotaShort: Quote
}

/** What only a cluster asks of its shards. */
export type ClusterCommand = SetNotionalQuota

/** What a user's interactive session asks. */
export type SessionCommand = RegisterApiKey | RefreshApiKey | RevokeApiKey

/** Everything the engine can be asked to do. */
export type Command =
  | CreateEngine
  | TraderCommand
  | PlatformCommand
  | SessionCommand
  | ConfigurationCommand
  | ClusterCommand

/** Who asks. Without a caller a command comes from the embedding program itself and is trusted. */
export interface Caller {
  readonly userId: string
  /** Whether the caller used an API key: then the account's `apiTrading` switch applies (H10). */
  readonly apiKey: boolean
  /** The key's id, which commits are marked with (K10); omitted where it is not known. */
  readonly keyId?: string | null
}
