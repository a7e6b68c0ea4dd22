#!/usr/bin/env node
/** Starts the program, or says what it needs: its packages are optional peers, for whoever embeds the core alone. */
import { missingPackage } from './failure.ts'

const PACKAGES = 'commander asciichart cli-progress picocolors trading-signals'

try {
  const { program } = await import('./program.ts')
  await program.parseAsync()
} catch (error) {
  if (missingPackage(error) === null) throw error
  process.stderr.write(`error: the command line needs packages of its own: npm install ${PACKAGES}\n`)
  process.exitCode = 2
}
