#!/usr/bin/env node
/** The `margin-core` program: one file per subcommand. */
import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { backtestCommand } from './backtest.ts'
import { serveCommand } from './serve.ts'

const program = new Command('margin-core')
  .description('an event-sourced isolated-margin trading engine')
  .version(VERSION)
  .addCommand(backtestCommand())
  .addCommand(serveCommand())

await program.parseAsync()
