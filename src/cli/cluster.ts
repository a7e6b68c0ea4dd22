/** `margin-core cluster`: who owns what in a cluster, and changing it by hand. */
import { Command } from 'commander'
import { comesTo, ownedBy } from '../cluster/comesTo.ts'
import type { ClusterView } from '../cluster/membership.ts'
import { makeCluster, PostgresMembership } from '../cluster/postgresMembership.ts'
import { writeHistoryRows } from '../engine/historyRows.ts'
import { openExistingDatabase } from '../store/postgres/database.ts'
import { readGroups } from '../store/postgres/groupReading.ts'
import { compareHistory } from '../store/postgres/historyComparison.ts'
import { StoreDamaged } from '../store/store.ts'
import { HISTORY_TABLE_NAMES } from '../terms/historyTables.ts'
import { statusJson, statusText } from './clusterStatus.ts'
import { databaseUrl, withinDatabase } from './databaseUrl.ts'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'
import { type Rights, withRights } from './lackingRights.ts'
import { shardNumber } from './logPlace.ts'

interface Options {
  readonly postgres: string
}

const POSTGRES = ['--postgres <url>', 'the database of the cluster'] as const

const SCHEMA = 'margin_core'

/** To look at who owns what. */
const LOOKS: Rights = {
  migration: ['SELECT'],
  cluster: ['SELECT'],
  node: ['SELECT'],
  shard: ['SELECT'],
  shard_trouble: ['SELECT'],
}
const DRAINS: Rights = { ...LOOKS, node: ['SELECT', 'UPDATE'] }
const MOVES: Rights = { ...LOOKS, shard: ['SELECT', 'UPDATE'] }

/** To hold the history tables against the log, and to write them anew. */
function comparing(isRebuilt: boolean): Rights {
  const written: Rights = Object.fromEntries(
    HISTORY_TABLE_NAMES.map((table) => [table, isRebuilt ? ['SELECT', 'INSERT', 'DELETE'] : ['SELECT']]),
  )
  const read = ['migration', 'shard', 'commit_group', 'history_cursor']
  return { ...Object.fromEntries(read.map((table) => [table, ['SELECT']])), ...written }
}

const DATABASE = '--postgres postgres://venue@db/venue'

export function clusterCommand(): Command {
  const command = new Command('cluster')
  command
    .command('status')
    .description('who owns what, and which shards cannot be opened')
    .requiredOption(...POSTGRES)
    .option('--json', 'for programs')
    .addHelpText('after', examples(`cluster status ${DATABASE}`, `cluster status --json ${DATABASE}`))
    .action((options: Options & { readonly json?: true }) =>
      changing(options, LOOKS, async () => {}, options.json === true ? statusJson : statusText),
    )
  command
    .command('drain <node>')
    .description('has a node give its shards away; it takes none until it is started again')
    .requiredOption(...POSTGRES)
    .addHelpText('after', examples(`cluster drain a ${DATABASE}`))
    .action((node: string, options: Options) =>
      changing(options, DRAINS, async (membership) => {
        if (!(await membership.drainNamed(node))) throw new UsageError(`there is no node ${node}`)
        const others = (await membership.look()).nodes.filter(({ draining }) => !draining)
        if (others.length === 0)
          throw new UsageError(`no other node takes the shards of ${node}: it keeps them until one does`)
        await handedOver(
          membership,
          `${node} has given its shards away`,
          (view) => ownedBy(view, node).length === 0,
        )
      }),
    )
  command
    .command('move')
    .description('has a shard handed over to a node, where it stays while that is there')
    .argument('<shard>', 'its number, from 0 on', shardNumber)
    .argument('<node>', 'the name of the node')
    .requiredOption(...POSTGRES)
    .addHelpText('after', examples(`cluster move 3 b ${DATABASE}`))
    .action((shard: number, node: string, options: Options) =>
      changing(options, MOVES, async (membership) => {
        const { nodes, shards } = await membership.look()
        if (!nodes.some(({ name }) => name === node)) throw new UsageError(`there is no node ${node}`)
        if (!shards.some((row) => row.shard === shard))
          throw new UsageError(`there is no shard ${shard}: they are 0 to ${shards.length - 1}`)
        if (nodes.some(({ name, draining }) => name === node && draining))
          throw new UsageError(`${node} drains, and takes no shard until it is started again`)
        if (!(await membership.move(shard, node))) throw new UsageError(`${node} has just left`)
        await handedOver(membership, `shard ${shard} is with ${node}`, (view) =>
          ownedBy(view, node).includes(shard),
        )
      }),
    )
  command
    .command('history')
    .description(
      'holds the history tables against the log; exits with 1 where rows differ, unless they were made anew',
    )
    .requiredOption(...POSTGRES)
    .addHelpText('after', examples(`cluster history ${DATABASE}`, `cluster history --rebuild ${DATABASE}`))
    .option('--schema <name>', 'the schema of the venue in the database (default: margin_core)')
    .option('--rebuild', 'puts right what differs, from the log; nodes may go on')
    .action((options: HistoryOptions) =>
      reportFailure(() => {
        const { postgres, schema = SCHEMA, rebuild = false } = options
        return withinDatabase(postgres, () =>
          withRights(postgres, schema, comparing(rebuild), () => checkHistory(options)),
        )
      }),
    )
  return command.addHelpText('after', examples(`cluster status ${DATABASE}`, `cluster move 3 b ${DATABASE}`))
}

