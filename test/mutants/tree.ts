// A copy of the tree that mistakes are put into; dependencies are shared.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../tidy/sourceTree.ts'

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'coverage'])

export class TreeCopy {
  readonly root = mkdtempSync(path.join(tmpdir(), 'margin-core-mutants-'))

  constructor() {
    for (const entry of readdirSync(root))
      if (!LEFT_OUT.has(entry))
        cpSync(path.join(root, entry), path.join(this.root, entry), { recursive: true })
    symlinkSync(path.join(root, 'node_modules'), path.join(this.root, 'node_modules'))
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.root, file), text)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
