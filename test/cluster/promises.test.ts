// The check from outside, turned on runs that are known to be good and bad.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Command, type Commit, createEngine, type Event, fp9 } from '../../src/index.ts'
import { brokenPromises, type Group, REFUSED, type Seen } from './promises.ts'

const [marketId, accountId, otherId, userId] = [1, 2, 3, 4].map(
  (n) => `00000000-0000-4000-8000-00000000000${n}`,
) as [string, string, string, string]
const BALANCE = fp9('10000')
const LIMIT = { marketId, maximum: fp9('6000') }

/** Orders that rest and are cancelled, deposits, a position, a refusal, with reads after each; one request at a time. */
async function goodRun() {
  const engine = createEngine({
    markets: [
      {
        ...{ id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' },
        ...{ indexPrice: fp9('50000'), maxOpenNotionalLong: LIMIT.maximum },
      },
    ],
    accounts: [accountId, otherId].map((id) => ({ id, userId, balance: BALANCE })),
  })
  const seen: Seen[] = []
  let time = 0
  const tell = (kind: Seen['kind'], key: string, said: string, of = accountId) =>
    seen.push({ accountId: of, kind, key, said, begun: ++time, ended: ++time })
  const read = (of = accountId) => {
    const orders = engine.read.activeOrders(of).map(({ id }) => id)
    tell('orders', '', orders.sort().join(' '), of)
    tell('balance', '', String(engine.read.account(of)?.accountBalance), of)
  }
  const place = (idempotencyKey: string, amount: string, terms: object): string => {
    const sized = { amount: fp9(amount), leverage: fp9('1'), ...terms }
    const order = { type: 'placeOrder', accountId, marketId, direction: 'long', idempotencyKey } as const
    const outcome = engine.dispatch({ ...order, ...sized } as Command)
    const placed = outcome.ok ? outcome.events.find(({ type }) => type === 'orderPlaced') : undefined
    const said = placed?.type === 'orderPlaced' ? placed.orderId : REFUSED
    tell('order', idempotencyKey, said)
    return said
  }
  const deposit = (commandId: string, to: string) => {
    engine.dispatch({ type: 'adjustBalance', accountId: to, amount: fp9('5'), commandId })
    tell('deposit', commandId, '', to)
  }
  const first = engine.head
  engine.dispatch({ type: 'setNotionalQuota', marketId, quotaLong: fp9('4000'), quotaShort: 0n })
  read()
  const ids = ['one', 'two', 'three'].map((key) => {
    const id = place(key, '100', { orderType: 'limit', triggerPrice: fp9('25000') })
    read()
    return id
  })
  engine.dispatch({ type: 'cancelOrder', orderId: ids[1] as string })
  tell('cancel', ids[1] as string, '')
  read()
  const opened = place('opened', '1000', { orderType: 'market' })
  read()
  engine.dispatch({ type: 'closeAll', accountId })
  tell('close', opened, '')
  read()
  place('too large', '5000', { orderType: 'market' })
  deposit('paid once', accountId)
  deposit('paid to another', otherId)
  read()
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  const groups: Group[] = commits.map((commit) => ({ epoch: 1, commits: [commit] }))
  const accounts = [accountId, otherId].map((id) => ({ accountId: id, shard: 0, balance: BALANCE }))
  return { seen, groups, first, accounts }
}

const good = await goodRun()
const told = (seen: readonly Seen[], groups: readonly Group[], maximum = LIMIT.maximum) =>
  brokenPromises(seen, [groups], good.accounts, { marketId, maximum }).join('; ')

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
/** With events of the log as they never were. */
const altered = (type: Event['type'], change: object): Group[] =>
  good.groups.map(({ epoch, commits }) => ({
    epoch,
    commits: commits.map((commit) => ({
      ...commit,
      events: commit.events.map((event) =>
        event.type === type ? ({ ...event, ...change } as Event) : event,
      ),
    })),
  }))
/** The last two commits the other way round. */
function reversed(): Group[] {
  const { commits } = good.groups.at(-1) as Group
  const before = good.groups.at(-2) as Group
  const at = (commit: Commit | undefined, seq: number) => ({
    epoch: 1,
    commits: [{ ...(commit as Commit), seq }],
  })
  const head = good.groups.length
  return [...good.groups.slice(0, -2), at(commits[0], head - 1), at(before.commits[0], head)]
}
const lastIndex = (kind: Seen['kind']) => good.seen.map(({ kind }) => kind).lastIndexOf(kind)
const balanceBefore = (key: string) => {
  const at = good.seen.findIndex((one) => one.key === key)
  return good.seen.slice(0, at).findLast(({ kind }) => kind === 'balance')?.said as string
}
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
    good.seen.map((one) => (one.key === 'three' ? { ...one, said: 'another' } : one)),
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
    changed(0, { said: (good.seen.find(({ kind, said }) => kind === 'orders' && said !== '') as Seen).said }),
    good.groups,
    'before it was asked for',
  ],
  [
    'a read of one account is older than what was told of another',
    // Nobody was told of the deposit to the one, which stands before that to the other.
    good.seen
      .filter(({ kind, key }, at) => key !== '' || at < lastIndex('deposit') || kind === 'balance')
      .map((one) => (one.key === 'paid once' ? { ...one, ended: null } : one))
      .map((one, at, all) => (at === all.length - 1 ? { ...one, said: balanceBefore('paid once') } : one)),
    good.groups,
    'went back to what they were',
  ],
  [
    'a write stands before one that was told of when it was asked for',
    good.seen,
    reversed(),
    'stands before',
  ],
  [
    'an order that was refused is carried out',
    good.seen.map((one) => (one.key === 'opened' ? { ...one, said: REFUSED } : one)),
    good.groups,
    'was refused and carried out',
  ],
  [
    'a close that was acknowledged is lost',
    good.seen,
    without(isOf('closeAll')),
    'was acknowledged and is lost',
  ],
  [
    'a fee was taken that no balance shows',
    good.seen,
    altered('increasePosition', { fee: 0n }),
    'which they never were',
  ],
  [
    'a shard opened more than its quota',
    good.seen,
    altered('notionalQuotaSet', { quotaLong: fp9('500') }),
    'were open of a quota',
  ],
])('%s: told', (_, seen, groups, expected) => {
  expect(told(seen, groups)).toContain(expected)
})

