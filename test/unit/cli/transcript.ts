// A transcript: everything that a command says and leaves, as one text that is kept: its exit code, both outputs, and the files that are there
// afterwards. What is typed is typed beside the same files each time.

import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SingleBar } from 'cli-progress'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { VERSION } from '../../../src/version.ts'
import { openIn } from '../../openFiles.ts'
import { typed } from '../../typed.ts'
import { TYPED } from './transcriptLines.ts'

/** What differs from machine to machine, day to day or version to version. */
function asKept(text: string, folder: string): string {
  return text
    .replaceAll(folder, '<folder>')
    .replaceAll(VERSION, '<version>')
    .replace(/( bytes in |"compressed": )\d+/g, '$1<compressed>')
    .replace(/"(?:[\w-]{32,}|[0-9a-f]{8}-[0-9a-f-]{27})"(?=[^\n]*\n)/g, (secret) =>
      text.includes('operatorToken') ? '"<drawn>"' : secret,
    )
    .replace(/(chain"?:? "?\d+:)[0-9a-f]{64}/g, '$1<chain>')
}

const LONGEST = 12_000
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Of what is long the beginning, and what the whole of it comes to. */
function told(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST / 4)}\n… ${text.length} characters, ${digest(text)}\n`
}

/** Tables and JSON as they are, of a page what it shows; what is compressed by its name alone: another test reads that. */
function filesIn(place: string, below = ''): Map<string, string> {
  const files = new Map<string, string>()
  for (const name of readdirSync(path.join(place, below)).sort()) {
    const file = path.join(below, name)
    if (statSync(path.join(place, file)).isDirectory())
      for (const [inner, text] of filesIn(place, file)) files.set(inner, text)
    else if (/\.(csv|jsonl?|html)$/.test(name)) files.set(file, readFileSync(path.join(place, file), 'utf8'))
    else files.set(file, '')
  }
  return files
}

const TEXT_OF_CARD = 160

/** What a page is made of: of each card its name, the digest of its markup and how its text begins; of its data the digest. Styles and programs are files. */
function shownOn(page: string, folder: string): string {
  const markup = asKept(page, folder).replace(
    /<style.*?<\/style>|<script(?! type="application\/json").*?<\/script>/gs,
    '',
  )
  const cards = markup.split(/(?=<(?:section|header|main|footer|script)\b)/)
  return cards
    .map((card) => {
      const [, name = '', attributes = ''] = /^<(\w+)([^>]*)>/.exec(card) ?? []
      const id = /\b(?:id|aria-label)="([^"]*)"/.exec(attributes)?.[1] ?? ''
      const text =
        name === 'script'
          ? ''
          : card
              .replace(/<[^>]*>/g, ' ')
              .replace(/\s+/g, ' ')
              .trim()
      return `${name} ${id}: ${digest(card)} ${text.slice(0, TEXT_OF_CARD)}`.trim()
    })
    .join('\n')
}

const isOfLog = (file: string) => /^(data|kept|older|figure|more|fewer|refused)\//.test(file)

async function transcript(words: readonly string[], folder: string, onPrinted: () => void): Promise<string> {
  const before = filesIn(folder)
  const { code, stdout, stderr } = await typed(words, folder, onPrinted)
  // Who stops reading early closes the file beside what goes on.
  await expect.poll(() => openIn(folder), { message: `${words.join(' ')}: no file stays open` }).toEqual([])
  const written = [...filesIn(folder)].filter(([file, text]) => before.get(file) !== text && !isOfLog(file))
  const files = written.map(([file, text]) => {
    if (file.endsWith('.html')) return `--- ${file}\n${shownOn(text, folder)}`
    return `--- ${file}\n${text.length > 2_000 ? `${text.slice(0, 600)}\n… ${digest(asKept(text, folder))}` : text}`
  })
  const errors = stderr === '' ? [] : [`--- stderr\n${stderr}`]
  return asKept(
    [
      `$ margin-core ${words.join(' ')}`,
      told(asKept(stdout, folder)),
      ...errors,
      ...files,
      `--- exit code ${code}`,
    ].join('\n'),
    folder,
  )
}

/** Files that are written, and that nobody has waited for yet. */
function watchWrites(): { readonly left: Set<string>; readonly end: () => void } {
  const { writeFile } = promises
  const left = new Set<string>()
  const watched = (...given: Parameters<typeof writeFile>) => {
    const written = writeFile(...given)
    left.add(String(given[0]))
    const waited: typeof written.then = (...heard) => {
      left.delete(String(given[0]))
      return written.then(...heard)
    }
    // Whoever awaits what is no promise of the language's own calls its `then`.
    return Object.defineProperty(Object.create(written), 'then', { value: waited })
  }
  promises.writeFile = watched
  syncBuiltinESMExports()
  const end = () => {
    promises.writeFile = writeFile
    syncBuiltinESMExports()
  }
  return { left, end }
}

/** Bars as at a terminal, which draw nothing; says which have begun and not ended. */
function watchBars(): {
  readonly begun: Set<SingleBar>
  readonly left: Set<SingleBar>
  readonly end: () => void
} {
  const { isTTY } = process.stderr
  process.stderr.isTTY = true
  const [begun, left] = [new Set<SingleBar>(), new Set<SingleBar>()]
  const spies = [
    vi.spyOn(SingleBar.prototype, 'start').mockImplementation(function (this: SingleBar) {
      begun.add(this)
      left.add(this)
    }),
    vi.spyOn(SingleBar.prototype, 'update').mockImplementation(() => {}),
    vi.spyOn(SingleBar.prototype, 'stop').mockImplementation(function (this: SingleBar) {
      left.delete(this)
    }),
  ]
  const end = () => {
    for (const spy of spies) spy.mockRestore()
    process.stderr.isTTY = isTTY
  }
  return { begun, left, end }
}

/**
 * Types the lines of some transcripts and compares what comes of them with what is kept.
 *
 * @param files Writes what is there before, and gives what stands in the lines for words of its own.
 */
export function keepTranscripts(
  names: readonly (keyof typeof TYPED)[],
  files: (folder: string) => Promise<Readonly<Record<string, string>>>,
): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-transcripts-'))
  let own: Readonly<Record<string, string>> = {}
  let writes: ReturnType<typeof watchWrites> | undefined
  let bars: ReturnType<typeof watchBars> | undefined
  beforeAll(async () => {
    own = await files(folder)
    writes = watchWrites()
    bars = watchBars()
  })
  afterAll(() => {
    bars?.end()
    writes?.end()
    rmSync(folder, { recursive: true })
  })
  test.each(names)('%s says and leaves what it did', { timeout: 300_000 }, async (name) => {
    const texts: string[] = []
    for (const line of TYPED[name]) {
      const words = line.split(' ').map((word) => own[word] ?? word)
      const onPrinted = () => expect(bars?.left.size, `${line}: nothing is printed beside a bar`).toBe(0)
      texts.push(await transcript(words, folder, onPrinted))
      expect([...(writes?.left ?? [])], `${line}: it ends once what it writes is there`).toEqual([])
    }
    expect(bars?.left.size, 'bars that have not ended').toBe(0)
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`transcripts/${name}.txt`)
  })
  test('bars have begun, and ended', () => {
    expect(bars?.begun.size).toBeGreaterThan(0)
    expect(bars?.left.size).toBe(0)
  })
}
