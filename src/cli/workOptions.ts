/** The options that say where independent runs are done: on the cores of this machine, and on others. */
import { type Command, InvalidArgumentError } from 'commander'
import type { WorkOptions } from '../backtest/workers/taskPool.ts'
import { count } from './planOptions.ts'

export interface WorkPlaces {
  readonly workers?: number
  readonly postgres?: string
}

export function withWorkOptions(command: Command): Command {
  return command
    .option('--workers <count>', 'threads (default: one per core); the result is the same', count)
    .option(
      '--postgres <url>',
      'share the work with every `margin-core worker` at this database; the result is the same',
      databaseUrl,
    )
}

export function databaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/./.test(text))
    throw new InvalidArgumentError('It is a URL such as postgres://user@host/database.')
  return text
}

/** What other machines have to say goes to stderr. */
export function workPlaces({ workers, postgres }: WorkPlaces): WorkOptions {
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(postgres === undefined ? {} : { postgres }),
    onNotice: (notice) => process.stderr.write(`note: ${notice}\n`),
  }
}
