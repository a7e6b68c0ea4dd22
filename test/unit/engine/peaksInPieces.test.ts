// The peaks of trailing stops in a snapshot are those of the moment at which it was begun, however they move before their
// turn comes (F8).
import { expect, test } from 'vitest'
import { LevelTriggers } from '../../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../../src/engine/fold.ts'
import { beginSnapshot, restoreSnapshot } from '../../../src/engine/snapshot.ts'
import { type Commit, createEngine, fp9 } from '../../../src/index.ts'
import { joined } from '../../../src/store/store.ts'

const [MARKET, ACCOUNT, USER] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const fresh = () => new Folded((world) => new LevelTriggers(world))
const peaksOf = ({ world }: Folded) =>
  new Map([...world.orders.values()].map((order) => [order.id, order.peak?.price ?? null]))

/** Three stops: one from 110, one from 105 which the price overtakes it in, and one that waits for 112. */
async function threeStops(): Promise<{ readonly commits: Commit[]; readonly placed: number }> {
  const engine = createEngine({
    seed: 'peaks',
    markets: [
      { id: MARKET, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('100') },
    ],
    accounts: [{ id: ACCOUNT, userId: USER, balance: fp9('10000') }],
  })
  const on = { type: 'placeOrder', accountId: ACCOUNT, marketId: MARKET, direction: 'long' } as const
  const tick = (price: string) =>
    engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9(price) })
  engine.dispatch({ ...on, orderType: 'market', amount: fp9('100'), leverage: fp9('2') })
  const positionId = engine.read.activePositions(ACCOUNT)[0]?.id as string
  const stop = { ...on, orderType: 'trailing_stop', positionId, amount: fp9('0.1') } as const
  const trail = (activation?: string) =>
    engine.dispatch({
      ...stop,
      trailingStopOffset: fp9('20'),
      ...(activation !== undefined && { trailingStopActivationPrice: fp9(activation) }),
    })
  tick('110')
  trail()
  tick('105')
  trail()
  trail('112')
  const placed = engine.head
  for (const price of ['108', '111', '113', '107']) tick(price)
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return { commits, placed }
}

test('a peak that moves, a stop that begins and stops that are merged leave what was', async () => {
  const { commits, placed } = await threeStops()
  for (let meanwhile = 0; meanwhile <= commits.length - placed; meanwhile++) {
    const folded = fresh()
    for (const commit of commits.slice(0, placed)) folded.fold(commit)
    const [peaks, hash] = [peaksOf(folded), folded.stateHash()]
    expect([...peaks.values()].sort()).toEqual([null, fp9('105'), fp9('110')].sort())
    const snapshot = beginSnapshot(folded, 1)
    for (const commit of commits.slice(placed, placed + meanwhile)) folded.fold(commit)
    const bytes = joined([...snapshot.pieces])
    snapshot.release()
    const restored = fresh()
    restoreSnapshot(restored, { seq: snapshot.seq, schema: snapshot.schema, bytes })
    expect(peaksOf(restored)).toEqual(peaks)
    expect(restored.stateHash()).toBe(hash)
    // The last turn is after all of them have the same peak.
    if (meanwhile === commits.length - placed)
      expect(new Set(peaksOf(folded).values())).toEqual(new Set([fp9('113')]))
  }
})
