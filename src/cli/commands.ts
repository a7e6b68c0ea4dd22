/** The commands of the program: what each is for, and its file, which is loaded when the command is asked for. */
import type { Command } from 'commander'

/** What a person is doing who types the command: the headings that help lists them under. */
type Group = 'Trading' | 'Research' | 'Running a venue' | 'Looking into a log'

interface Entry {
  readonly about: string
  readonly group: Group
  readonly load: () => Promise<Command>
}

const TABLE = {
  backtest: {
    about: 'run a strategy over market data, under the rules of the venue',
    group: 'Trading',
    load: async () => (await import('./backtest.ts')).backtestCommand(),
  },
  data: {
    about: 'fetch prices from public archives, and check what is wrong with them',
    group: 'Trading',
    load: async () => (await import('./data.ts')).dataCommand(),
  },
  report: {
    about: 'draw the report of a run saved by `backtest --out` again, or make the run again',
    group: 'Trading',
    load: async () => (await import('./report.ts')).reportCommand(),
  },
  compare: {
    about: 'saved runs side by side, or a live run beside the backtest of its prices: what differs, and why',
    group: 'Trading',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  'what-if': {
    about: 'the same strategy and data under changed rules, and what differs',
    group: 'Trading',
    load: async () => (await import('./whatIf.ts')).whatIfCommand(),
  },
  sweep: {
    about: 'run a strategy once per set of parameters',
    group: 'Research',
    load: async () => (await import('./sweep.ts')).sweepCommand(),
  },
  search: {
    about: 'look for good parameters in a space too large to sweep, in a study that can be gone on with',
    group: 'Research',
    load: async () => (await import('./search.ts')).searchCommand(),
  },
  'walk-forward': {
    about: 'choose parameters on one part of the time and try them on the next, again and again',
    group: 'Research',
    load: async () => (await import('./walkForward.ts')).walkForwardCommand(),
  },
  'look-ahead': {
    about: 'whether a strategy decides by what it was told alone, and how much data it needs before',
    group: 'Research',
    load: async () => (await import('./lookAhead.ts')).lookAheadCommand(),
  },
  entries: {
    about:
      'whether the entries of a strategy do better than the same ones at times, and with sides, that chance decides',
    group: 'Research',
    load: async () => (await import('./entries.ts')).entriesCommand(),
  },
  evaluate: {
    about: 'the probability of passing the evaluation, over paths resampled from the data or simulated',
    group: 'Research',
    load: async () => (await import('./evaluate.ts')).evaluateCommand(),
  },
  workbench: {
    about: 'a page in the browser for a folder of research: what it holds, and runs started from forms',
    group: 'Research',
    load: async () => (await import('./workbench.ts')).workbenchCommand(),
  },
  worker: {
    about: 'do a part of the sweeps, searches and evaluations that others run at the same database',
    group: 'Research',
    load: async () => (await import('./worker.ts')).workerCommand(),
  },
  init: {
    about: 'write a commented venue configuration to begin with',
    group: 'Running a venue',
    load: async () => (await import('./init.ts')).initCommand(),
  },
  check: {
    about: 'say whether a venue would start with a configuration; exit code 0 only if it would',
    group: 'Running a venue',
    load: async () => (await import('./check.ts')).checkCommand(),
  },
  serve: {
    about: 'serve the Margin Trading API; without a configuration, a demo venue with moving prices',
    group: 'Running a venue',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  cluster: {
    about: 'who owns what in a venue on several nodes, and changing it by hand',
    group: 'Running a venue',
    load: async () => (await import('./cluster.ts')).clusterCommand(),
  },
  conformance: {
    about: 'ask a host over HTTP whether it keeps the rules of the venue, one by one',
    group: 'Running a venue',
    load: async () => (await import('./conformance.ts')).conformanceCommand(),
  },
  verify: {
    about: 'decide every command of a log again; exit code 0 only if nothing is cut, missing or different',
    group: 'Looking into a log',
    load: async () => (await import('./verify.ts')).verifyCommand(),
  },
  backup: {
    about: 'copy the log of a venue as far as it is whole, and say up to which commit',
    group: 'Looking into a log',
    load: async () => (await import('./backup.ts')).backupCommand(),
  },
  archive: {
    about: 'move the older files of a log elsewhere, compressed, after verifying two snapshots behind them',
    group: 'Looking into a log',
    load: async () => (await import('./archive.ts')).archiveCommand(),
  },
  fork: {
    about: 'replay a log with one rule changed, and print what it would have come to',
    group: 'Looking into a log',
    load: async () => (await import('./fork.ts')).forkCommand(),
  },
  inspect: {
    about: 'the life of an order or a position, why it came to that, and an account as it was',
    group: 'Looking into a log',
    load: async () => (await import('./inspect.ts')).inspectCommand(),
  },
} as const satisfies Readonly<Record<string, Entry>>

export type CommandName = keyof typeof TABLE

export const COMMANDS: Readonly<Record<CommandName, Entry>> = TABLE

/** The command that is asked for; null where it is for help alone, or there is no such command. */
export function commandIn(args: readonly string[]): CommandName | null {
  const [named = ''] = args[0] === 'help' ? args.slice(1) : args
  return Object.hasOwn(TABLE, named) ? (named as CommandName) : null
}
