/** The `margin-core` program: one file per subcommand, of which only the one asked for is loaded. */
import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { COMMANDS, commandIn } from './commands.ts'
import { examples } from './examples.ts'
import { reportFailure } from './failure.ts'
import { tellMistakesAtOnce } from './mistakes.ts'

/** The program for these arguments: the other commands are there to be listed. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('margin-core')
    .description('an event-sourced isolated-margin trading engine')
    .version(VERSION)
    .configureHelp({ subcommandTerm: (command) => command.name() })
  const asked = commandIn(args)
  for (const [name, { about, group, load }] of Object.entries(COMMANDS)) {
    const command = name === asked ? await load() : new Command(name)
    program.addCommand(command.description(about).helpGroup(`${group}:`))
    if (name !== asked) continue
    tellMistakesAtOnce(command)
    await addStrategyHelp(command, args)
  }
  for (const command of withThoseBelow(program))
    command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  return program.addHelpText('after', BEGIN)
}

const BEGIN = `${examples('backtest', 'serve', 'backtest --help')}

The first plays a strategy over thirty simulated days, the second is a demo venue with prices, a key and a console.`

/** A mistake in the options of any of them ends like every other mistake of the person at the command line. */
function withThoseBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withThoseBelow)]
}

/** Help that names a strategy tells its parameters too. */
async function addStrategyHelp(command: Command, args: readonly string[]): Promise<void> {
  const asksHelp = args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help'
  const strategy = strategyIn(args)
  if (!asksHelp || strategy === undefined) return
  const { strategyHelp } = await import('./strategyHelp.ts')
  await reportFailure(async () => {
    command.addHelpText('after', await strategyHelp(strategy))
  })
}

/** The strategy that arguments name, before they are read. */
function strategyIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '--strategy' || arg.startsWith('--strategy='))
  if (at < 0) return undefined
  const [, named = args[at + 1]] = (args[at] as string).split(/=(.*)/)
  return named
}