test('a read may tell of less than one that was answered before it, where it was under way already when the other told', () => {
  const deposit = good.seen.find(({ key }) => key === 'paid once') as Seen
  const last = good.seen.at(-1) as Seen
  const older = { ...last, said: balanceBefore('paid once'), ended: Number(last.ended) + 2 }
  const whileItWas = [...good.seen, { ...older, begun: deposit.begun + 0.5 }]
  expect(told(whileItWas, good.groups)).toBe('')
  const behindIt = [...good.seen, { ...older, begun: Number(last.ended) + 1 }]
  expect(told(behindIt, good.groups)).toContain('went back to what they were')
})

test('an order that was refused and is carried out later breaks one promise: what was read meanwhile did not go back', () => {
  const at = good.seen.findIndex(({ key }) => key === 'three')
  const refused = { ...(good.seen[at] as Seen), said: REFUSED }
  // Its first try, which nobody waits for any more, is decided behind the answer to the second and behind these.
  const times = { begun: Number(refused.ended) + 0.1, ended: Number(refused.ended) + 0.2 }
  const meanwhile = good.seen.slice(at - 2, at).map((read) => ({ ...read, ...times }))
  const seen = good.seen.toSpliced(at, 1, refused, ...meanwhile)
  expect(told(seen, good.groups)).toBe('order three was refused and carried out')
})

test('more than the venue allows, of quotas, and as clients knew it to be open: told', () => {
  expect(told(good.seen, good.groups, fp9('3999'))).toMatch(
    /^quotas of 4\d+ at the end, of a maximum of 3999\d+$/,
  )
  expect(told(good.seen, good.groups, fp9('900'))).toMatch(
    /99\d+ were known to be open at \d+, of a maximum of 9\d+$/,
  )
  const open = told(
    good.seen.filter(({ kind }) => kind !== 'close'),
    without(isOf('closeAll')),
    fp9('900'),
  )
  expect(open).toContain('were open at the end')
})

test('what checks a cluster shares nothing with it but what a commit looks like', () => {
  for (const name of ['promises', 'limitPromise', 'checker']) {
    const text = readFileSync(path.join(import.meta.dirname, `${name}.ts`), 'utf8')
    const others = text.matchAll(/\b(?:from|import\() ?'([^']+)'/g)
    for (const [, other] of others)
      expect(['./promises.ts', './limitPromise.ts', '../../src/index.ts']).toContain(other)
    expect(text).not.toMatch(/import \{[^}]*\} from '..\/..\/src/)
  }
})
