// A mistake that the compiler refuses cannot be made.

import { spawnSync } from 'node:child_process'
import { parse } from '../tidy/sourceTree.ts'
import { PAGE } from './draw.ts'
import { type Mistake, withMistake } from './mistakes.ts'
import { splice } from './splice.ts'
import { TreeCopy } from './tree.ts'

const CONFIGURATIONS = {
  page: { extends: './tsconfig.console.json' },
  rest: { extends: './tsconfig.json', include: ['src'], exclude: ['src/backtest/report/page', PAGE] },
}
const ERROR = /^(\S+\.tsx?)\((\d+),\d+\): error/

interface Fault {
  readonly file: string
  readonly line: number
}

/** The errors of a tree, where they lie in the parts of it that these files belong to. */
function faultsOf(tree: TreeCopy, files: readonly string[]): Fault[] {
  const parts = new Set(files.map((file) => (file.startsWith(PAGE) ? 'page' : 'rest')))
  return [...parts].flatMap((part) => {
    tree.write('tsconfig.mistakes.json', JSON.stringify(CONFIGURATIONS[part]))
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.mistakes.json', '--pretty', 'false']
    const { stdout } = spawnSync(process.execPath, tsc, { cwd: tree.root, encoding: 'utf8' })
    return stdout.split('\n').flatMap((line) => {
      const [, file, at] = ERROR.exec(line) ?? []
      return file === undefined ? [] : [{ file, line: Number(at) }]
    })
  })
}

/** Compiles one mistake of every file at a time; an error in a file is the doing of its mistake. */
export function refusedByTypes(mistakes: readonly Mistake[]): Set<Mistake> {
  const refused = new Set<Mistake>()
  const tree = new TreeCopy()
  try {
    for (let left = [...mistakes]; left.length > 0; ) {
      const round = new Map<string, Mistake>()
      for (const mistake of left) if (!round.has(mistake.file)) round.set(mistake.file, mistake)
      const originals = [...round.keys()].map((file) => [file, tree.read(file)] as const)
      for (const mistake of round.values()) tree.write(mistake.file, withMistake(mistake) as string)
      for (const { file } of faultsOf(tree, [...round.keys()])) {
        const mistake = round.get(file)
        if (mistake !== undefined) refused.add(mistake)
      }
      for (const [file, text] of originals) tree.write(file, text)
      left = left.filter((mistake) => round.get(mistake.file) !== mistake)
    }
  } finally {
    tree.remove()
  }
  return refused
}

/**
 * The same for swapped arguments, whose errors lie on their own lines: as many of a file at once as have lines of their
 * own. They are asked beforehand, because nearly all are refused.
 */
export function refusedSwaps(mistakes: readonly Mistake[]): Set<Mistake> {
  const refused = new Set<Mistake>()
  const tree = new TreeCopy()
  try {
    for (let left = mistakes.filter(({ kind }) => kind === 'arguments swapped'); left.length > 0; ) {
      const taken = new Set<string>()
      const round = left.filter((mistake) => {
        const lines = linesOf(mistake).map((line) => `${mistake.file}:${line}`)
        if (lines.some((line) => taken.has(line))) return false
        for (const line of lines) taken.add(line)
        return true
      })
      const files = [...new Set(round.map(({ file }) => file))]
      const originals = files.map((file) => [file, tree.read(file)] as const)
      for (const [file, text] of originals) {
        const swaps = round.filter((mistake) => mistake.file === file)
        tree.write(
          file,
          splice(
            text,
            swaps.flatMap(({ splices }) => splices),
          ),
        )
      }
      const faults = faultsOf(tree, files)
      for (const mistake of round) {
        const lines = linesOf(mistake)
        if (faults.some(({ file, line }) => file === mistake.file && lines.includes(line)))
          refused.add(mistake)
      }
      for (const [file, text] of originals) tree.write(file, text)
      left = left.filter((mistake) => !round.includes(mistake))
    }
  } finally {
    tree.remove()
  }
  return refused
}

function linesOf({ file, splices }: Mistake): number[] {
  const { lineAt } = parse(file)
  const [first, last] = [
    Math.min(...splices.map(({ start }) => start)),
    Math.max(...splices.map(({ end }) => end)),
  ]
  const from = lineAt(first)
  return Array.from({ length: lineAt(last) - from + 1 }, (_, index) => from + index)
}
