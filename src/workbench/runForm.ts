/** What a form of the page says of a run: texts as they are typed, none where nothing is. */
import type { RunKind } from './formKinds.ts'
import type { OptionName } from './formOptions.ts'

/** A market and the files of its prices and rates; a file is a path in the folder. */
export interface FormMarket {
  readonly asset: string
  readonly data: string
  readonly funding: string
}

export interface RunForm {
  readonly kind: RunKind
  /** A run file of the folder that the rest changes. */
  readonly config: string
  /** A name of the package's, or a file of the folder. */
  readonly strategy: string
  readonly markets: readonly FormMarket[]
  /** Values of the strategy's parameters that are not its own, by name. */
  readonly parameters: Readonly<Record<string, string>>
  /** Values to try of each, by name: `10,20,50`, `10:60:10`. */
  readonly vary: Readonly<Record<string, string>>
  /** By the name of the option; of one that takes no value `on`. */
  readonly options: Readonly<Partial<Record<OptionName, string>>>
  /** Files of rules. */
  readonly rules: readonly string[]
  /** The folder that the results go to. */
  readonly out: string
}

export const EMPTY_FORM: RunForm = {
  ...{ kind: 'backtest', config: '', strategy: 'ema-cross', markets: [], parameters: {}, vary: {} },
  ...{ options: {}, rules: [], out: '' },
}
