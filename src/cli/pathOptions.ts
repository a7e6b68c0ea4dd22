/** The options that say how many paths are drawn, and how. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { BlockKind } from '../backtest/evaluate/pathMarkets.ts'
import { count, positiveCount } from './planOptions.ts'

export interface PathOptions {
  readonly paths: number
  readonly horizon: number
  readonly block?: number | 'auto'
  readonly blocks?: BlockKind
}

/**
 * @param paths how many, unless it is said.
 * @param when what they go with: begins what is told of each.
 */
export function withPathOptions(command: Command, paths: number, when = ''): Command {
  return command
    .option('--paths <count>', `${when}how many paths`, positiveCount, paths)
    .option('--horizon <days>', `${when}length of a path`, positiveCount, 30)
    .option(
      '--block <bars>',
      `${when}mean length of a resampled block (default: 240), or auto: found from the data; of trades in days (default: found)`,
      blockLength,
    )
    .addOption(
      new Option(
        '--blocks <kind>',
        `${when}whether any block may follow any, or each begins in the regime of volatility that the one before it ended in (default: any)`,
      ).choices(['any', 'regimes']),
    )
}

function blockLength(text: string): number | 'auto' {
  const length = text === 'auto' ? 'auto' : count(text)
  if (length === 0) throw new InvalidArgumentError('A block has one bar or more.')
  return length
}
