/** The part of a command's help that says what the parameters of a strategy are. */
import type { StrategyKind } from '../backtest/strategies/catalogue.ts'

/** The parameters of the strategy that is named, with ranges and defaults. @throws StrategyError where it cannot be had. */
export async function strategyHelp(named: string): Promise<string> {
  const { loadStrategy } = await import('../backtest/strategies/load.ts')
  return (await parameterLines(await loadStrategy(named))).join('\n')
}

async function parameterLines({ name, parameters, constraints }: StrategyKind): Promise<string[]> {
  if (parameters === null) return ['', `${name} declares no parameters: --param takes any name=value.`]
  const { rangeInWords } = await import('../backtest/strategies/parameters.ts')
  const lines = Object.entries(parameters).map(([parameter, declared]): [string, string] => {
    const { about, search, default: usual } = declared
    const notes = [`default: ${usual}`, ...(search === undefined ? [] : [`searched: ${search}`])].join('; ')
    return [parameter, `${about === undefined ? '' : `${about}: `}${rangeInWords(declared)} (${notes})`]
  })
  const width = Math.max(...lines.map(([parameter]) => parameter.length), 'asset'.length)
  return [
    '',
    `Parameters of ${name} (--param name=value):`,
    ...[...lines, ['asset', 'the market it trades (default: the first of the run)'] as const].map(
      ([parameter, words]) => `  ${parameter.padEnd(width)}  ${words}`,
    ),
    ...(constraints.length === 0
      ? []
      : [`A set has to keep ${constraints.map(({ text }) => text).join(', ')}.`]),
  ]
}
