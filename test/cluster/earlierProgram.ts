// The program of an earlier version, in one file: the one that is named, or what there was before the newest tables, from the history of
// this repository.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { build } from '../bundle.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** The last commit without the table `shard_trouble`. */
const BEFORE = '60436aa1bd55bf89d5a221066e7ae9ac9f7b2e46^'

/** Null where neither is there, as in a clone that is not whole. */
export function earlierProgram(folder: string): string | null {
  const named = process.env.MARGIN_CORE_EARLIER
  if (named !== undefined) return named
  const archive = spawnSync('git', ['archive', BEFORE, 'src', 'package.json'], {
    cwd: root,
    maxBuffer: 1 << 30,
  })
  if (archive.status !== 0) return null
  const tree = path.join(folder, 'earlier')
  mkdirSync(tree)
  execFileSync('tar', ['-x', '-C', tree], { input: archive.stdout })
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  const program = path.join(tree, 'main.mjs')
  build('src/cli/main.ts', program, tree)
  return program
}
