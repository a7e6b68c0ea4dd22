/** The options that say where independent runs are done: on the cores of this machine, and on others. */
import type { Command } from 'commander'
import type { WorkOptions } from '../backtest/workers/taskPool.ts'
import { databaseUrl } from './databaseUrl.ts'
import { positiveCount } from './planOptions.ts'

export interface WorkPlaces {
  readonly workers?: number
  readonly postgres?: string
}

/** @param when what they go with: begins what is told of each. */
export function withWorkOptions(command: Command, when = ''): Command {
  return command
    .option(
      '--workers <count>',
      `${when}threads (default: one per core); the result is the same`,
      positiveCount,
    )
    .option(
      '--postgres <url>',
      `${when}share the work with every \`margin-core worker\` at this database; the result is the same`,
    )
}

/** What other machines have to say goes to stderr. @throws UsageError where the database is none */
export function workPlaces({ workers, postgres }: WorkPlaces): WorkOptions {
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(postgres === undefined ? {} : { postgres: databaseUrl(postgres) }),
    onNotice: (notice) => process.stderr.write(`note: ${notice}\n`),
  }
}
