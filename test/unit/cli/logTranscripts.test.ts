// What the commands of a venue and of a log say and leave; and that each command is typed in some transcript, with each of its options.

import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { keepTranscripts } from './transcript.ts'
import { configurations, logs } from './transcriptFiles.ts'
import { TYPED } from './transcriptLines.ts'

keepTranscripts(['venue', 'log'], async (folder) => {
  configurations(folder)
  const { order, position } = await logs(folder)
  return { ORDER: order, POSITION: position }
})

/** They ask a venue, a database or an archive elsewhere, or run until they are interrupted; other tests type them. */
const ELSEWHERE = [
  'serve',
  'workbench',
  'worker',
  'conformance',
  'data fetch',
  'cluster status',
  'cluster drain',
  'cluster move',
  'cluster history',
]
const OPTIONS_ELSEWHERE =
  /^--(postgres|shard|schema|archive|live|key|key-file|journal.*|order-within|on-exit|warm-up-gap)$/

function leavesOf(name: string, command: Command): [string, Command][] {
  return command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((below) => leavesOf(`${name} ${below.name()}`, below))
}

test('each command is typed, with each of its options', async () => {
  const leaves = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { load }]) => leavesOf(name, await load())),
  )
  const lines = Object.values<readonly string[]>(TYPED).flat()
  // What a plan takes is asked of a backtest, and that it reaches the plan in planOptions.test.ts.
  const backtest = (await COMMANDS.backtest.load()).options
    .map(({ long }) => long)
    .filter((long) => long !== '--json' && long !== '--out' && long !== '--report')
  const missing = leaves.flat().flatMap(([name, command]) => {
    if (ELSEWHERE.includes(name)) return []
    const own = lines.filter((line) => `${line} `.startsWith(`${name} `)).flatMap((line) => line.split(' '))
    if (own.length === 0) return [name]
    const shared = name === 'backtest' ? [] : backtest
    const isLive = (long: string) => name === 'backtest' && long === '--interval'
    return command.options.flatMap(({ long }) =>
      long == null ||
      own.includes(long) ||
      shared.includes(long) ||
      OPTIONS_ELSEWHERE.test(long) ||
      isLive(long)
        ? []
        : [`${name} ${long}`],
    )
  })
  expect(missing).toEqual([])
})
