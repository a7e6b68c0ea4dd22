/** The `margin-core` program: one file per subcommand, of which only the one asked for is loaded. */
import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { COMMANDS, commandIn } from './commands.ts'

/** The program for these arguments: the other commands are there to be listed. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('margin-core')
    .description('an event-sourced isolated-margin trading engine')
    .version(VERSION)
    .configureHelp({ subcommandTerm: (command) => command.name() })
  const asked = commandIn(args)
  for (const [name, { about, load }] of Object.entries(COMMANDS))
    program.addCommand((name === asked ? await load() : new Command(name)).description(about))
  // A mistake in the options ends like every other mistake of the person at the command line.
  for (const command of [program, ...program.commands])
    command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  return program
}
