/** What the page shows of a folder. */
import path from 'node:path'
import { VERSION } from '../version.ts'
import { type DataSet, DataSets } from './dataSets.ts'
import type { Doorkeeper } from './doorkeeper.ts'
import { filesIn } from './folderFiles.ts'
import { type RunFile, runFilesIn } from './runFiles.ts'
import { type SavedResult, SavedResults } from './savedResults.ts'
import { strategiesIn } from './strategies.ts'

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
}

export class Folder {
  readonly #home: string
  readonly #doorkeeper: Doorkeeper
  readonly #results: SavedResults
  readonly #data: DataSets

  constructor(home: string, doorkeeper: Doorkeeper) {
    this.#home = home
    this.#doorkeeper = doorkeeper
    this.#results = new SavedResults(home)
    this.#data = new DataSets(home)
  }

  async contents(): Promise<Contents> {
    const home = this.#home
    const files = await filesIn(home)
    const [results, strategies, data, { runs, rules }] = await Promise.all([
      this.#results.list(files),
      strategiesIn(home, files),
      this.#data.list(files),
      runFilesIn(home, files),
    ])
    return {
      ...{ name: path.basename(home), home, version: VERSION, isCut: files.isCut },
      results: results.map(({ page, ...row }) => ({
        ...row,
        url: page === null ? null : this.#addressOf(page),
      })),
      ...{ strategies, data, runFiles: runs, rules },
    }
  }

  #addressOf(page: string): string {
    const way = page.split('/').map(encodeURIComponent).join('/')
    return `/pages/${this.#doorkeeper.ticket('page', page)}/${way}`
  }
}
