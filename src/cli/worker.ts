/** `margin-core worker`: does a part of the sweeps, searches and evaluations of others. */
import { hostname } from 'node:os'
import { Command } from 'commander'
import { databaseUrl } from './databaseUrl.ts'
import { reportFailure, UsageError } from './failure.ts'
import { count } from './planOptions.ts'

interface Options {
  readonly postgres?: string
  readonly name?: string
  readonly workers?: number
}

const NOTES = `
Whoever runs a sweep, search, walk-forward or evaluation with --postgres and the same URL hands out the work; the result is the
same as on one machine, however many workers there are and whichever is killed. Strategies and data are read from this machine,
under the paths that the plan names: a worker that has another file there, or another version, takes no part and says so.

Examples:
  $ margin-core worker --postgres postgres://research@db/research
  $ margin-core sweep --config run.json --vary fast=5:60 --postgres postgres://research@db/research`

export function workerCommand(): Command {
  return new Command('worker')
    .option('--postgres <url>', 'the database with the tasks (default: DATABASE_URL of the environment)')
    .option('--name <name>', 'what others call this worker (default: host name and process)')
    .option('--workers <count>', 'threads (default: one per core)', count)
    .addHelpText('after', NOTES)
    .action((options: Options) => reportFailure(() => work(options)))
}

async function work(options: Options): Promise<void> {
  const postgres = options.postgres ?? process.env.DATABASE_URL
  if (postgres === undefined) throw new UsageError('no database; give --postgres URL or set DATABASE_URL')
  const { serveTasks } = await import('../backtest/workers/taskServer.ts')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  await serveTasks({
    postgres: databaseUrl(postgres),
    name: options.name ?? `${hostname()}/${process.pid}`,
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    signal: stop.signal,
    onNotice: (notice) => process.stderr.write(`${new Date().toISOString()} ${notice}\n`),
  })
}