interface HistoryOptions extends Options {
  readonly schema?: string
  readonly rebuild?: boolean
}

/** Folding a long log takes a while, and no statement is under way meanwhile. */
const HISTORY_TIMEOUT = 3_600_000

async function checkHistory({ postgres, rebuild = false, ...of }: HistoryOptions): Promise<void> {
  const database = await openExistingDatabase(databaseUrl(postgres), { ...of, timeout: HISTORY_TIMEOUT })
  const { pool, schema } = database
  try {
    const { rows } = await pool.query(`SELECT shard FROM ${schema}.shard ORDER BY shard`)
    for (const { shard } of rows) {
      const { upTo, tables } = await compareHistory(
        database,
        shard,
        (remade, seq) => writeHistoryRows(readGroups({ pool, schema, shard }, 1), remade, seq),
        rebuild,
      ).catch((error) => {
        throw error instanceof StoreDamaged ? new UsageError(`shard ${shard}: ${error.message}`) : error
      })
      for (const { table, rows: count, missing, surplus } of tables)
        process.stdout.write(
          `shard ${shard}, up to commit ${upTo}: ${count} ${table}, ${missing} missing, ${surplus} that do not follow from the log\n`,
        )
      if (!rebuild && tables.some(({ missing, surplus }) => missing + surplus > 0)) process.exitCode = 1
    }
  } finally {
    await pool.end()
  }
}

function changing(
  { postgres }: Options,
  rights: Rights,
  change: (membership: PostgresMembership) => Promise<void>,
  told = statusText,
): Promise<void> {
  return reportFailure(() =>
    withinDatabase(postgres, () =>
      withRights(postgres, SCHEMA, rights, async () => {
        // Nothing of a log is written.
        const database = await openExistingDatabase(databaseUrl(postgres), { unsafeDatabase: true })
        try {
          await makeCluster(database, null)
          const membership = new PostgresMembership(database)
          await change(membership)
          process.stdout.write(told(await membership.look()))
        } finally {
          await database.pool.end()
        }
      }),
    ),
  )
}

/** How long a hand-over is waited for, ms: it takes less than a second where nodes are well. */
const PATIENCE_MS = 20_000

const CLOCK = {
  monotonic: () => performance.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}

/** Waits until it is so, and says that it is; where it does not come to that, says so, and the exit code is 1. */
async function handedOver(
  membership: PostgresMembership,
  what: string,
  isSo: (view: ClusterView) => boolean,
): Promise<void> {
  if (!(await comesTo(membership, CLOCK, isSo, PATIENCE_MS))) {
    process.exitCode = 1
    process.stderr.write(`not yet: ${what}; nodes are still asked to, see cluster status\n`)
    return
  }
  process.stdout.write(`${what}\n`)
}
