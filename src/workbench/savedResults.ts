/** What a folder holds of results: a row for each run, study and page, with what tells them apart. */
import { open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { notJson } from '../files/notJson.ts'
import { type FolderFiles, inFolder } from './folderFiles.ts'
import { journalRow } from './journalRow.ts'
import { commandIn, type ReadResult, resultOf } from './resultOf.ts'
import type { RunForm } from './runForm.ts'

/** A row of the list. */
export interface SavedResult extends ReadResult {
  /** The folder or the page, from the one that is listed on. */
  readonly place: string
  /** When it was written, epoch ms. */
  readonly at: number
  /** Its page, where there is one. */
  readonly page: string | null
  /** Of a journal: its page is made when it is asked for, and this goes on with it, where a form can. */
  readonly journal: { readonly goOn: RunForm | null } | null
}

const RESULT = 'result.json'
const REPORT = 'report.html'
const STUDY = 'study.json'
/** What a page of this package begins with, without its styles. */
const HEAD_BYTES = 65_536
const LARGEST_RESULT = 256 * 1024 * 1024

/** Reads a folder again and again, and what has not changed only once. */
export class SavedResults {
  readonly #known = new Map<string, { readonly stamp: string; readonly row: SavedResult | null }>()
  readonly #home: string

  constructor(home: string) {
    this.#home = home
  }

  /** The newest first. */
  async list({ folders }: FolderFiles): Promise<SavedResult[]> {
    const rows: SavedResult[] = []
    for (const [at, names] of folders)
      for (const name of names) {
        const read = READERS.find(({ takes }) => takes(name, names))?.read
        const row = read === undefined ? null : await this.#row(inFolder(at, name), at, names, read)
        if (row !== null) rows.push(row)
      }
    return rows.sort((one, other) => other.at - one.at || (one.place < other.place ? -1 : 1))
  }

  async #row(file: string, at: string, names: readonly string[], read: Read): Promise<SavedResult | null> {
    const whole = path.join(this.#home, file)
    const found = await stat(whole).catch(() => null)
    if (found === null) return null
    const stamp = `${found.mtimeMs} ${found.size} ${names.includes(REPORT)}`
    const known = this.#known.get(file)
    if (known?.stamp === stamp) return known.row
    const row = await read(whole, found.size, { file, at, names, writtenAt: Math.round(found.mtimeMs) })
    this.#known.set(file, { stamp, row })
    return row
  }
}

interface Found {
  readonly file: string
  readonly at: string
  readonly names: readonly string[]
  readonly writtenAt: number
}

type Read = (whole: string, size: number, found: Found) => Promise<SavedResult | null>

const READERS: readonly { takes(name: string, names: readonly string[]): boolean; read: Read }[] = [
  { takes: (name) => name === RESULT, read: readResultRow },
  { takes: (name, names) => name === STUDY && !names.includes(RESULT), read: readStudyRow },
  {
    takes: (name, names) => name.endsWith('.html') && !(name === REPORT && names.includes(RESULT)),
    read: readPageRow,
  },
  // A part that is closed belongs to the journal that it is of.
  {
    takes: (name, names) =>
      name.endsWith('.jsonl') && !/\.[0-9]{6,}\.jsonl$/.test(name) && !names.includes(RESULT),
    read: readJournalRow,
  },
]

async function readResultRow(whole: string, size: number, found: Found): Promise<SavedResult | null> {
  const { at, names, writtenAt } = found
  const place = at === '' ? '.' : at
  const page = names.includes(REPORT) ? inFolder(at, REPORT) : null
  const base = { place, at: writtenAt, page, journal: null }
  if (size > LARGEST_RESULT) return { ...base, ...damaged('it is larger than this page reads') }
  const saved = await jsonIn(whole)
  if ('fault' in saved) return { ...base, ...damaged(saved.fault) }
  const read = resultOf(saved.value)
  if (read !== null) return { ...base, ...read }
  if (page === null) return null
  // Of a command that has no rows here its page says what it is.
  const report = path.join(path.dirname(whole), REPORT)
  const row = await readPageRow(report, size, { ...found, file: page })
  return row === null ? null : { ...row, ...base, command: commandIn(saved.value) }
}

async function readStudyRow(
  whole: string,
  size: number,
  { at, writtenAt }: Found,
): Promise<SavedResult | null> {
  if (size > LARGEST_RESULT) return null
  const saved = await jsonIn(whole)
  if ('fault' in saved) return null
  const { method } = saved.value as { readonly method?: unknown }
  if (typeof method !== 'string') return null
  return {
    ...NOTHING,
    kind: 'study',
    strategy: method,
    note: 'kept runs',
    place: at,
    at: writtenAt,
    page: null,
    journal: null,
  }
}

/** Pages of this package that were written alone (`--report`) say what they are in their title. */
async function readPageRow(
  whole: string,
  _size: number,
  { file, writtenAt }: Found,
): Promise<SavedResult | null> {
  const handle = await open(whole).catch(() => null)
  if (handle === null) return null
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), length: HEAD_BYTES })
    const head = buffer.toString('utf8', 0, bytesRead)
    const [, kicker, title] = /<p class="kicker">([^<]{1,80})<\/p>\s*<h1>([^<]{1,400})<\/h1>/.exec(head) ?? []
    if (kicker === undefined || title === undefined) return null
    const what = { strategy: plain(title), note: plain(kicker) }
    return { ...NOTHING, ...what, kind: 'page', place: file, at: writtenAt, page: file, journal: null }
  } finally {
    await handle.close()
  }
}

async function readJournalRow(
  whole: string,
  _size: number,
  { file, writtenAt }: Found,
): Promise<SavedResult | null> {
  // Anybody may have written it: one that lacks what a journal has is none.
  const row = await journalRow(whole, file).catch(() => null)
  if (row === null) return null
  const { begin, to, note, goOn } = row
  return {
    ...NOTHING,
    ...{ kind: 'live', strategy: begin.strategy, markets: begin.assets, from: begin.at, to, note },
    ...{ place: file, at: writtenAt, page: null, journal: { goOn } },
  }
}

const NOTHING: ReadResult = {
  ...{ kind: 'damaged', strategy: '', markets: [], from: null, to: null, outcome: null },
  ...{ totalReturn: null, maxDrawdown: null, note: '', command: null, isComparable: false },
}

function damaged(note: string): ReadResult {
  return { ...NOTHING, note }
}

async function jsonIn(file: string): Promise<{ readonly value: object } | { readonly fault: string }> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return typeof value === 'object' && value !== null ? { value } : { fault: 'it is no result' }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? notJson(error) : (error as Error).message }
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string)
}
