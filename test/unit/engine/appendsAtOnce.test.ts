// A store that takes several appends at once: it writes while commands are decided, and nothing counts as durable before all that
// comes before it.
import { describe, expect, test } from 'vitest'
import { type Commit, type Engine, EngineStopped, MemoryStore, openEngine } from '../../../src/index.ts'
import { ACCOUNT, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../venue.ts'

interface Append {
  readonly commits: number
  readonly head: number
  end(error?: Error): void
}

/** Every append waits for the test, which may end them in any order. */
class TwoAtOnce extends MemoryStore {
  readonly appendsAtOnce = 2
  readonly underWay: Append[] = []
  isHeld = false
  isClosed = false

  override async append(commits: readonly Commit[], head: number, epoch: number): Promise<void> {
    if (!this.isHeld) return super.append(commits, head, epoch)
    await new Promise<void>((resolve, reject) => {
      const append: Append = {
        commits: commits.length,
        head,
        end: (error) => {
          this.underWay.splice(this.underWay.indexOf(append), 1)
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      this.underWay.push(append)
    })
  }

  get groups(): readonly (readonly [head: number, commits: number])[] {
    return this.underWay.map(({ head, commits }) => [head, commits])
  }

  end(at: number, error?: Error): void {
    this.underWay[at]?.end(error)
  }

  override async close(): Promise<void> {
    this.isClosed = true
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function held(): Promise<{ engine: Engine; store: TwoAtOnce; begun: number }> {
  const store = new TwoAtOnce()
  const engine = await openEngine({
    store,
    seed: 's',
    at: START,
    markets: [PLAIN_MARKET],
    accounts: [PLAIN_ACCOUNT],
  })
  await engine.whenDurable()
  store.isHeld = true
  return { engine, store, begun: engine.head }
}

/** Deposits of one turn, and what became of each. */
function give(engine: Engine, count: number): { answered: number; refused: unknown[] } {
  const became = { answered: 0, refused: [] as unknown[] }
  for (let index = 0; index < count; index++)
    engine.send({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n }).then(
      () => {
        became.answered += 1
      },
      (error: unknown) => became.refused.push(error),
    )
  return became
}

describe('a store that takes two appends at once', () => {
  test('is given what is worth a write before the turn has ended, and one more while that is under way', async () => {
    const { engine, store, begun } = await held()
    give(engine, 128)
    expect(store.groups).toEqual([[begun, 128]])
    give(engine, 127)
    await turn()
    expect(store.groups).toEqual([[begun, 128]])
    give(engine, 1)
    expect(store.groups).toEqual([
      [begun, 128],
      [begun + 128, 128],
    ])
    const more = give(engine, 300)
    await turn()
    expect(store.groups).toHaveLength(2)
    store.end(0)
    await turn()
    expect(store.groups).toEqual([
      [begun + 128, 128],
      [begun + 256, 300],
    ])
    store.end(0)
    store.end(0)
    await turn()
    expect(more.answered).toBe(300)
    expect(engine.durableHead).toBe(begun + 556)
  })

  test('a few commits wait for what is under way, and are not given one by one', async () => {
    const { engine, store, begun } = await held()
    const first = give(engine, 1)
    await turn()
    const second = give(engine, 3)
    await turn()
    expect(store.groups).toEqual([[begun, 1]])
    store.end(0)
    await turn()
    expect([first.answered, second.answered]).toEqual([1, 0])
    expect(store.groups).toEqual([[begun + 1, 3]])
  })

  test('nobody is answered before all that comes before is durable', async () => {
    const { engine, store, begun } = await held()
    const [first, second] = [give(engine, 128), give(engine, 128)]
    store.end(1)
    await turn()
    expect([first.answered, second.answered, engine.durableHead]).toEqual([0, 0, begun])
    store.end(0)
    await turn()
    expect([first.answered, second.answered, engine.durableHead]).toEqual([128, 128, begun + 256])
  })

  test('where the first fails nobody behind it is answered, whatever the store says of theirs', async () => {
    const { engine, store, begun } = await held()
    const [first, second, gathering] = [give(engine, 128), give(engine, 128), give(engine, 5)]
    store.end(1)
    store.end(0, new Error('EIO'))
    await turn()
    for (const { answered, refused } of [first, second, gathering]) {
      expect(answered).toBe(0)
      expect(refused[0]).toMatchObject({ name: EngineStopped.name, cause: { message: 'EIO' } })
    }
    expect([first, second, gathering].map(({ refused }) => refused.length)).toEqual([128, 128, 5])
    expect(engine.durableHead).toBe(begun)
    expect(store.groups).toEqual([])
  })

  test('where the second fails the first is still answered, and the store is let go of only then', async () => {
    const { engine, store, begun } = await held()
    const [first, second] = [give(engine, 128), give(engine, 128)]
    store.end(1, new Error('EIO'))
    await turn()
    expect(engine.failure).toBeInstanceOf(EngineStopped)
    expect([first.answered, second.refused.length]).toEqual([0, 128])
    const closed = engine.close()
    await turn()
    expect(store.isClosed).toBe(false)
    store.end(0)
    await closed
    await turn()
    expect([first.answered, engine.durableHead, store.isClosed]).toEqual([128, begun + 128, true])
  })
})
