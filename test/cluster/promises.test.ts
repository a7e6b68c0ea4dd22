// The check from outside, turned on runs that are known to be good and bad.
import { expect, test } from 'vitest'
import { type Commit, createEngine, fp9 } from '../../src/index.ts'
import { brokenPromises, type Group, type Seen } from './promises.ts'

/** Three orders, one of them cancelled, and a deposit, with a read after each; one request at a time. */
async function goodRun() {
  const [marketId, accountId, userId] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
    string,
    string,
    string,
  ]
  const balance = fp9('10000')
  const engine = createEngine({
    markets: [
      { id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('50000') },
    ],
    accounts: [{ id: accountId, userId, balance }],
  })
  const seen: Seen[] = []
  let time = 0
  const tell = (kind: Seen['kind'], key: string, said: string) =>
    seen.push({ accountId, kind, key, said, begun: ++time, ended: ++time })
  const read = () => {
    const orders = engine.read.activeOrders(accountId).map(({ id }) => id)
    tell('orders', '', orders.sort().join(' '))
    tell('balance', '', String(engine.read.account(accountId)?.accountBalance))
  }
  const first = engine.head
  read()
  const ids = ['one', 'two', 'three'].map((idempotencyKey) => {
    const outcome = engine.dispatch({
      ...{
        type: 'placeOrder',
        accountId,
        marketId,
        orderType: 'limit',
        direction: 'long',
      },
      ...{ amount: fp9('100'), leverage: fp9('1'), triggerPrice: fp9('25000') },
      idempotencyKey,
    })
    if (!outcome.ok) throw new Error(outcome.error.code)
    const [id] = engine.read
      .activeOrders(accountId)
      .map((order) => order.id)
      .filter((id) => !seen.some(({ said }) => said.includes(id))) as [string]
    tell('order', idempotencyKey, id)
    read()
    return id
  })
  engine.dispatch({ type: 'cancelOrder', orderId: ids[1] as string })
  tell('cancel', ids[1] as string, '')
  read()
  engine.dispatch({ type: 'adjustBalance', accountId, amount: fp9('5'), commandId: 'paid once' })
  tell('deposit', 'paid once', '')
  read()
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  const groups: Group[] = commits.map((commit) => ({ epoch: 1, commits: [commit] }))
  return { seen, groups, first, accounts: [{ accountId, shard: 0, balance }] }
}

const good = await goodRun()
const told = (seen: readonly Seen[], groups: readonly Group[]) =>
  brokenPromises(seen, [groups], good.accounts).join('; ')

/** Without some of the groups, the others one behind the other. */
function without(at: (group: Group, index: number) => boolean): Group[] {
  const left = good.groups.filter((group, index) => !at(group, index))
  return left.map(({ epoch, commits }, index) => ({
    epoch,
    commits: commits.map((commit) => ({ ...commit, seq: index + 1 })),
  }))
}
const isOf =
  (type: string) =>
  ({ commits: [commit] }: Group) =>
    commit?.command.type === type
const lastIndex = (kind: Seen['kind']) => good.seen.map(({ kind }) => kind).lastIndexOf(kind)
const changed = (at: number, change: Partial<Seen>) =>
  good.seen.map((one, index) => (index === at ? { ...one, ...change } : one))

test('a run that kept every promise', () => {
  expect(good.seen.length).toBeGreaterThan(12)
  expect(told(good.seen, good.groups)).toBe('')
})

test.each<[string, readonly Seen[], readonly Group[], string]>([
  [
    'an acknowledged deposit is lost',
    good.seen,
    without(isOf('adjustBalance')),
    'was acknowledged and is lost',
  ],
  [
    'a commit is missing from the log',
    good.seen,
    good.groups.filter((_, index) => index !== good.first + 1),
    'stands where',
  ],
  [
    'an owner appends that was fenced off',
    good.seen,
    good.groups.map((group, at) => ({ ...group, epoch: -at })),
    'behind',
  ],
  [
    'a deposit is paid twice',
    good.seen,
    [
      ...good.groups,
      {
        epoch: 1,
        commits: [{ ...(good.groups.at(-1)?.commits[0] as Commit), seq: good.groups.length + 1 }],
      },
    ],
    'was carried out twice',
  ],
  [
    'something was done that nobody asked for',
    good.seen.filter(({ kind }) => kind !== 'deposit'),
    good.groups,
    'nobody asked for',
  ],
  [
    'an answer names another order',
    changed(lastIndex('order'), { said: 'another' }),
    good.groups,
    'was answered with another',
  ],
  [
    'a read goes back',
    changed(lastIndex('balance'), { said: (good.seen[1] as Seen).said }),
    good.groups,
    'went back to what they were',
  ],
  [
    'a read shows what never was',
    changed(lastIndex('orders'), { said: 'nothing like it' }),
    good.groups,
    'which they never were',
  ],
  [
    'a read tells of what is yet to be asked for',
    changed(0, { said: (good.seen[lastIndex('orders')] as Seen).said }),
    good.groups,
    'before it was asked for',
  ],
])('%s: told', (_, seen, groups, expected) => {
  expect(told(seen, groups)).toContain(expected)
})
