// Writes the golden logs of the version in hand. Until it is released they may be removed and written again, where a rule
// or a stored form was put right; after that never.
//
//   npx tsx test/golden/write.ts

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Commit, createEngine, VERSION } from '../../src/index.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS, USERS } from '../store/traffic.ts'
import { asLines, DIRECTORY, fold, sha256, writeLog } from './goldenLog.ts'

const directory = path.join(DIRECTORY, VERSION)
if (existsSync(directory)) throw new Error(`${VERSION} has its golden logs, and they never change`)

async function traffic(seed: number, commands: number): Promise<Commit[]> {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(seed), commands)
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

/** Kinds of commands and events that traffic does not bring about. */
const keyId = '40000000-0000-4000-8000-000000000001'
const rare: Omit<Commit, 'seq'>[] = [
  {
    at: 0,
    command: { type: 'refreshApiKey', keyId, userId: USERS[0], hash: 'cd', prefix: 'mtk_cd', expiresAt: 5 },
    by: { type: 'user', userId: USERS[0], keyId: null },
    events: [{ type: 'apiKeyRefreshed', keyId, hash: 'cd', prefix: 'mtk_cd', expiresAt: 5 }],
  },
  {
    at: 1,
    command: { type: 'revokeApiKey', keyId, userId: USERS[0] },
    events: [{ type: 'apiKeyRevoked', keyId }],
  },
  ...[{ keyId }, { hash: 'a'.repeat(64), userId: null }].map((named) => ({
    at: 1,
    command: { type: 'revokeApiKey' as const, ...named },
    events: [{ type: 'apiKeyForgotten' as const, keyId }],
  })),
  {
    at: 1,
    command: { type: 'amendApiKey', keyId, userId: USERS[1], expiresAt: 6 },
    events: [{ type: 'apiKeyAmended', keyId, userId: USERS[1], expiresAt: null }],
  },
  { at: 1, command: { type: 'withdrawApiKey', keyId }, events: [] },
  {
    at: 2,
    command: { type: 'setApiTrading', accountId: ACCOUNTS[0], enabled: false },
    by: { type: 'operator', name: 'night desk' },
    events: [{ type: 'apiTradingChanged', accountId: ACCOUNTS[0], enabled: false }],
  },
  {
    at: 3,
    by: { type: 'user', userId: USERS[1], keyId },
    command: { type: 'setAccountLoaded', accountId: ACCOUNTS[0], loaded: false },
    events: [{ type: 'accountLoadedChanged', accountId: ACCOUNTS[0], loaded: false }],
  },
  {
    at: 4,
    command: { type: 'setNotionalQuota', marketId: MARKETS[1], quotaLong: 0n, quotaShort: 10n ** 18n },
    events: [{ type: 'notionalQuotaSet', marketId: MARKETS[1], quotaLong: 0n, quotaShort: 10n ** 18n }],
  },
  { at: 4, command: { type: 'weeklySessionRiskClose', marketId: MARKETS[1] }, events: [] },
  ...[null, 7].map((maxActiveOrders) => ({
    at: 4,
    command: {
      type: 'openAccount' as const,
      account: { id: ACCOUNTS[1], userId: USERS[1], balance: 1n, maxActiveOrders },
    },
    events: [],
  })),
  {
    at: 5,
    command: { type: 'adjustBalance', accountId: 'näme of an account', amount: -(10n ** 39n) },
    events: [{ type: 'balanceAdjusted', accountId: 'näme of an account', amount: 2n ** 64n }],
  },
  {
    at: 9,
    by: { type: 'operator', name: 'night desk' },
    command: { type: 'adjustBalance', accountId: ACCOUNTS[0], amount: -5n, commandId: 'withdrawal 7' },
    events: [{ type: 'commandRefused', error: 'insufficient_balance', field: null }],
  },
  {
    at: 9,
    command: { type: 'unfreezeAccount', accountId: ACCOUNTS[0], commandId: 'x'.repeat(255) },
    events: [{ type: 'commandRefused', error: 'validation_failed', field: 'accountId' }],
  },
]

/** A few commits of every kind there is, one after another. */
async function shapes(): Promise<Commit[]> {
  const seen = new Map<string, number>()
  const isNew = ({ command, events }: Omit<Commit, 'seq'>) => {
    const kinds = [command.type, ...events.map(({ type }) => type)]
    for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1)
    return kinds.some((kind) => (seen.get(kind) ?? 0) <= 4)
  }
  const all: Omit<Commit, 'seq'>[] = [...rare]
  for (let seed = 1; seed <= 12; seed++) all.push(...(await traffic(seed, 800)))
  return all.filter(isNew).map((commit, index) => ({ ...commit, seq: index + 1 }))
}

const venue = await traffic(11, 1_500)
const kinds = await shapes()
const files = { 'venue.commits': await writeLog(venue), 'shapes.commits': await writeLog(kinds) }
const folded = fold(venue)
mkdirSync(directory)
for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(directory, name), bytes)
writeFileSync(path.join(directory, 'shapes.jsonl'), asLines(kinds))
writeFileSync(
  path.join(directory, 'expected.json'),
  asLines([
    {
      files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, sha256(bytes)])),
      head: folded.world.seq,
      stateHash: folded.stateHash(),
    },
  ]),
)
