// Who takes part: ids and tokens, so that a client need not load a host.

export const uuid = (kind: string, n: number) =>
  `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const MARKET = uuid('b', 1)
export const ATTACKER = { userId: uuid('a', 1), accountId: uuid('c', 1), session: 'session-of-the-attacker' }
/** Two more accounts of the attacker: one with trailing stops, one with nothing. */
export const TRAILER = { accountId: uuid('c', 3), spareId: uuid('c', 4) }
export const VICTIM = { userId: uuid('a', 2), accountId: uuid('c', 2), session: 'session-of-the-victim' }
export const OPERATOR = 'operator-of-the-attack'
/** May read the log, and no more. */
export const READER = 'reader-of-the-attack'
