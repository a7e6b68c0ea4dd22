#!/usr/bin/env node
/** Starts the program, or says what it needs: its packages are optional peers, for whoever embeds the core alone. */
import { missingPackage } from './failure.ts'
import { PACKAGES } from './packages.ts'

try {
  const { program } = await import('./program.ts')
  await program.parseAsync()
} catch (error) {
  if (missingPackage(error) === null) throw error
  const packages = PACKAGES.program.join(' ')
  process.stderr.write(`error: the command line needs packages of its own: npm install ${packages}\n`)
  process.exitCode = 2
}
