// The ways of docs/learning.md as a reader goes them, in a folder that has the package installed.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { stepsOf } from '../docs/steps.ts'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/learning.md'), 'utf8')

interface Printed {
  readonly command: string
  readonly printed: string
  readonly shown: string | null
}

/**
 * Goes one way in a fresh folder beside the consumer's packages. What npm does is taken as done, and what goes on until it is
 * interrupted is left out; both are given back as they stand.
 */
export function goThrough(heading: string, consumer: string) {
  const folder = path.join(consumer, heading.toLowerCase().replaceAll(' ', '-'))
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  symlinkSync(path.join(consumer, 'node_modules'), path.join(folder, 'node_modules'))
  const [saved, ran, notRun]: [string[], Printed[], string[]] = [[], [], []]
  for (const step of stepsOf(page, heading)) {
    if (step.kind === 'save') {
      writeFileSync(path.join(folder, step.file), step.text)
      saved.push(step.file)
      continue
    }
    for (const command of step.commands) {
      const args = programOf(command, folder)
      if (args === null) notRun.push(command)
      else ran.push({ command, printed: run(args, folder), shown: step.prints })
    }
  }
  return { folder, saved, ran, notRun }
}

/** What `npx` runs; null for what is not run here. */
function programOf(command: string, folder: string): readonly string[] | null {
  const [npx, program, ...args] = command.split(' ')
  if (npx !== 'npx' || args[0] === 'serve') return null
  if (program === 'tsx') return [compiled(folder, args[0] as string)]
  if (program === 'margin-core') return ['node_modules/margin-core/dist/cli/main.js', ...args]
  return null
}

/** What tsx does with a file, in a tenth of the time. */
function compiled(folder: string, file: string): string {
  const outfile = `${file}.mjs`
  const options = { bundle: true, packages: 'external', format: 'esm', target: 'node20' } as const
  buildSync({ absWorkingDir: folder, entryPoints: [file], outfile, ...options })
  return outfile
}

function run(args: readonly string[], cwd: string): string {
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
