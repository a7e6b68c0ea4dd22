/** Which column of a table of trades holds what. */

/**
 * Names of columns, in the order in which they are looked for: letters only, without case, and without a currency or a zone at their
 * end.
 */
const NAMES = {
  closedAt: [
    'closedat',
    'closetime',
    'closingtime',
    'exittime',
    'exitdate',
    'closedate',
    'closed',
    'filledsettlementtime',
    'tradetime',
    'date',
    'datetime',
    'dateandtime',
    'time',
  ],
  openedAt: ['openedat', 'opentime', 'openingtime', 'entrytime', 'entrydate', 'opendate', 'opened'],
  net: [
    'pnl',
    'netpnl',
    'netprofit',
    'realizedpnl',
    'closedpnl',
    'closedpl',
    'profitloss',
    'pl',
    'netpl',
    'net',
  ],
  gross: ['profit', 'grossprofit', 'grosspnl', 'realizedprofit', 'gross'],
  cumulated: ['cumnetprofit', 'cumprofit', 'cumulativepl', 'cumulativepnl'],
  worst: ['mae', 'maxadverseexcursion', 'adverseexcursion', 'drawdown', 'maxdrawdown'],
  symbol: ['symbol', 'asset', 'instrument', 'item', 'ticker', 'pair', 'contracts', 'market'],
  side: ['side', 'positionside', 'openingdirection', 'marketpos', 'direction', 'type'],
  closingSide: ['closingdirection'],
  size: [
    'size',
    'volume',
    'quantity',
    'qty',
    'lots',
    'closingquantity',
    'sizeqty',
    'positionsizeqty',
    'contracts',
    'amount',
  ],
  entryPrice: ['entryprice', 'openprice', 'openingprice', 'avgentryprice', 'avgopenprice'],
  exitPrice: ['exitprice', 'closeprice', 'closingprice', 'avgexitprice', 'avgcloseprice'],
  leverage: ['leverage'],
} as const
/** What a gross profit leaves out. */
const COSTS = /^(commissions?|swap|taxes|(.*)fees?)$/
const SUFFIX = /(usdt|usdc|usd|eur|gbp|jpy|chf|aud|cad|btc|eth|utc)$/
/** Columns that stand twice in a statement: of the opening first, of the closing then. */
const TWICE = ['time', 'price', 'date']

/** What a table of trades may say. */
export type TradeField = keyof typeof NAMES

/** Where what is told stands. */
export interface TradeColumns {
  /** Undefined where the table does not say it. */
  readonly at: Readonly<Partial<Record<TradeField, number>>>
  /** What has to be added to a gross profit. */
  readonly costs: readonly number[]
}

/** Percentages beside amounts are left aside. */
export function tradeColumns(head: readonly string[], first: readonly string[]): TradeColumns {
  const names = head.map((name) => (name.includes('%') ? '' : name.toLowerCase().replace(/[^a-z]/g, '')))
  const known = names.map((name, at) => {
    if (!TWICE.includes(name) || names.indexOf(name) === names.lastIndexOf(name)) return name
    return names.indexOf(name) === at ? `open${name}` : `close${name}`
  })
  const bare = known.map((name) => name.replace(SUFFIX, ''))
  const isNumber = (at: number) => /^[-+]?[\d.,\s]+$/.test(first[at] ?? '')
  const fits = (field: TradeField, at: number) =>
    field === 'symbol' ? !isNumber(at) : field === 'size' ? isNumber(at) : true
  const find = (field: TradeField) =>
    [known, bare]
      .flatMap((given) => NAMES[field].map((name) => given.indexOf(name)))
      .find((at) => at >= 0 && fits(field, at))
  const at = Object.fromEntries(
    (Object.keys(NAMES) as TradeField[]).map((field) => [field, find(field)] as const),
  )
  return { at, costs: bare.flatMap((name, index) => (COSTS.test(name) ? [index] : [])) }
}
