/** The closed sets of an order: what became of it, how it is sized, why it ended. */

/** Where an order stands; all but `active` are final. */
export type OrderStatus =
  | 'active'
  | 'canceled'
  | 'canceled_by_update'
  | 'canceled_by_error'
  | 'canceled_by_position'
  | 'executed'

/** How an increase is sized: `quote` by its reserve (C1), `base` by its size (C2). */
export type SizeMode = 'quote' | 'base'

/** Why the platform closed a position (H2, G3). */
export type CloseReason =
  | 'force_close'
  | 'stop_accounts_fail'
  | 'stop_accounts_freeze'
  | 'stop_accounts_promote'
  | 'stop_accounts_manual'
  | 'weekly_session_risk_close'

/** Why the platform cancelled an order: the same reasons. */
export type CancelReason = CloseReason
