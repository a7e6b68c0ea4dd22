/** What the page shows of a folder. */
import path from 'node:path'
import { VERSION } from '../version.ts'
import type { LiveAllowance } from './askedLive.ts'
import { type DataSet, DataSets } from './dataSets.ts'
import type { Doorkeeper } from './doorkeeper.ts'
import { filesIn } from './folderFiles.ts'
import { type RunFile, runFilesIn } from './runFiles.ts'
import { type SavedResult, SavedResults } from './savedResults.ts'
import { strategiesIn } from './strategies.ts'
import { keyFilesIn } from './venueKeys.ts'

/** A row with the address of its page. */
export type ListedResult = Omit<SavedResult, 'page'> & { readonly url: string | null }

export interface Contents {
  /** The name of the folder, and where it is. */
  readonly name: string
  readonly home: string
  readonly version: string
  /** Whether there are more folders than are looked at. */
  readonly isCut: boolean
  readonly results: readonly ListedResult[]
  readonly strategies: readonly string[]
  readonly data: readonly DataSet[]
  readonly runFiles: readonly RunFile[]
  readonly rules: readonly string[]
  /** Where it may be traded, and by which key. */
  readonly live: LiveAllowance & { readonly keyFiles: readonly string[] }
}

export class Folder {
  readonly #home: string
  readonly #doorkeeper: Doorkeeper
  readonly #live: LiveAllowance
  readonly #results: SavedResults
  readonly #data: DataSets

  constructor(home: string, doorkeeper: Doorkeeper, live: LiveAllowance) {
    this.#home = home
    this.#doorkeeper = doorkeeper
    this.#live = live
    this.#results = new SavedResults(home)
    this.#data = new DataSets(home)
  }

  async contents(): Promise<Contents> {
    const home = this.#home
    const files = await filesIn(home)
    const [results, strategies, data, { runs, rules }, keyFiles] = await Promise.all([
      this.#results.list(files),
      strategiesIn(home, files),
      this.#data.list(files),
      runFilesIn(home, files),
      keyFilesIn(home, files),
    ])
    return {
      ...{ name: path.basename(home), home, version: VERSION, isCut: files.isCut },
      results: results.map(({ page, ...row }) => ({
        ...row,
        url: page === null ? this.#journalAddress(row) : this.#addressOf('page', page),
      })),
      ...{ strategies, data, runFiles: runs, rules, live: { ...this.#live, keyFiles } },
    }
  }

  #journalAddress({ journal, place }: Omit<SavedResult, 'page'>): string | null {
    return journal === null ? null : this.#addressOf('journal', place)
  }

  #addressOf(what: 'page' | 'journal', place: string): string {
    const way = place.split('/').map(encodeURIComponent).join('/')
    return `/${what}s/${this.#doorkeeper.ticket(what, place)}/${way}`
  }
}
