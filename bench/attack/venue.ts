// The venue that is attacked: an attacker and a victim, each a user with a session, and what an attack needs lying about.

import { readConfiguration } from '../../src/host/configuration.ts'
import type { Engine } from '../../src/index.ts'

const uuid = (kind: string, n: number) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const MARKET = uuid('b', 1)
export const ATTACKER = { userId: uuid('a', 1), accountId: uuid('c', 1), session: 'session-of-the-attacker' }
export const VICTIM = { userId: uuid('a', 2), accountId: uuid('c', 2), session: 'session-of-the-victim' }
export const OPERATOR = 'operator-of-the-attack'

const ONE = 1_000_000_000n
const MARGIN_EVENTS = 20_000
const OTHER_SESSIONS = 10_000

const trader = ({ userId, accountId }: typeof ATTACKER) => ({
  id: accountId,
  userId,
  balance: String(1_000_000_000n * ONE),
  maxDailyLoss: String(ONE),
  maxTotalLoss: String(ONE),
})

export const CONFIGURATION = readConfiguration(
  Buffer.from(
    JSON.stringify({
      seed: 'attack',
      operatorToken: OPERATOR,
      rateLimit: null,
      markets: [
        {
          id: MARKET,
          baseAsset: 'BTC',
          ticker: 'BTC/USD',
          category: 'crypto',
          indexPrice: String(50_000n * ONE),
          maxPriceAgeMs: 86_400_000,
        },
      ],
      users: [
        ...[ATTACKER, VICTIM].map(({ userId, session }) => ({ id: userId, sessionToken: session })),
        ...Array.from({ length: OTHER_SESSIONS }, (_, n) => ({
          id: uuid('d', n),
          sessionToken: `session-${n}`,
        })),
      ],
      accounts: [trader(ATTACKER), trader(VICTIM)],
    }),
  ),
)

/** Opens a position of the attacker with 20,000 events, and lets as many orders rest as may. Answers with its id. */
export function prepare(engine: Engine): string {
  const order = { type: 'placeOrder', accountId: ATTACKER.accountId, marketId: MARKET } as const
  const entry = { ...order, direction: 'long', amount: 100n * ONE, leverage: 5n * ONE } as const
  engine.dispatch({ ...entry, orderType: 'market' })
  const [position] = engine.read.activePositions(ATTACKER.accountId)
  if (position === undefined) throw new Error('no position')
  const { idx: positionId } = position
  for (let n = 1; n < MARGIN_EVENTS; n++)
    engine.dispatch({ type: 'changeMargin', positionId, marginChange: ONE })
  for (
    let n = 0n;
    engine.dispatch({ ...entry, orderType: 'limit', triggerPrice: (49_000n - n) * ONE }).ok;
    n++
  );
  return positionId
}
