// A mistake that the compiler refuses cannot be made.

import { spawnSync } from 'node:child_process'
import { parse } from '../tidy/sourceTree.ts'
import { PAGE } from './draw.ts'
import type { Mistake } from './mistakes.ts'
import { splice } from './splice.ts'
import { TreeCopy } from './tree.ts'

const again = (part: string) => ({ incremental: true, tsBuildInfoFile: `${part}.tsbuildinfo` })
const CONFIGURATIONS = {
  page: { extends: './tsconfig.console.json', compilerOptions: again('page') },
  rest: {
    extends: './tsconfig.json',
    compilerOptions: again('rest'),
    include: ['src'],
    exclude: ['src/backtest/report/page', PAGE],
  },
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

/**
 * Compiles as many mistakes of a file at once as have lines of their own. An error on the lines of a mistake is its doing; where a
 * file has errors on other lines as well, whoever is not to blame yet is compiled again, alone in its file.
 */
export function refusedByTypes(mistakes: readonly Mistake[]): Set<Mistake> {
  const refused = new Set<Mistake>()
  const tree = new TreeCopy()
  try {
    const alone: Mistake[] = []
    for (let left = [...mistakes]; left.length > 0; ) {
      const round = apart(left, linesOf)
      const faults = faultsWith(tree, round)
      for (const mistake of round) if (faults.some((fault) => isOn(fault, mistake))) refused.add(mistake)
      for (const mistake of round) {
        const own = faults.filter(({ file }) => file === mistake.file)
        const isExplained = own.every((fault) => round.some((other) => isOn(fault, other)))
        if (!refused.has(mistake) && !isExplained) alone.push(mistake)
      }
      left = left.filter((mistake) => !round.includes(mistake))
    }
    for (let left = alone; left.length > 0; ) {
      const round = apart(left, () => [0])
      const faults = faultsWith(tree, round)
      for (const mistake of round) if (faults.some(({ file }) => file === mistake.file)) refused.add(mistake)
      left = left.filter((mistake) => !round.includes(mistake))
    }
  } finally {
    tree.remove()
  }
  return refused
}

/** The first of a file that has none of these places, and whatever shares none with those before it. */
function apart(mistakes: readonly Mistake[], placesOf: (mistake: Mistake) => readonly number[]): Mistake[] {
  const taken = new Set<string>()
  return mistakes.filter((mistake) => {
    const places = placesOf(mistake).map((place) => `${mistake.file}:${place}`)
    if (places.some((place) => taken.has(place))) return false
    for (const place of places) taken.add(place)
    return true
  })
}

/** The errors of the tree with these mistakes in it, which lie apart. */
function faultsWith(tree: TreeCopy, mistakes: readonly Mistake[]): Fault[] {
  const files = [...new Set(mistakes.map(({ file }) => file))]
  const originals = files.map((file) => [file, tree.read(file)] as const)
  for (const [file, text] of originals) {
    const own = mistakes.filter((mistake) => mistake.file === file)
    const splices = own.flatMap((mistake) => mistake.splices)
    tree.write(file, splice(text, splices))
  }
  const faults = faultsOf(tree, files)
  for (const [file, text] of originals) tree.write(file, text)
  return faults
}

const isOn = ({ file, line }: Fault, mistake: Mistake): boolean =>
  file === mistake.file && linesOf(mistake).includes(line)

function linesOf({ file, splices }: Mistake): number[] {
  const { lineAt } = parse(file)
  const [first, last] = [
    Math.min(...splices.map(({ start }) => start)),
    Math.max(...splices.map(({ end }) => end)),
  ]
  const from = lineAt(first)
  return Array.from({ length: lineAt(last) - from + 1 }, (_, index) => from + index)
}
