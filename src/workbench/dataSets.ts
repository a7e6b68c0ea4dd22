/** The prices and funding rates that a folder holds: files, and folders of files of one kind. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { readFunding } from '../backtest/feed/funding.ts'
import { openFeed } from '../backtest/feed/openFeed.ts'
import { type FolderFiles, inFolder } from './folderFiles.ts'

export interface DataSet {
  /** A file or a folder, from the one that is listed on. */
  readonly place: string
  readonly kind: 'bars' | 'ticks' | 'funding'
  /** ms; null of what is no bars. */
  readonly intervalMs: number | null
  readonly files: number
}

const DATA = /\.(?:csv|parquet|feather|arrow|zip)$|\.(?:csv|json|jsonl|ndjson)\.gz$/i
const FUNDING = /funding|rates?\b/i
const MOST = 400
/** Tables of this package's own, beside the result they are of. */
const RESULTS = ['result.json', 'study.json']

/** Looks at what a file begins with once, until it changes. */
export class DataSets {
  readonly #known = new Map<string, { readonly stamp: string; readonly set: DataSet | null }>()
  readonly #home: string

  constructor(home: string) {
    this.#home = home
  }

  async list({ folders }: FolderFiles): Promise<DataSet[]> {
    const sets: DataSet[] = []
    let looked = 0
    for (const [at, names] of folders) {
      if (RESULTS.some((result) => names.includes(result))) continue
      const files = names.filter((name) => DATA.test(name))
      const whole = at !== '' && files.length > 1 && files.length === names.length
      const places = whole ? [at] : files.map((name) => inFolder(at, name))
      for (const place of places) {
        if (looked++ >= MOST) return sets
        const set = await this.#set(place, whole ? files : null)
        if (set !== null) sets.push(set)
      }
    }
    return sets
  }

  async #set(place: string, files: readonly string[] | null): Promise<DataSet | null> {
    const parts = files === null ? [place] : files.map((name) => inFolder(place, name))
    const stats = await Promise.all(parts.map((part) => stat(path.join(this.#home, part)).catch(() => null)))
    const stamp = stats.map((found) => `${found?.mtimeMs} ${found?.size}`).join(' ')
    const known = this.#known.get(place)
    if (known?.stamp === stamp) return known.set
    const found = await read(path.join(this.#home, place))
    const set = found === null ? null : { place, ...found, files: parts.length }
    this.#known.set(place, { stamp, set })
    return set
  }
}

/** Null for what holds neither. */
async function read(place: string): Promise<Pick<DataSet, 'kind' | 'intervalMs'> | null> {
  const looksLikeRates = FUNDING.test(path.basename(place))
  const first = looksLikeRates ? await rates(place) : await prices(place)
  return first ?? (looksLikeRates ? prices(place) : null)
}

async function prices(place: string): Promise<Pick<DataSet, 'kind' | 'intervalMs'> | null> {
  try {
    const feed = await openFeed({ path: place })
    return { kind: feed.kind, intervalMs: feed.kind === 'bars' ? feed.intervalMs : null }
  } catch {
    return null
  }
}

async function rates(place: string): Promise<Pick<DataSet, 'kind' | 'intervalMs'> | null> {
  try {
    await readFunding({ path: place })
    return { kind: 'funding', intervalMs: null }
  } catch {
    return null
  }
}
