// What is added half-way does not compile: each recipe of docs/architecture.md is begun in the tree as the compiler reads it,
// and the compiler has to name the places that are still missing.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { API, type Program, type Project } from 'typescript/unstable/sync'
import { afterAll, expect, test } from 'vitest'
import { createVitest, type TestCase } from 'vitest/node'
import { root } from '../tidy/sourceTree.ts'

interface Recipe {
  readonly what: string
  /** Where it begins: a text, and what takes its place. */
  readonly begun: readonly [file: string, text: string, instead: string]
  /** Where the compiler has to ask for the rest, below `src`. */
  readonly asks: readonly string[]
}

const RECIPES: readonly Recipe[] = [
  {
    what: 'an order type that opens positions',
    begun: [
      'terms/orderTypes.ts',
      '  market: {',
      "  iceberg: { effect: 'increase', trigger: 'required', longFires: 'below', onFiring: 'trades', stopsLoss: false },\n  market: {",
    ],
    asks: ['domain/commands/triggerCheck.ts', 'events/codec/storedKinds.ts'],
  },
  {
    what: 'an order type without one of its properties',
    begun: [
      'terms/orderTypes.ts',
      "    trigger: 'or_at_once',\n    longFires: 'above',\n    onFiring: 'trades',\n    stopsLoss: false,",
      "    trigger: 'or_at_once',\n    longFires: 'above',\n    onFiring: 'trades',",
    ],
    asks: ['terms/orderTypes.ts'],
  },
  {
    what: 'a field of a placement',
    begun: [
      'events/placeOrder.ts',
      '  /** The market it trades on. */',
      '  /** Epoch ms. */\n  readonly expiresAt?: Optional<number>\n  /** The market it trades on. */',
    ],
    asks: ['events/commandTable.ts'],
  },
  {
    what: 'a field of a placement that nothing is asked of',
    begun: [
      'events/placeOrder.ts',
      "type Always = 'type' | 'accountId' | 'marketId' | 'orderType' | 'direction' | 'amount' | 'idempotencyKey'",
      "type Always = 'type' | 'accountId' | 'marketId' | 'orderType' | 'direction' | 'amount'",
    ],
    asks: ['domain/commands/orderShape.ts'],
  },
  {
    what: 'an order type of which nobody says what it can be told',
    begun: ['events/placeOrder.ts', "  take: { positionId: 'required', triggerPrice: 'required' },", ''],
    asks: ['events/placeOrder.ts'],
  },
  {
    what: 'an event',
    begun: [
      'events/accountEvents.ts',
      'export type AccountEvent =',
      "export interface AccountRenamed {\n  readonly type: 'accountRenamed'\n  readonly accountId: string\n}\n\nexport type AccountEvent =\n  | AccountRenamed",
    ],
    asks: [
      'domain/evolve/apply.ts',
      'domain/evolve/applyAccountEvent.ts',
      'domain/evolve/ledger.ts',
      'events/eventTable.ts',
      'events/codec/eventSchemas.ts',
    ],
  },
  {
    what: 'a field of an event',
    begun: [
      'events/positionEvents.ts',
      "  readonly type: 'addMargin'\n",
      "  readonly type: 'addMargin'\n  readonly note: string\n",
    ],
    asks: ['events/eventTable.ts', 'domain/commands/changeMargin.ts'],
  },
  {
    what: 'a field that an event has no more',
    begun: ['events/accountEvents.ts', '  readonly profitable: boolean\n', ''],
    asks: ['events/eventTable.ts', 'domain/flows/newDay.ts'],
  },
  {
    what: 'an event that is said to happen to something else',
    begun: ['events/eventTable.ts', "priceUpdated: { on: 'market'", "priceUpdated: { on: 'account'"],
    asks: ['events/eventTable.ts'],
  },
  {
    what: 'an event of positions',
    begun: [
      'events/positionEvents.ts',
      'export type PositionEvent =',
      "export interface SplitPosition {\n  readonly type: 'splitPosition'\n  readonly positionId: string\n  readonly accountId: string\n  readonly marketId: string\n}\n\nexport type PositionEvent =\n  | SplitPosition",
    ],
    asks: [
      'domain/evolve/apply.ts',
      'domain/evolve/ledger.ts',
      'domain/evolve/applyPositionEvent.ts',
      'domain/evolve/positionReducers.ts',
      'events/eventTable.ts',
      'events/codec/eventSchemas.ts',
    ],
  },
  {
    what: 'a command',
    begun: [
      'events/command.ts',
      'export type PlatformCommand =',
      "export interface RenameAccount {\n  readonly type: 'renameAccount'\n  readonly accountId: string\n}\n\nexport type PlatformCommand =\n  | RenameAccount",
    ],
    asks: [
      'events/commandTable.ts',
      'domain/commands/decide.ts',
      'engine/outcome.ts',
      'events/codec/commandSchemas.ts',
      'host/platformCommand.ts',
    ],
  },
  {
    what: 'a field of a command',
    begun: [
      'events/command.ts',
      "  readonly type: 'adjustBalance'\n",
      "  readonly type: 'adjustBalance'\n  readonly note?: string\n",
    ],
    asks: ['events/commandTable.ts'],
  },
  {
    what: 'a field that its table says counts in another unit',
    begun: ['events/commandTable.ts', "marginChange: 'quote'", "marginChange: 'base'"],
    asks: ['events/commandTable.ts'],
  },
  {
    what: 'a value of a closed set, in its type',
    begun: ['terms/accountParameters.ts', "'fail' | 'freeze'", "'fail' | 'warn' | 'freeze'"],
    asks: ['terms/parameterFields.ts'],
  },
  {
    what: 'a value of a closed set, in its list',
    begun: ['terms/closedSets.ts', "accountType: ['demo',", "accountType: ['paper', 'demo',"],
    asks: ['terms/parameterFields.ts', 'events/codec/storedKinds.ts'],
  },
  {
    what: 'a status of accounts',
    begun: ['terms/accountStatus.ts', "'active' | 'frozen' |", "'active' | 'dormant' | 'frozen' |"],
    asks: ['terms/accountStatus.ts', 'events/codec/storedKinds.ts'],
  },
  {
    what: 'a phase of accounts',
    begun: ['terms/accountStatus.ts', "null | 'active_evaluation'", "null | 'trial' | 'active_evaluation'"],
    asks: ['terms/accountStatus.ts', 'events/codec/storedKinds.ts'],
  },
  {
    what: 'a reason to stop an account',
    begun: ['terms/accountStatus.ts', "'fail' | 'freeze' |", "'fail' | 'retire' | 'freeze' |"],
    asks: ['terms/accountStatus.ts', 'events/commandTable.ts'],
  },
  {
    what: 'a reason to close a position',
    begun: [
      'terms/closeReason.ts',
      'export const CLOSE_REASONS = {',
      "export const CLOSE_REASONS = {\n  delisted: 'delisted',",
    ],
    asks: ['events/codec/storedKinds.ts'],
  },
  {
    what: 'a reason for an order to fail',
    begun: [
      'terms/errors.ts',
      'export const EXECUTION_ERRORS = {',
      "export const EXECUTION_ERRORS = {\n  too_late: 'It came too late.',",
    ],
    asks: ['events/codec/storedKinds.ts'],
  },
  {
    what: 'a status of markets',
    begun: ['terms/marketStatus.ts', "'open' | 'paused' |", "'open' | 'halted' | 'paused' |"],
    asks: ['terms/marketStatus.ts', 'events/codec/storedKinds.ts'],
  },
  {
    what: 'a status of orders',
    begun: ['terms/orderStatus.ts', "  | 'executed'\n", "  | 'executed'\n  | 'expired'\n"],
    asks: ['terms/orderStatus.ts', 'projections/recordFields.ts'],
  },
  {
    what: 'an event of positions, by its name',
    begun: ['terms/positionStatus.ts', "  | 'forceClose'\n", "  | 'forceClose'\n  | 'splitPosition'\n"],
    asks: ['terms/positionStatus.ts', 'projections/recordFields.ts'],
  },
  {
    what: 'a market parameter',
    begun: [
      'terms/marketParameters.ts',
      'export interface MarketParameters {\n',
      'export interface MarketParameters {\n  readonly makerRebate: bigint\n',
    ],
    asks: ['terms/parameterFields.ts'],
  },
  {
    what: 'an account parameter',
    begun: [
      'terms/accountParameters.ts',
      'export interface AccountParameters {\n',
      'export interface AccountParameters {\n  readonly swapFree: boolean\n',
    ],
    asks: ['terms/parameterFields.ts'],
  },
  {
    what: 'a field of the orders that people read',
    begun: [
      'domain/state/order.ts',
      'export interface OrderRecord {\n',
      'export interface OrderRecord {\n  readonly note: string\n',
    ],
    asks: ['domain/evolve/orderReducers.ts', 'projections/recordFields.ts', 'projections/records.ts'],
  },
  {
    what: 'something that every store does',
    begun: [
      'store/store.ts',
      'export interface Store extends SnapshotShelf {\n',
      'export interface Store extends SnapshotShelf {\n  compact(): Promise<void>\n',
    ],
    asks: ['store/memoryStore.ts', 'store/noStore.ts', 'store/log/logStore.ts'],
  },
  {
    what: 'something that every way of keeping triggers does',
    begun: [
      'domain/state/triggers.ts',
      'export interface Triggers {\n',
      'export interface Triggers {\n  accountClosed(account: Account): void\n',
    ],
    asks: ['domain/triggers/levelTriggers.ts'],
  },
  {
    what: 'a read model without its first row',
    begun: [
      'projections/reader.ts',
      'export const FIRST_PAGE',
      "import { projection } from './projection.ts'\nprojection({ name: 'volume', version: 1, on: { dayBegan() {} } })\nexport const FIRST_PAGE",
    ],
    asks: ['projections/reader.ts'],
  },
]

