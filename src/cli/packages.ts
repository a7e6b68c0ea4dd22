/** The packages that a use of the command line needs beside this one: looked for before any work, and all told at once. */
import { createRequire } from 'node:module'
import { UsageError } from './failure.ts'

const CHARTS = ['lightweight-charts', 'uplot'] as const

/** What each use needs. */
export const PACKAGES = {
  program: ['commander', 'asciichart', 'cli-progress', 'picocolors', 'trading-signals'],
  report: CHARTS,
  folder: [...CHARTS, 'csv-stringify'],
} as const

/** @throws UsageError naming every one that is not installed, with the command that installs them. */
export function needPackages(names: Iterable<string>): void {
  const missing = [...new Set(names)].filter((name) => !isInstalled(name))
  if (missing.length > 0)
    throw new UsageError(`this needs ${missing.length} more package(s): npm install ${missing.join(' ')}`)
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch (error) {
    // A package that cannot be required is there all the same.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND'
  }
}
