/** What is started from the page: the commands of research, and a live run. */

/** The commands that are started from the page, in the order of its choice. */
const FORMS = {
  backtest: {
    label: 'Backtest',
    sentence: 'One run over the prices, under the rules of the account.',
    ending: '',
  },
  sweep: {
    label: 'Sweep',
    sentence: 'A run for each set of parameters, ranked, with what the choice is worth.',
    tries: '--vary',
    choice: 'What is best',
  },
  search: {
    label: 'Search',
    sentence:
      'As many sets as are asked for of a space too large to sweep, the later ones where the earlier were good.',
    tries: '--space',
    choice: 'How it looks, and what is best',
  },
  'walk-forward': {
    label: 'Walk-forward',
    sentence: 'Parameters chosen on one part of the time and tried on the next, again and again.',
    tries: '--vary',
    choice: 'Folds, and what is best',
  },
  evaluate: {
    label: 'Odds',
    sentence: 'How likely the account is passed, over many paths drawn from the prices.',
    tries: '--vary',
    ending: 'odds',
  },
  entries: {
    label: 'Entries',
    sentence: 'Whether its entries do better than the same ones at other times, and with other sides.',
    choice: 'What chance decides',
  },
  'look-ahead': {
    label: 'Look-ahead',
    sentence:
      'Whether it decides by what it was told alone; where it does not, the run says that something was found, and its page where.',
    choice: 'How it is looked at',
  },
  'what-if': {
    label: 'What if',
    sentence: 'The same run under changed rules and costs, beside the run as it is.',
    choice: 'What is changed',
  },
  live: {
    label: 'Live',
    sentence:
      'The strategy trades on a venue, with the account that its key is of, from the start until it is stopped.',
    choice: 'Venue and end',
    command: 'backtest',
    savedBy: '--journal',
  },
} as const satisfies Readonly<Record<string, FormKind>>

export type RunKind = keyof typeof FORMS

/** A command that is started from the page. */
interface FormKind {
  readonly label: string
  /** What it does. */
  readonly sentence: string
  /** The option by which its parameters are tried at several values, where they are. */
  readonly tries?: '--vary' | '--space'
  /** The title over the options of its own, where it has some. */
  readonly choice?: string
  /** What names of its results end with, where that is not its own. */
  readonly ending?: string
  /** What is typed, where that is not its own name. */
  readonly command?: 'backtest'
  /** The option that says where it is saved, where that is no folder (`--out`). */
  readonly savedBy?: '--journal'
}

export const FORM_KINDS: Readonly<Record<RunKind, FormKind>> = FORMS
export const KINDS = Object.keys(FORMS) as readonly RunKind[]

/** Kinds whose parameters are tried at several values. */
export function variesIn(kind: RunKind): boolean {
  return FORM_KINDS[kind].tries !== undefined
}
