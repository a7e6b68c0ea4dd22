/** The options of the form, as they are typed, with what each takes and for which kinds. */
import { KINDS, type RunKind } from './formKinds.ts'

export type OptionGroup = 'prices' | 'account' | 'choice' | 'learned' | 'paths'

export interface FormOption {
  readonly label: string
  readonly group: OptionGroup
  readonly kinds: readonly RunKind[]
  /** What holds where nothing is typed. */
  readonly usual?: string
  /** All there is to choose from; of a switch it is `on`. */
  readonly choices?: readonly string[]
  /** What a value means, where its name does not say it. */
  readonly hint?: string
  /** It is a path in the folder: of what is there, or of what may be made. */
  readonly path?: 'there' | 'new'
}

const ALL = KINDS
/** What plays prices that are over. */
const PLAYED = KINDS.filter((kind) => kind !== 'live')
const TRIED = ['sweep', 'walk-forward'] as const
const RANKED = [...TRIED, 'search'] as const
const SIMULATED = PLAYED.filter((kind) => kind !== 'evaluate')
const LEARNING = ['backtest', 'live'] as const
const LIVE = ['live'] as const

/** The options of the form, as they are typed. */
const OPTIONS = {
  asset: {
    label: 'Market',
    group: 'prices',
    kinds: ALL,
    usual: 'BTC',
    hint: 'BTC or BTC,ETH, where there is no data',
  },
  days: { label: 'Days', group: 'prices', kinds: SIMULATED, usual: '30', hint: 'how long to simulate' },
  simulate: {
    label: 'Model',
    group: 'prices',
    kinds: PLAYED,
    usual: 'jumps',
    hint: 'how prices are simulated',
  },
  from: {
    label: 'From',
    group: 'prices',
    kinds: PLAYED,
    usual: 'begin of the data',
    hint: '2025-05-04, UTC',
  },
  to: { label: 'To', group: 'prices', kinds: PLAYED, usual: 'end of the data', hint: 'not included' },
  'warm-up': {
    label: 'Warm-up',
    group: 'prices',
    kinds: ALL,
    usual: 'none',
    hint: '30d or 12h before From, or before now',
  },
  'warm-up-gap': {
    label: 'Gap to now',
    group: 'prices',
    kinds: LIVE,
    usual: '60 bars',
    hint: '6h: what may be missing between the data and now',
  },
  interval: { label: 'Bars, seconds', group: 'prices', kinds: LIVE, usual: '60' },
  'fee-rate': {
    label: 'Fee',
    group: 'prices',
    kinds: PLAYED,
    usual: 'of the venue',
    hint: 'per fill: 0.08%',
  },
  spread: { label: 'Spread', group: 'prices', kinds: PLAYED, usual: 'of the venue', hint: 'per side: 0.03%' },
  seed: {
    label: 'Seed',
    group: 'prices',
    kinds: PLAYED,
    usual: 'demo',
    hint: 'the same seed, the same bytes',
  },
  balance: { label: 'Balance', group: 'account', kinds: PLAYED, usual: '10000' },
  'daily-loss': {
    label: 'Daily loss limit',
    group: 'account',
    kinds: PLAYED,
    usual: '5%',
    hint: '100% is off',
  },
  'total-loss': {
    label: 'Total loss limit',
    group: 'account',
    kinds: PLAYED,
    usual: '10%',
    hint: '100% is off',
  },
  drawdown: {
    label: 'Total loss from',
    group: 'account',
    kinds: PLAYED,
    usual: 'static',
    choices: ['static', 'trailing_eod'],
  },
  target: { label: 'Profit target', group: 'account', kinds: PLAYED, usual: '5%' },
  'profitable-days': { label: 'Profitable days', group: 'account', kinds: PLAYED, usual: '3' },
  'after-verdict': {
    label: 'After the verdict',
    group: 'account',
    kinds: SIMULATED.filter((kind) => kind !== 'look-ahead' && kind !== 'entries'),
    usual: 'stop',
    choices: ['stop', 'go-on'],
  },
  'rank-by': {
    label: 'Best is',
    group: 'choice',
    kinds: RANKED,
    usual: 'evaluation',
    choices: [
      ...['evaluation', 'totalReturn', 'maxDrawdown', 'sharpeRatio', 'sortinoRatio', 'calmarRatio'],
      ...['profitFactor', 'winRate'],
    ],
  },
  method: {
    label: 'Method',
    group: 'choice',
    kinds: ['search'],
    usual: 'sobol',
    choices: ['sobol', 'tpe', 'gp', 'cma-es', 'halving', 'latin-hypercube', 'random'],
  },
  sets: { label: 'Sets', group: 'choice', kinds: ['search'], usual: '128' },
  hold: {
    label: 'Held for, bars',
    group: 'choice',
    kinds: ['entries'],
    usual: 'as the strategy',
    hint: '60,240: a test each',
  },
  draws: { label: 'Draws', group: 'choice', kinds: ['entries'], usual: '199' },
  cuts: { label: 'Cuts of the data', group: 'choice', kinds: ['look-ahead'], usual: '10' },
  change: {
    label: 'Changes',
    group: 'choice',
    kinds: ['what-if'],
    usual: 'none',
    hint: 'spread=x2,fee-rate=0 or profit-cap=off',
  },
  stress: {
    label: 'What every strategy should survive',
    group: 'choice',
    kinds: ['what-if'],
    choices: ['on'],
    hint: 'twice the spread, twice the fees, slippage, a delay: a run each',
  },
  sample: { label: 'Sets by chance', group: 'choice', kinds: TRIED, usual: 'all sets' },
  plateau: {
    label: 'Rank by the mean with neighbours',
    group: 'choice',
    kinds: TRIED,
    choices: ['on'],
    hint: 'a lonely peak does not win',
  },
  folds: { label: 'Folds', group: 'choice', kinds: ['walk-forward'], usual: '6' },
  train: { label: 'Training, in tests', group: 'choice', kinds: ['walk-forward'], usual: '3' },
  embargo: { label: 'Embargo, days', group: 'choice', kinds: ['walk-forward'], usual: '0' },
  'least-trades': { label: 'Least trades', group: 'choice', kinds: ['walk-forward'], usual: 'any' },
  anchored: {
    label: 'Trainings begin with the data',
    group: 'choice',
    kinds: ['walk-forward'],
    choices: ['on'],
  },
  live: { label: 'Venue', group: 'choice', kinds: LIVE },
  'key-file': {
    label: 'Key file',
    group: 'choice',
    kinds: LIVE,
    path: 'there',
    hint: 'a file of the folder that holds the key of the venue, and nothing else',
  },
  'on-exit': {
    label: 'At its end',
    group: 'choice',
    kinds: LIVE,
    usual: 'keep',
    choices: ['keep', 'flatten'],
  },
  'order-within': {
    label: 'Market orders within, seconds',
    group: 'choice',
    kinds: LIVE,
    usual: '10',
    hint: 'one without an answer is not sent again after it',
  },
  'journal-size': { label: 'Journal file, MiB', group: 'choice', kinds: LIVE, usual: '64' },
  'journal-files': { label: 'Journal files kept', group: 'choice', kinds: LIVE, usual: 'all' },
  models: {
    label: 'Models from',
    group: 'learned',
    kinds: LEARNING,
    usual: 'none',
    path: 'there',
    hint: 'a folder of kept models',
  },
  'keep-models': {
    label: 'Keep models in',
    group: 'learned',
    kinds: LEARNING,
    usual: 'not kept',
    path: 'new',
    hint: 'a folder for what the strategy learns',
  },
  paths: { label: 'Paths', group: 'paths', kinds: ['evaluate'], usual: '2000' },
  horizon: { label: 'Days of a path', group: 'paths', kinds: ['evaluate'], usual: '30' },
  block: {
    label: 'Block',
    group: 'paths',
    kinds: ['evaluate'],
    usual: '240',
    hint: 'bars on average, or auto',
  },
  blocks: {
    label: 'Blocks follow',
    group: 'paths',
    kinds: ['evaluate'],
    usual: 'any',
    choices: ['any', 'regimes'],
  },
  fee: { label: 'Fee of an attempt', group: 'paths', kinds: ['evaluate'], usual: 'of the rules' },
  attempts: { label: 'Attempts', group: 'paths', kinds: ['evaluate'], usual: '3', hint: 'with a fee' },
  payout: {
    label: 'Payout of a pass',
    group: 'paths',
    kinds: ['evaluate'],
    usual: 'of the rules',
    hint: 'with a fee',
  },
} as const satisfies Readonly<Record<string, FormOption>>

export type OptionName = keyof typeof OPTIONS

/** The options by name; the table with its values widened to what they may say. */
export const FORM_OPTIONS: Readonly<Record<OptionName, FormOption>> = OPTIONS
export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[]

/** One that is there or not. */
export function isSwitch({ choices }: FormOption): boolean {
  return choices?.length === 1
}
