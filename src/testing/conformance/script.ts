/** Writes the steps of a case: a stage of one market and one account without costs, and what happens on it. */
import { fp9 } from '../../quantity/decimal.ts'
import type { Asker, Step } from './exchange.ts'

type Fields = Readonly<Record<string, unknown>>

/** An fp9 text of a decimal one. */
export const n = (decimal: string): string => fp9(decimal).toString()

/** A market on which nothing costs anything and nothing is bounded: what a case is about, it says. */
const PLAIN_MARKET = {
  category: 'crypto',
  indexPrice: n('100'),
  spread: '0',
  feeRate: '0',
  minLeverage: n('1'),
  maxLeverage: n('100'),
  maintenanceMarginRate: '0',
  minNotional: '0',
  minStopDistance: '0',
  scalpingWindowMs: 0,
  scalpingCoefficient: n('1'),
  maxPriceAgeMs: 864_000_000,
  fundingIntervalMs: 28_800_000,
  fundingRate: '0',
}
const PLAIN_ACCOUNT = {
  balance: n('10000'),
  maxLeverage: n('100'),
  maxDailyLoss: n('1'),
  maxTotalLoss: n('1'),
}

/** What a case says of its stage beside the plain one. */
export interface Stage {
  readonly market?: Fields
  readonly account?: Fields
}

/** The label of every step that builds the stage. */
export const STAGE = 'stage'

/**
 * The steps of a case as they are written: every method adds one, but for {@link Script.steps} itself.
 *
 * @throws RangeError from a method, for a number that is no decimal.
 */
export class Script {
  /** What has been written so far. */
  readonly steps: Step[] = []

  constructor({ market = {}, account = {} }: Stage = {}) {
    this.list('', market)
    this.open('', account)
  }

  /** Another market: `{market2}` with the ticker `{asset2}` for the name `2`. */
  list(name: string, more: Fields = {}): void {
    const [id, asset] = [`{market${name}}`, `{asset${name}}`]
    const market = { id, baseAsset: asset, ticker: `${asset}/USD`, ...PLAIN_MARKET, ...more }
    this.operate({ type: 'configureMarket', market }, STAGE)
  }

  /** Another account, of the first trader unless told otherwise. */
  open(name: string, more: Fields = {}): void {
    const account = { id: `{account${name}}`, userId: '{user}', ...PLAIN_ACCOUNT, ...more }
    this.operate({ type: 'openAccount', account }, STAGE)
  }

  operate(command: Fields, label = 'operate'): void {
    this.#ask(label, 'POST', '/operator/commands', command, { as: 'operator' })
  }

  tick(price: string, market = '{market}'): void {
    this.operate({ type: 'updatePrice', marketId: market, indexPrice: n(price) })
  }

  /** Has so many ms pass. */
  wait(ms: number | string): void {
    this.operate({ type: 'advanceTime', ms })
  }

  /** A market order of 1,000 at 10x unless told otherwise. */
  buy(label: string, more: Fields = {}, terms: Partial<Step> = {}): void {
    this.place(label, { type: 'market', ...more }, terms)
  }

  /** An increase of 1,000 at 10x of a long. */
  place(label: string, more: Fields, terms: Partial<Step> = {}): void {
    const order = {
      accountId: '{account}',
      marketId: '{market}',
      direction: 'long',
      amount: n('1000'),
      leverage: n('10'),
      ...more,
    }
    this.#ask(label, 'POST', '/orders', order, terms)
  }

  /** A close of the position `{p.0.idx}`: of all of it, at market, unless told otherwise. */
  close(label: string, more: Fields = {}, terms: Partial<Step> = {}): void {
    const order = {
      accountId: '{account}',
      marketId: '{market}',
      direction: 'long',
      type: 'take',
      amount: n('1000000'),
      triggerPrice: '0',
      positionId: '{p.0.idx}',
      ...more,
    }
    this.#ask(label, 'POST', '/orders', order, terms)
  }

  edit(label: string, order: string, body: Fields, terms: Partial<Step> = {}): void {
    this.#ask(label, 'PATCH', `/orders/${order}`, body, terms)
  }

  cancel(label: string, order: string, terms: Partial<Step> = {}): void {
    this.#ask(label, 'DELETE', `/orders/${order}`, undefined, terms)
  }

  margin(label: string, change: string, terms: Partial<Step> = {}): void {
    this.#ask(label, 'PATCH', '/positions/{p.0.idx}/margin', { marginChange: change }, terms)
  }

  closeAll(label: string, terms: Partial<Step> = {}): void {
    this.#ask(label, 'POST', '/positions/{account}/close-all', undefined, terms)
  }

  get(label: string, path: string, terms: Partial<Step> = {}): void {
    this.#ask(label, 'GET', path, undefined, terms)
  }

  send(label: string, method: Step['method'], path: string, body?: unknown, terms: Partial<Step> = {}): void {
    this.#ask(label, method, path, body, terms)
  }

  /** The open positions, by `p` unless told otherwise: `{p.0.idx}` is the newest. */
  positions(label = 'p'): void {
    this.get(label, '/positions/{account}/active')
  }

  orders(label = 'o'): void {
    this.get(label, '/orders/{account}/active')
  }

  orderHistory(label = 'oh'): void {
    this.get(label, '/orders/{account}/{asset}/history')
  }

  positionHistory(label = 'ph'): void {
    this.get(label, '/positions/{account}/{asset}/history')
  }

  events(label = 'events'): void {
    this.get(label, '/positions/{p.0.idx}/history')
  }

  risk(label = 'risk'): void {
    this.get(label, '/accounts/{account}/risk-status')
  }

  accounts(label = 'accounts', as: Asker = 'trader'): void {
    this.get(label, '/accounts/with-risk-status', { as, among: 'accountId' })
  }

  markets(label = 'markets'): void {
    this.get(label, '/v2/markets?accountId={account}', { among: 'id' })
  }

  #ask(label: string, method: Step['method'], path: string, body: unknown, terms: Partial<Step>): void {
    this.steps.push({ label, as: 'trader', method, path, ...(body !== undefined && { body }), ...terms })
  }
}
