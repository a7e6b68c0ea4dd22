/** The `margin-core` program: one file per subcommand. */
import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { archiveCommand } from './archive.ts'
import { backtestCommand } from './backtest.ts'
import { backupCommand } from './backup.ts'
import { evaluateCommand } from './evaluate.ts'
import { forkCommand } from './fork.ts'
import { inspectCommand } from './inspect.ts'
import { reportCommand } from './report.ts'
import { serveCommand } from './serve.ts'
import { sweepCommand } from './sweep.ts'
import { verifyCommand } from './verify.ts'
import { whatIfCommand } from './whatIf.ts'

export const program = new Command('margin-core')
  .description('an event-sourced isolated-margin trading engine')
  .version(VERSION)
  .addCommand(backtestCommand())
  .addCommand(reportCommand())
  .addCommand(sweepCommand())
  .addCommand(evaluateCommand())
  .addCommand(whatIfCommand())
  .addCommand(serveCommand())
  .addCommand(verifyCommand())
  .addCommand(backupCommand())
  .addCommand(archiveCommand())
  .addCommand(forkCommand())
  .addCommand(inspectCommand())

// A mistake in the options ends like every other mistake of the person at the command line.
for (const command of [program, ...program.commands])
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
