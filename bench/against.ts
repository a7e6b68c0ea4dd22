// This tree against another commit: `npm run bench -- --against REV [--only WORK] [--quick] [--at-least RATIO]`.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { judged } from './against/judged.ts'
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
    const portions = quick ? 20 : 100
    return names.map((name) => compared(name, tree, portions, atLeast)).every((speed) => speed >= atLeast)
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

/**
 * The middle of what several pairs of processes come to: the compiler's luck lasts as long as a process, and one of the same
 * sources as its neighbour was seen at 0.65 of its speed for all of its life. What would be too slow is asked of more of them,
 * and where only that is asked, of fewer what clearly is not.
 */
function compared(name: string, tree: string, portions: number, atLeast: number): number {
  const lives: number[][] = []
  const measure = (count: number) => {
    for (let n = 0; n < count; n++) lives.push(inTurns(name, tree, portions, lives.length % 2 === 1))
    return middle(lives.map(middle))
  }
  const speed = judged(measure, atLeast)
  const speeds = lives.flat()
  console.log(
    `  ${name.padEnd(10)}${format(speed)}   ${format(quantile(speeds, 0.25))} to ${format(quantile(speeds, 0.75))}`,
  )
  return speed
}

/** The speeds of this tree's portions, the other's being 1. @param swapped starts this tree's process ahead of the other's. */
function inTurns(name: string, tree: string, portions: number, swapped: boolean): number[] {
  const sources = [tree, ROOT].map((root) => path.join(root, 'src'))
  if (swapped) sources.reverse()
  const script = path.join(import.meta.dirname, 'against', 'turns.ts')
  const options = ['--import', 'tsx', script, ...sources, name, `${portions}`]
  const times: number[] = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
  return times.map((ratio) => (swapped ? ratio : 1 / ratio))
}

function middle(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(share * sorted.length)] as number
}

function format(speed: number): string {
  return speed.toFixed(2)
}

function git(...words: readonly string[]): void {
  execFileSync('git', words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}
