// This tree against another commit: `npm run bench -- --against REV [--only WORK] [--quick] [--at-least RATIO]`.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { WORKS } from './against/works.ts'

const ROOT = path.join(import.meta.dirname, '..')

export interface AgainstOptions {
  readonly revision: string
  /** Fewer portions, for a look in passing. */
  readonly quick: boolean
  /** One work instead of all. */
  readonly only: string | undefined
  /** The least that the speed may be of the other commit's. */
  readonly atLeast: number
}

/** Prints how fast this tree is beside the other commit. @returns whether nothing is slower than is allowed. */
export function against({ revision, quick, only, atLeast }: AgainstOptions): boolean {
  const tree = checkedOut(revision)
  try {
    console.log(
      `speed of this tree, that of ${revision} being 1: the middle, and between which half of the pairs lie`,
    )
    const names = Object.keys(WORKS).filter((name) => only === undefined || name === only)
    return names.map((name) => compared(name, tree, quick ? 40 : 300)).every((speed) => speed >= atLeast)
  } finally {
    git('worktree', 'remove', '--force', tree)
    rmSync(path.dirname(tree), { recursive: true, force: true })
  }
}

/** The commit's files beside this tree's packages. */
function checkedOut(revision: string): string {
  const tree = path.join(mkdtempSync(path.join(os.tmpdir(), 'margin-core-against-')), 'tree')
  git('worktree', 'add', '--quiet', '--detach', tree, revision)
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'))
  return tree
}

function compared(name: string, tree: string, portions: number): number {
  const sources = [tree, ROOT].map((root) => path.join(root, 'src'))
  const script = path.join(import.meta.dirname, 'against', 'turns.ts')
  const options = ['--import', 'tsx', script, ...sources, name, `${portions}`]
  const ratios: number[] = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
  const speeds = ratios.map((ratio) => 1 / ratio).sort((a, b) => a - b)
  const [low, middle, high] = [0.25, 0.5, 0.75].map(
    (share) => speeds[Math.floor(share * speeds.length)] as number,
  )
  console.log(`  ${name.padEnd(10)}${format(middle)}   ${format(low)} to ${format(high)}`)
  return middle as number
}

function format(speed: number | undefined): string {
  return (speed ?? Number.NaN).toFixed(2)
}

function git(...words: readonly string[]): void {
  execFileSync('git', words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}
