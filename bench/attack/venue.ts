// The venue that is attacked: an attacker and a victim, each a user with a session, and what an attack needs lying about.

import { type Placement, uncheckedOrder } from '../../src/events/placeOrder.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import type { Engine, PositionRecord } from '../../src/index.ts'
import { ATTACKER, MARKET, OPERATOR, READER, TRAILER, uuid, VICTIM } from './parties.ts'

const ONE = 1_000_000_000n
const MARGIN_EVENTS = 20_000
const OTHER_SESSIONS = 10_000
const TRAILING_STOPS = 450
const CLOSED_POSITIONS = 200

const trader = ({ userId, accountId }: Pick<typeof ATTACKER, 'userId' | 'accountId'>) => ({
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
      operatorTokens: [
        { name: 'desk', token: OPERATOR, role: 'admin' },
        { name: 'reader', token: READER, role: 'read' },
      ],
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
      accounts: [
        trader(ATTACKER),
        trader(VICTIM),
        trader({ ...ATTACKER, accountId: TRAILER.accountId }),
        trader({ ...ATTACKER, accountId: TRAILER.spareId }),
      ],
    }),
  ),
)

/**
 * Opens a position of the attacker with 20,000 events and as many closed ones as make pages full, lets as many orders rest
 * as may, and trailing stops on another position. Answers with the id of the first.
 */
export async function prepare(engine: Engine): Promise<string> {
  const order = { type: 'placeOrder', accountId: ATTACKER.accountId, marketId: MARKET } as const
  const entry = { ...order, direction: 'long', amount: 100n * ONE, leverage: 5n * ONE } as const
  for (let n = 0; n < CLOSED_POSITIONS; n++) {
    const { id: positionId, size } = opened(engine, entry)
    const take = { orderType: 'take', positionId, amount: size, triggerPrice: 0n } as const
    engine.dispatch({ ...order, direction: 'long', ...take })
  }
  const { id: positionId } = opened(engine, entry)
  for (let n = 1; n < MARGIN_EVENTS; n++) {
    engine.dispatch({ type: 'changeMargin', positionId, marginChange: ONE })
    // A loop that is held for long loses its connections to a database.
    if (n % 1_000 === 0) await engine.whenDurable()
  }
  for (
    let n = 0n;
    engine.dispatch({ ...entry, orderType: 'limit', triggerPrice: (49_000n - n) * ONE }).ok;
    n++
  );
  const trailed = opened(engine, { ...entry, accountId: TRAILER.accountId })
  const stop = { ...order, accountId: TRAILER.accountId, positionId: trailed.id, amount: 1_000n } as const
  for (let n = 0n; n < TRAILING_STOPS; n++) {
    const offset = (5_000n + n) * ONE
    engine.dispatch({ ...stop, orderType: 'trailing_stop', direction: 'long', trailingStopOffset: offset })
  }
  return positionId
}

function opened(engine: Engine, entry: Omit<Placement, 'orderType'>): PositionRecord {
  engine.dispatch(uncheckedOrder({ ...entry, orderType: 'market' }))
  const [position] = engine.read.activePositions(entry.accountId)
  if (position === undefined) throw new Error('no position')
  return position
}
