/** Why the platform closes positions and cancels orders: every reason, in words for people (H2, G3). */
export const CLOSE_REASONS = {
  force_close: 'closed by the platform',
  stop_accounts_fail: 'evaluation failed',
  stop_accounts_freeze: 'frozen for the day',
  stop_accounts_promote: 'promoted',
  stop_accounts_manual: 'stopped by the platform',
  weekly_session_risk_close: 'weekly session close',
} as const satisfies Record<string, string>

/** Why the platform closed a position (H2, G3). */
export type CloseReason = keyof typeof CLOSE_REASONS

/** Why the platform cancelled an order: the same reasons. */
export type CancelReason = CloseReason
