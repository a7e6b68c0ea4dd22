// What the history lists in memory cost, and what they would cost over the port that a store keeps them behind, with a map as
// the store: the reason why memory has lists of its own.
//
//   node --expose-gc --import tsx bench/lists.ts
import { LevelTriggers } from '../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../src/engine/fold.ts'
import { inMemory } from '../src/engine/ownProjections.ts'
import { Projections } from '../src/engine/projections.ts'
import { RecordedHistory } from '../src/history/historyTarget.ts'
import { RecordFold } from '../src/history/recordFold.ts'
import { StoredHistory } from '../src/history/storedHistory.ts'
import type { Commit } from '../src/index.ts'
import { RecordsInMemory } from '../test/recordsInMemory.ts'
import { accountId, benchVenue, marketId, must, PRICE, START } from './venue.ts'

const TRADES = 20_000
const ROUNDS = 3
/** Commits between two writes of the lists behind the port. */
const WRITTEN = 2_000

async function tradesLog(): Promise<Commit[]> {
  const engine = benchVenue({})
  const [account, market] = [accountId(0), marketId(0)]
  for (let trade = 0; trade < TRADES; trade++) {
    const at = START + 10 * (trade + 1)
    must(engine, { type: 'updatePrice', marketId: market, indexPrice: PRICE }, at)
    const terms = { type: 'placeOrder', accountId: account, marketId: market, direction: 'long' } as const
    must(engine, { ...terms, orderType: 'market', amount: PRICE / 500n, leverage: 5_000_000_000n })
    const [position] = engine.read.activePositions(account)
    if (position === undefined) throw new Error('nothing was opened')
    must(engine, {
      ...terms,
      orderType: 'take',
      positionId: position.id,
      amount: position.size,
      triggerPrice: 0n,
    })
  }
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

const bytesInUse = () => {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

async function measure(name: string, commits: readonly Commit[], lists: Projections): Promise<void> {
  const folded = new Folded((world) => new LevelTriggers(world), lists)
  const before = bytesInUse()
  const began = process.cpuUsage()
  for (const [index, commit] of commits.entries()) {
    folded.fold(commit)
    if ((index + 1) % WRITTEN !== 0) continue
    lists.durable(commit.seq)
    await lists.flushed()
  }
  const { user, system } = process.cpuUsage(began)
  const perCommit = ((user + system) / commits.length).toFixed(1)
  const perTrade = ((bytesInUse() - before) / TRADES).toFixed(0)
  const { totalCount } = folded.history.portfolio(accountId(0), { limit: 1, offset: 0 })
  console.log(`${name.padEnd(24)} ${perCommit} µs a commit, ${perTrade} B a trade, ${totalCount} trades`)
}

function overThePort(): Projections {
  const lists = new StoredHistory(new RecordedHistory(new RecordsInMemory()))
  const projections = new Projections([new RecordFold(lists)])
  projections.restore(null, 0, 0)
  projections.recovered()
  return projections
}

const commits = await tradesLog()
for (let round = 0; round < ROUNDS; round++) {
  await measure('lists in memory', commits, new Projections(inMemory()))
  await measure('over the port, on a map', commits, overThePort())
}
