/** `margin-core cluster`: who owns what in a cluster, and changing it by hand. */
import { Command } from 'commander'
import { makeCluster, PostgresMembership } from '../cluster/postgresMembership.ts'
import { openDatabase } from '../store/postgres/database.ts'
import { reportFailure, UsageError } from './failure.ts'

interface Options {
  readonly postgres: string
}

const POSTGRES = ['--postgres <url>', 'the database of the cluster'] as const

export function clusterCommand(): Command {
  const command = new Command('cluster')
  command
    .command('status')
    .description('who owns what')
    .requiredOption(...POSTGRES)
    .action((options: Options) => changing(options, async () => {}))
  command
    .command('drain <node>')
    .description('has a node give its shards away; it takes none until it is started again')
    .requiredOption(...POSTGRES)
    .action((node: string, options: Options) =>
      changing(options, async (membership) => {
        if (!(await membership.drain(node))) throw new UsageError(`there is no node ${node}`)
      }),
    )
  command
    .command('move <shard> <node>')
    .description('has a shard handed over to a node, where it stays while that is there')
    .requiredOption(...POSTGRES)
    .action((shard: string, node: string, options: Options) =>
      changing(options, async (membership) => {
        if (!/^\d{1,9}$/.test(shard) || !(await membership.move(Number(shard), node)))
          throw new UsageError(`there is no shard ${shard}, or no node ${node}`)
      }),
    )
  return command
}

function changing(
  { postgres }: Options,
  change: (membership: PostgresMembership) => Promise<void>,
): Promise<void> {
  return reportFailure(async () => {
    const database = await openDatabase(postgres)
    try {
      await makeCluster(database, null)
      const membership = new PostgresMembership(database)
      await change(membership)
      print(await membership.look())
    } finally {
      await database.pool.end()
    }
  })
}

function print({ nodes, shards }: Awaited<ReturnType<PostgresMembership['look']>>): void {
  const names = new Map(nodes.map(({ life, name }) => [life, name]))
  for (const { name, address, life, draining } of nodes) {
    const owned = shards.filter(({ owner }) => owner === life).map(({ shard }) => shard)
    process.stdout.write(
      `${name}  ${address}  ${draining ? 'draining' : 'serving'}  shards ${owned.join(' ') || 'none'}\n`,
    )
  }
  const free = shards.filter(({ owner }) => owner === null || !names.has(owner)).map(({ shard }) => shard)
  if (free.length > 0) process.stdout.write(`nobody's: ${free.join(' ')}\n`)
  process.stdout.write(
    `${shards.length} shards, ${shards.reduce((sum, { head }) => sum + head, 0)} commits\n`,
  )
}
