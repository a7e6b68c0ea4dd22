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
    'exitedat',
    'soldtimestamp',
    'filledsettlementtime',
    'filledtime',
    'tradetime',
    'date',
    'datetime',
    'dateandtime',
    'time',
  ],
  openedAt: [
    'openedat',
    'opentime',
    'openingtime',
    'entrytime',
    'entrydate',
    'enteredat',
    'opendate',
    'opened',
    'boughttimestamp',
  ],
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
  cumulated: ['cumnetprofit', 'cumprofit', 'cumulativeprofit'],
  worst: ['mae', 'maxadverseexcursion', 'adverseexcursion', 'drawdown', 'maxdrawdown'],
  symbol: ['symbol', 'asset', 'instrument', 'item', 'ticker', 'pair', 'contractname', 'contracts', 'market'],
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
  entryPrice: ['entryprice', 'openprice', 'openingprice', 'avgentryprice', 'avgopenprice', 'buyprice'],
  exitPrice: ['exitprice', 'closeprice', 'closingprice', 'avgexitprice', 'avgcloseprice', 'sellprice'],
  leverage: ['leverage'],
  price: ['price', 'avgprice', 'fillprice'],
  number: ['trade', 'tradenumber'],
  signal: ['signal'],
} as const
/** What some cell of a column is like. */
const FITS: Partial<Record<TradeField, RegExp>> = {
  symbol: /[a-z]{2}/i,
  size: /^[-+]?[\d.,\s]+/,
  side: /^(buy|sell|long|short|entry|exit|b$|s$|l$)/i,
}
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
  /** Whether opening and closing are bought and sold, whichever came first. */
  readonly isBoughtAndSold: boolean
  /** Whether its platform writes dates so, where no row tells. */
  readonly isMonthFirst: boolean
  /** The zone that the head of the closing times names. */
  readonly zone: string | null
  /** The name of a column that is read and stands more than once: nobody knows which is meant. Null where each stands once. */
  readonly doubled: string | null
}

/**
 * Percentages beside amounts are left aside.
 *
 * @param sample some rows, by which columns of one name for different things are told apart.
 */
export function tradeColumns(head: readonly string[], sample: readonly (readonly string[])[]): TradeColumns {
  const names = head.map((name) => (name.includes('%') ? '' : name.toLowerCase().replace(/[^a-z]/g, '')))
  const known = names.map((name, at) => {
    if (!TWICE.includes(name) || names.indexOf(name) === names.lastIndexOf(name)) return name
    return names.indexOf(name) === at ? `open${name}` : `close${name}`
  })
  const bare = known.map((name) => name.replace(SUFFIX, ''))
  const find = (field: TradeField) =>
    [known, bare]
      .flatMap((given) => NAMES[field].map((name) => given.indexOf(name)))
      .find(
        (at) =>
          at >= 0 && (FITS[field] === undefined || sample.some((row) => FITS[field]?.test(row[at] ?? ''))),
      )
  const found = Object.fromEntries((Object.keys(NAMES) as TradeField[]).map((field) => [field, find(field)]))
  // Topstep's own profit is before its fees.
  const isTopstep = known.includes('contractname') && known.includes('enteredat')
  const at: TradeColumns['at'] = isTopstep ? { ...found, gross: found.net, net: undefined } : found
  return {
    at,
    costs: bare.flatMap((name, index) => (COSTS.test(name) ? [index] : [])),
    isBoughtAndSold: known[at.closedAt ?? -1] === 'soldtimestamp',
    isMonthFirst: isTopstep || known[at.closedAt ?? -1] === 'soldtimestamp',
    zone: zoneOf(head[at.closedAt ?? -1] ?? ''),
    doubled: head[Object.values(at).find((own) => isDoubled(known, own)) ?? -1] ?? null,
  }
}

function isDoubled(names: readonly string[], at: number | undefined): at is number {
  return at !== undefined && names.indexOf(names[at] as string) !== names.lastIndexOf(names[at] as string)
}

/** `Time(UTC+8)`, `Date(UTC)`, `Closing time (UTC-05:00)` */
function zoneOf(name: string): string | null {
  const [found, sign, hours, minutes = '00'] = /UTC(?:\s*([+-])(\d{1,2})(?::?(\d{2}))?)?/.exec(name) ?? []
  if (found === undefined) return null
  return sign === undefined ? 'UTC' : `${sign}${hours?.padStart(2, '0')}:${minutes}`
}