/** The core, the stored forms, and what hosts know of commands: the rest takes time and asks nothing. */
const CORE = {
  extends: './tsconfig.json',
  include: [],
  files: ['src/index.ts', 'src/store/lmdb/index.ts', 'src/host/platformCommand.ts'],
}
/** Where that configuration seems to be. */
const CONFIGURATION = path.join(root, 'core.json')

/** Texts that the compiler reads in the place of files: nothing is written. */
const instead = new Map([[CONFIGURATION, JSON.stringify(CORE)]])
const compiler = new API({
  cwd: root,
  fs: { readFile: (name) => instead.get(name), fileExists: (name) => instead.has(name) || undefined },
})
afterAll(() => compiler.close())

/** What the compiler now makes of the tree, in which a file has changed. */
function compiled(changed: readonly string[] = []): Program {
  const snapshot = compiler.updateSnapshot({
    openProjects: [CONFIGURATION],
    fileChanges: { changed: [...changed] },
  })
  return (snapshot.getProject(CONFIGURATION) as Project).program
}

test('the tree compiles before anything is added', () => {
  const program = compiled()
  const complaints = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()]
  expect(complaints.map(({ fileName, text }) => [fileName, text])).toEqual([])
})

test.each(RECIPES)('$what, half added, is asked for', ({ begun, asks }) => {
  const [file, text, begins] = begun
  const name = path.join(root, 'src', file)
  const before = readFileSync(name, 'utf8')
  expect(before).toContain(text)
  instead.set(name, before.replace(text, begins))
  try {
    const program = compiled([name])
    expect(program.getSyntacticDiagnostics(name)).toEqual([])
    const silent = asks.filter(
      (place) => program.getSemanticDiagnostics(path.join(root, 'src', place)).length === 0,
    )
    expect(silent).toEqual([])
  } finally {
    instead.delete(name)
    compiled([name])
  }
})

