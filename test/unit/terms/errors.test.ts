import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode, EXECUTION_ERRORS } from '../../../src/index.ts'

/** The error catalogue of the specification, by status. */
const CATALOGUE: Record<number, string> = {
  401: 'session_expired',
  403: `api_key_not_allowed account_access_denied api_trading_not_enabled challenge_closed
    account_phase_not_allowed funded_limit_trading_locked order_not_active market_paused market_close_only
    market_category_not_allowed`,
  404: 'account_not_found market_not_found order_not_found position_not_found',
  409: 'idempotency_key_in_flight account_not_loaded market_price_stale',
  429: 'api_key_rate_limit_exceeded',
  400: `validation_failed insufficient_balance position_not_available non_positive_margin invalid_leverage
    order_not_updatable trigger_price_reset_forbidden base_size_requires_amount market_price_unavailable
    order_validation_invariant order_exceeds_max_open_notional
    amount_not_positive base_size_required base_size_negative base_size_not_allowed
    leverage_required leverage_negative
    trigger_price_required trigger_price_negative
    stop_trigger_price_negative take_trigger_price_negative
    stop_trigger_price_gt_trigger_price stop_trigger_price_lt_trigger_price
    take_trigger_price_gt_trigger_price take_trigger_price_lt_trigger_price
    stop_limit_price_required stop_limit_price_negative
    stop_limit_price_gt_trigger_price stop_limit_price_lt_trigger_price
    trailing_stop_activation_price_negative trailing_stop_offset_required trailing_stop_offset_conflict
    trailing_stop_offset_negative trailing_stop_offset_percent_negative trailing_stop_offset_percent_gte_one
    position_id_required
    trigger_price_gt_current trigger_price_lt_current trigger_price_gt_liquidation trigger_price_lt_liquidation`,
}

const EXECUTION = `insufficient_reserve_at_execution order_below_min_notional order_exceeds_market_depth
  order_exceeds_max_open_notional order_zero_size_at_execution slippage_tolerance market_close_only_at_execution`

const words = (text: string): string[] => text.split(/\s+/)
const codes = Object.keys(ERRORS) as ErrorCode[]

/** Codes of decisions K that the document does not have, by status. */
const EXTENSIONS: Record<number, string> = {
  503: 'engine_stopped shard_unavailable',
  409: 'position_changed',
  400: 'too_many_api_keys too_many_active_orders',
}

describe('the table of error codes', () => {
  test('has the codes and statuses of the catalogue, no more and no fewer', () => {
    const catalogue = [CATALOGUE, EXTENSIONS].flatMap((part) =>
      Object.entries(part).flatMap(([status, list]) =>
        words(list).map((code) => [code, Number(status)] as const),
      ),
    )
    expect(Object.fromEntries(codes.map((code) => [code, ERRORS[code].status]))).toEqual(
      Object.fromEntries(catalogue),
    )
    expect(Object.keys(EXECUTION_ERRORS).sort()).toEqual(words(EXECUTION).sort())
  })

  test('marks what the document does not have', () => {
    const marked = codes.filter((code) => ERRORS[code].extension)
    expect([...marked].sort()).toEqual(Object.values(EXTENSIONS).flatMap(words).sort())
  })

  test('59 codes of HTTP and 7 of execution, 65 in all: one is both', () => {
    const execution = Object.keys(EXECUTION_ERRORS)
    const documented = codes.filter((code) => !ERRORS[code].extension)
    expect(documented.length).toBe(59)
    expect(execution.length).toBe(7)
    expect(new Set([...documented, ...execution]).size).toBe(65)
    expect(execution.filter((code) => code in ERRORS)).toEqual(['order_exceeds_max_open_notional'])
  })

  test('every meaning is one sentence of its own', () => {
    const meanings = [...codes.map((code) => ERRORS[code].meaning), ...Object.values(EXECUTION_ERRORS)]
    expect(new Set(meanings).size).toBe(meanings.length)
    for (const meaning of meanings) expect(meaning).toMatch(/^[A-Z][^.]*\.$/)
  })
})

describe('docs/errors.md', () => {
  const page = path.resolve(import.meta.dirname, '../../../docs/errors.md')

  /** The rows of the page, as the table in the code gives them. */
  const rows = () => [
    ...codes.map((code) => {
      const { status, group, raisedBy, meaning, extension } = ERRORS[code]
      return `| ${status} | \`${code}\`${extension ? ' (extension)' : ''} | ${group} | ${raisedBy} | ${meaning} |`
    }),
    ...Object.entries(EXECUTION_ERRORS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
  ]

  test('lists every code, in the order and with the words of the table', () => {
    const documented = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => /^\| ([0-9]{3} \| )?`/.test(line))
    expect(documented).toEqual(rows())
  })
})
