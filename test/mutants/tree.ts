// A copy of the tree that mistakes are put into; dependencies are shared.

import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../tidy/sourceTree.ts'

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'coverage'])

export class TreeCopy {
  readonly root = mkdtempSync(path.join(tmpdir(), 'margin-core-mutants-'))
  /** Where its tests write: they are ended in the midst of it. */
  readonly scratch = mkdtempSync(path.join(tmpdir(), 'margin-core-mutants-tests-'))

  constructor() {
    // Some of what tests start runs as nobody.
    chmodSync(this.scratch, 0o1777)
    for (const entry of readdirSync(root))
      if (!LEFT_OUT.has(entry))
        cpSync(path.join(root, entry), path.join(this.root, entry), { recursive: true })
    symlinkSync(path.join(root, 'node_modules'), path.join(this.root, 'node_modules'))
    // Tests ask git which files there are: without a repository they do not load, and are asked of no mistake.
    execFileSync('git', ['init', '--quiet'], { cwd: this.root })
    appendFileSync(path.join(this.root, '.git/info/exclude'), 'node_modules\n')
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.root, file), text)
  }

  remove(): void {
    for (const folder of [this.root, this.scratch])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