test('an error code, half added, is asked for: its place in the catalogue and on the page of codes', async () => {
  const name = path.join(root, 'src/terms/errors.ts')
  const begun = "export const ERRORS = {\n  market_asleep: entry(400, 'market', 'The market is asleep.'),"
  const text = readFileSync(name, 'utf8').replace('export const ERRORS = {', begun)
  const tests = await testsOf('test/unit/terms/errors.test.ts', (file) => (file === name ? text : null))
  const failed = tests.filter((it) => it.result().state === 'failed').map((it) => it.fullName)
  // Those that have nothing to say of it pass: it is the code that the others fail for.
  expect(failed.length).toBeLessThan(tests.length)
  expect(failed.join()).toContain('has the codes and statuses of the catalogue')
  expect(failed.join()).toContain('lists every code, in the order and with the words of the table')
})

/** Runs a test file on the tree in which some files have another text, and gives its tests. */
async function testsOf(file: string, load: (file: string) => string | null): Promise<TestCase[]> {
  const vitest = await createVitest(
    'test',
    { root, config: false, watch: false, cache: false, include: [file], reporters: [{}], maxWorkers: 1 },
    { plugins: [{ name: 'half added', enforce: 'pre', load }], server: { watch: null }, logLevel: 'silent' },
    { stdout: process.stderr },
  )
  try {
    const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications([file]))
    return testModules.flatMap(({ children }) => [...children.allTests()])
  } finally {
    await vitest.close()
  }
}
