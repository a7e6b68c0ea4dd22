/** Which rule a difference is about, where no case says so: by the code that was answered or the field that is off. */
import { ERRORS, type ErrorCode } from '../../terms/errors.ts'
import type { Difference, Exchange } from './exchange.ts'
import type { RuleId } from './rules.ts'

/** Beginnings of codes, the first that fits. */
const RULE_OF_CODE: readonly (readonly [start: string, rule: RuleId])[] = [
  ['session_expired', 'I7'],
  ['api_key_rate', 'I5'],
  ['api_key_not', 'I7'],
  ['idempotency', 'I4'],
  ['validation_failed', 'A6'],
  ['account_access', 'I14'],
  ['api_trading', 'H10'],
  ['account_not_loaded', 'H9'],
  ['challenge_closed', 'H1'],
  ['account_phase', 'H1'],
  ['funded_limit', 'H4'],
  ['too_many_active', 'K2'],
  ['market_paused', 'G1'],
  ['market_category', 'G4'],
  ['market_close_only', 'G2'],
  ['market_price', 'B7'],
  ['market_not', 'G5'],
  ['non_positive_margin', 'E6'],
  ['order_exceeds_max', 'C5'],
  ['order_exceeds_market', 'B8'],
  ['order_below', 'C4'],
  ['order_zero', 'C1'],
  ['insufficient_reserve', 'C2'],
  ['slippage', 'C3'],
  ['order_not_active', 'I3'],
  ['order_not_updatable', 'I3'],
  ['trigger_price_reset', 'I3'],
  ['base_size_requires', 'J23'],
  ['trigger_price_gt_liquidation', 'F10'],
  ['trigger_price_lt_liquidation', 'F10'],
  ['trigger_price_gt_current', 'F1'],
  ['trigger_price_lt_current', 'F1'],
  ['invalid_leverage', 'I1'],
  ['insufficient_balance', 'I1'],
  ['position_not_available', 'I1'],
]

/** Fields in the order in which one makes the next: the first that is off is what went wrong. */
const RULE_OF_FIELD: readonly (readonly [field: string, rule: RuleId])[] = [
  ['length', 'I11'],
  ['totalCount', 'I11'],
  ['id', 'I10'],
  ['idx', 'I10'],
  ['type', 'E3'],
  ['status', 'B5'],
  ['errorCode', 'C4'],
  ['reason', 'H2'],
  ['closeReason', 'H2'],
  ['requestedTriggerPrice', 'F9'],
  ['triggerPrice', 'F5'],
  ['stopPrice', 'F5'],
  ['limitPrice', 'F5'],
  ['parentOrderId', 'F13'],
  ['positionId', 'F13'],
  ['indexPrice', 'B4'],
  ['scalpingCoefficient', 'B2'],
  ['feeRate', 'C13'],
  ['fee', 'C1'],
  ['feeInEvent', 'C8'],
  ['exchangedBase', 'C1'],
  ['exchangedQuote', 'B1'],
  ['size', 'C1'],
  ['notional', 'C6'],
  ['amount', 'C2'],
  ['reservedAmount', 'C2'],
  ['rawPnlInEvent', 'C7'],
  ['rawRealizedPnl', 'C7'],
  ['profitAdjustmentApplied', 'D8'],
  ['pnlInEvent', 'D1'],
  ['realizedPnl', 'D1'],
  ['pnl', 'D1'],
  ['fundingInEvent', 'E4'],
  ['funding', 'E4'],
  ['margin', 'C9'],
  ['roe', 'C12'],
  ['version', 'C13'],
  ['eventName', 'C13'],
  ['currentEquity', 'C11'],
  ['currentBalance', 'C11'],
  ['freeBalance', 'C11'],
  ['dailyLossFloor', 'H5'],
  ['dailyLossRemaining', 'H5'],
  ['dayStartEquity', 'H5'],
  ['totalLossFloor', 'H6'],
  ['totalLossRemaining', 'H6'],
  ['currentPhase', 'H7'],
  ['accountId', 'H8'],
]

/** The difference that tells most, and its rule. */
export function attribution({ step, expected, got, differences }: Exchange): {
  readonly rule: RuleId
  readonly difference: Difference
} {
  const [first] = differences as readonly [Difference, ...Difference[]]
  const codes = [codeIn(expected.body), codeIn(got.body)]
  if (codes[0] !== codes[1]) {
    const difference = differences.find(({ field }) => field === 'error') ?? first
    return { rule: ruleOfCodes(step.method, step.path, codes), difference }
  }
  for (const [field, rule] of RULE_OF_FIELD) {
    const difference = differences.find((one) => one.field === field)
    if (difference === undefined) continue
    return { rule: field === 'status' && difference.path === 'status' ? 'A7' : rule, difference }
  }
  if (first.field === 'content-type') return { rule: 'A7', difference: first }
  if (first.path.startsWith('headers')) return { rule: 'I4', difference: first }
  return { rule: codes[0] === null ? 'C13' : 'I16', difference: first }
}

/** The code of a refusal, of a request or of a platform command. */
function codeIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { error, results } = body as { error?: unknown; results?: readonly { error?: unknown }[] }
  const code = error ?? results?.[0]?.error
  return typeof code === 'string' ? code : null
}

/** Two codes: the order of the checks. One: whose condition it is. */
function ruleOfCodes(
  method: string,
  path: string,
  [one, other]: readonly (string | null | undefined)[],
): RuleId {
  if (one != null && other != null) {
    if (isShape(one) && isShape(other)) return 'I2'
    return method === 'PATCH' ? (path.endsWith('margin') ? 'E6' : 'I3') : 'I1'
  }
  const code = one ?? other ?? ''
  if (isShape(code)) return 'I2'
  return RULE_OF_CODE.find(([start]) => code.startsWith(start))?.[1] ?? 'I1'
}

const SHAPE = new Set(['size', 'trigger', 'attached', 'stop-limit', 'trailing', 'close'])

function isShape(code: string): boolean {
  const entry = ERRORS[code as ErrorCode] as { readonly group: string } | undefined
  return entry !== undefined && (SHAPE.has(entry.group) || /^leverage_/.test(code))
}
