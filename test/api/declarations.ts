// The declarations that the package ships, as the compiler writes them today.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { madeOnce } from '../madeOnce.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The text of every declaration file by its path in the package, `dist` left out: `engine/engine.d.ts`. */
export type Declarations = ReadonlyMap<string, string>

export function emitDeclarations(): Declarations {
  const made = madeOnce('declarations.json', (file) => writeFileSync(file, JSON.stringify([...emitted()])))
  return made === null ? emitted() : new Map(JSON.parse(readFileSync(made, 'utf8')))
}

/** Types are not checked here, which takes a third of the time: `npm run typecheck` does that. */
function emitted(): Declarations {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-declarations-'))
  try {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--emitDeclarationOnly', '--noCheck', '--outDir', folder]
    execFileSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.build.json'), ...options])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.d.ts'),
    )
    return new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The entry points of package.json by the name they are imported under, each with its declaration file. */
export function entryPoints(): ReadonlyMap<string, string> {
  const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const typed = Object.entries<{ types?: string }>(exports).filter(([, target]) => target.types !== undefined)
  return new Map(
    typed.map(([entry, { types }]) => [
      path.posix.join(name, entry),
      (types as string).replace('./dist/', ''),
    ]),
  )
}
