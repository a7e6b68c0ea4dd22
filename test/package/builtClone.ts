// A clone of the sources with what `npm pack` makes in it: `dist` and the tarball.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { madeOnce } from '../madeOnce.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** What a clone has: the sources, and no `dist`. */
const CLONED = [
  ...['src', 'release', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE'],
  ...['README.md', 'CHANGELOG.md'],
]

/** Its folder, which nobody changes: others of the run have the same. */
export function builtClone(): string {
  const made = madeOnce('clone', pack)
  if (made !== null) return made
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'margin-core-clone-')), 'clone')
  pack(folder)
  return folder
}

export const tarballIn = (clone: string): string =>
  path.join(clone, readdirSync(clone).find((name) => name.endsWith('.tgz')) as string)

function pack(clone: string): void {
  for (const name of CLONED) cpSync(path.join(root, name), path.join(clone, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'))
  execFileSync('npm', ['pack'], { cwd: clone, stdio: 'pipe' })
}
