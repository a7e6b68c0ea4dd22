/** `--keep-models FOLDER`: what a run has learned, kept for runs that go on from it. */
import type { KeptModel } from '../backtest/learned/keptModel.ts'
import { MODELS_FILE, saveModels } from '../backtest/learned/modelFolder.ts'
import { ModelShelf } from '../backtest/learned/modelShelf.ts'
import { mustTakeFolder } from './outputs.ts'

export class ModelKeeper {
  readonly #folder: string
  #models: ModelShelf | null = null
  #saving: Promise<void> = Promise.resolve()

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws UsageError for a folder that cannot be made or written to, and one with files of another kind. */
  static async in(folder: string): Promise<ModelKeeper> {
    await mustTakeFolder('--keep-models', folder, MODELS_FILE)
    return new ModelKeeper(folder)
  }

  /** For the run whose models are kept, which is the first; the models of others that are made beside it are not. */
  of(from: readonly KeptModel[] | null): { readonly models: ModelShelf } {
    const models = new ModelShelf({ ...(from === null ? {} : { from }), keeps: this.#models === null })
    this.#models ??= models
    return { models }
  }

  /** Keeps the models as they are now, one time after the other. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save())
    return this.#saving
  }

  async #save(): Promise<void> {
    const kept = this.#models?.kept ?? []
    if (kept.length === 0) {
      process.stderr.write('no models kept: the strategy has learned none\n')
      return
    }
    await saveModels(this.#folder, kept)
    process.stderr.write(`models: ${this.#folder}\n`)
  }
}
