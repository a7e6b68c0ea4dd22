/** Every option of the commands of research, and what each goes with. */
import type { RuleSet } from '../backtest/evaluate/rules.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { isBootstrapped } from '../backtest/simulated/modelText.ts'
import { needsPaths, type Ranking } from '../backtest/sweep/ranking.ts'
import type { Partners, PartnerTable, Planned } from './partnerRule.ts'

type Table = PartnerTable[string]

/** The same for several options: without more they always mean something. */
function each(options: string, partners: Partners = {}): Table {
  return Object.fromEntries(options.split(' ').map((option) => [option, partners]))
}

/** What the options of one table ask for and what those of the other do as well. */
function both(one: Table, other: Table): Table {
  const merged = Object.entries(other).map(([option, partners]) => {
    const own = one[option] ?? {}
    const without = { ...own.without, ...partners.without }
    return [option, { ...own, ...partners, ...(Object.keys(without).length === 0 ? {} : { without }) }]
  })
  return { ...one, ...Object.fromEntries(merged) }
}

const hasData = ({ markets }: RunPlan) => markets.some(({ data }) => data !== undefined)

/** What to run, wherever it is run. */
const PLAN: Table = {
  ...each('--config --data --funding --strategy --part --param --leverage --margin --fast --slow'),
  ...each('--balance --fee-rate --spread --daily-loss --total-loss --target --profitable-days'),
  ...each('--from --to --after-verdict --seed'),
  '--asset': { on: assetFault },
  '--funding-rate': {
    on: ({ plan }) =>
      plan.markets.every(({ funding }) => funding !== undefined)
        ? '--funding-rate is the rate without a file, and every market has a file of rates'
        : null,
  },
  '--drawdown': {
    on: ({ plan }) =>
      isWhole(plan.account?.maxTotalLoss)
        ? '--drawdown says what the total loss is measured from, and that limit is off'
        : null,
  },
  '--warm-up': {
    on: ({ plan }) => (plan.from === undefined ? '--warm-up is the data before --from: say from when' : null),
  },
  '--path': {
    on: ({ kinds }) =>
      kinds?.every((kind) => kind === 'ticks') === true
        ? '--path is the order of prices inside a bar, and the data is ticks, which have their own'
        : null,
  },
  '--tick-bars': {
    on: ({ kinds }) =>
      kinds?.every((kind) => kind === 'bars') === true
        ? '--tick-bars is the length of bars that ticks are told in, and the data is bars'
        : null,
  },
  '--at-data-end': {
    on: ({ plan }) =>
      plan.markets.length < 2
        ? '--at-data-end is for a market whose data ends before that of others, and the run has one market'
        : null,
  },
  '--on-bad-row': {
    on: ({ plan }) => (hasData(plan) ? null : '--on-bad-row is for rows of --data, and there is none'),
  },
  '--simulate': {
    on: ({ plan }) =>
      plan.markets.every((market) => market.data !== undefined && !isBootstrapped(market))
        ? '--simulate is the model of prices without data, and every market has data; of data there is --simulate bootstrapped'
        : null,
  },
  '--correlation': {
    on: ({ plan }) => {
      if (plan.markets.some(isBootstrapped))
        return '--correlation is that of simulated markets, and bootstrapped ones move together as their data did'
      return plan.markets.filter(({ data }) => data === undefined).length < 2
        ? '--correlation is that of simulated markets; give two or more: --asset BTC,ETH'
        : null
    },
  },
  '--days': {
    on: ({ plan }) =>
      plan.markets.every((market) => market.data !== undefined && !isBootstrapped(market))
        ? '--days is how long simulated prices are, and every market has data; --from and --to take a part of it'
        : null,
  },
}

/** It names what has no name of its own: the one file of data or of rates, or markets to simulate. */
function assetFault({ plan, options }: Planned): string | null {
  const hasUnnamed = [...options.data, ...options.funding].some((item) => !/^[A-Za-z0-9]{1,20}=./.test(item))
  if (hasUnnamed || (options.data.length === 0 && !hasData(plan))) return null
  return '--asset names data without a name or markets to simulate, and every market has its name'
}

function isWhole(share: unknown): boolean {
  return share === '100%' || Number(share) === 1
}

const WORK = each('--workers --postgres')

const VENUE = {
  prices: { '--live': 'the prices are the venue’s' },
  account: { '--live': 'account and rules are the venue’s' },
  time: { '--live': 'a live run goes on from now, until it is interrupted' },
  results: { '--live': 'its results are in its --journal, of which `margin-core report` makes these' },
}

const BACKTEST: Table = {
  ...both(PLAN, {
    ...each('--funding --simulate --correlation --days --tick-bars --path --seed', {
      without: VENUE.prices,
    }),
    ...each('--data --on-bad-row', {
      value: ({ live, warmUp }) =>
        live !== undefined && warmUp === undefined
          ? '--data beside --live is what the strategy is told before it trades: say with --warm-up how much of it'
          : null,
    }),
    ...each('--funding-rate --fee-rate --spread --balance --daily-loss --total-loss --drawdown --target', {
      without: VENUE.account,
    }),
    ...each('--profitable-days', { without: VENUE.account }),
    ...each('--from --to --after-verdict --at-data-end', { without: VENUE.time }),
  }),
  ...each('--json --report --out --periods', { without: VENUE.results }),
  ...each('--live --models --keep-models'),
  ...each('--key --interval --journal --order-within --on-exit', { with: ['--live'] }),
  '--key-file': { with: ['--live'], without: { '--key': 'one run trades with one key' } },
  '--warm-up-gap': {
    with: ['--warm-up'],
    value: ({ live }) =>
      live === undefined
        ? '--warm-up-gap goes with --live: the warm-up of a backtest ends where it begins'
        : null,
  },
  ...each('--journal-size --journal-files', { with: ['--journal'] }),
}

/** How many rows are printed, where all of them are. */
const PRINTED: Partners = { without: { '--json': 'it prints all of them' } }

const SWEEP: Table = {
  ...PLAN,
  ...WORK,
  ...each('--objective --vary --sample --results --where --paths --report --csv --out --json'),
  '--rank-by': {
    value: ({ rankBy, paths }) => {
      const ofPaths = needsPaths(rankBy as readonly Ranking[])
      return ofPaths === undefined || paths !== undefined ? null : `--rank-by ${ofPaths} needs --paths`
    },
  },
  '--plateau': {
    value: ({ rankBy }) =>
      (rankBy as readonly Ranking[]).length > 1 ? '--plateau takes one figure to rank by' : null,
  },
  '--horizon': { with: ['--paths'] },
  '--heat-map': { with: ['--report', '--out', '--json'] },
  '--top': PRINTED,
}

const SEARCH: Table = {
  ...PLAN,
  ...WORK,
  ...each('--objective --space --method --sets --rank-by --where --study --report --csv --out --json'),
  '--top': PRINTED,
}

const WALK_FORWARD: Table = {
  ...PLAN,
  // Each fold is warmed up on what lies before it.
  '--warm-up': {},
  ...WORK,
  ...each('--vary --sample --test-days --train-days --least-bars --least-trades --anchored --embargo'),
  ...each(
    '--objective --rank-by --plateau --where --study --report --csv --monthly --fold-table --out --json',
  ),
  '--folds': { without: { '--test-days': 'there are as many tests as lengths of them' } },
  '--train': { without: { '--train-days': 'that is the length of a training already' } },
}

const LOOK_AHEAD: Table = {
  ...PLAN,
  ...each('--cuts --csv --out --json'),
  '--after-verdict': { on: () => '--after-verdict means nothing here: runs go on to the end of the data' },
}

const ENTRIES: Table = {
  ...PLAN,
  ...WORK,
  ...each('--hold --draws --report --csv --json --out'),
  '--after-verdict': { on: () => '--after-verdict means nothing here: runs go on to the end of the data' },
}

/** What does not reach accounts that are played on many paths. */
const ON_PATHS: Table = {
  '--from': { on: ({ plan }) => periodFault(plan, '--from') },
  '--to': { on: ({ plan }) => periodFault(plan, '--to') },
  '--warm-up': { on: () => '--warm-up means nothing here: paths have no past' },
  '--simulate': {
    on: (planned) =>
      planned.plan.markets.some(isBootstrapped)
        ? '--simulate bootstrapped means nothing here: paths are drawn in blocks from --data, as --block and --blocks say'
        : (PLAN['--simulate']?.on?.(planned) ?? null),
  },
  '--days': { on: () => '--days means nothing here: a path is as long as --horizon says' },
  '--after-verdict': {
    on: () => '--after-verdict means nothing here: an account on a path ends with its verdict',
  },
  '--at-data-end': { on: () => '--at-data-end means nothing here: the markets of a path end together' },
  '--tick-bars': { on: () => '--tick-bars means nothing here: paths are drawn from bars' },
  '--funding': {
    on: ({ plan }) =>
      hasData(plan)
        ? null
        : '--funding means nothing here: simulated paths have no dates to look rates up by',
  },
  '--block': { on: (planned) => blocksFault(planned, '--block') },
  '--blocks': { on: (planned) => blocksFault(planned, '--blocks') },
  '--balance': { on: (planned) => (isTraded(planned) ? null : ruledFault(planned, '--balance', 'balance')) },
  '--daily-loss': { on: (planned) => ruledFault(planned, '--daily-loss', 'maxDailyLoss') },
  '--total-loss': { on: (planned) => ruledFault(planned, '--total-loss', 'maxTotalLoss') },
  '--drawdown': {
    on: (planned) =>
      ruledFault(planned, '--drawdown', 'drawdownMode') ??
      (planned.rules.length > 0 ? null : (PLAN['--drawdown']?.on?.(planned) ?? null)),
  },
  '--target': { on: (planned) => ruledFault(planned, '--target', 'profitTarget') },
  '--profitable-days': { on: (planned) => ruledFault(planned, '--profitable-days', 'minProfitableDays') },
}

function blocksFault({ plan, has }: Planned, option: string): string | null {
  return hasData(plan) || has('--trades')
    ? null
    : `${option} is how paths are drawn from --data, and simulated markets are not drawn in blocks`
}

/** What the traded account had is asked of the balance. */
const isTraded = ({ has }: Planned) => has('--trades') && !has('--traded-balance')

function periodFault(plan: RunPlan, option: string): string | null {
  return hasData(plan) ? null : `${option} takes a part of --data, and there is none`
}

/** What a file of rules says comes before the options. */
function ruledFault({ rules }: Planned, option: string, field: string): string | null {
  const isSaid = ({ account, phases = [] }: RuleSet) =>
    Object.hasOwn(account, field) || (phases.length > 0 && phases.every((own) => Object.hasOwn(own, field)))
  return rules.length > 0 && rules.every(isSaid)
    ? `${option} means nothing here: every file of --rules says ${field}`
    : null
}

/** Attempts are counted where each costs something. */
function feeFault({ has, rules }: Planned, option: string): string | null {
  return has('--fee') || rules.some(({ fee }) => fee !== undefined)
    ? null
    : `${option} goes with a fee, of --fee or of a file of --rules`
}

const TRADES = {
  strategy: { '--trades': 'the trades are those of the table, and no strategy is run' },
  costs: { '--trades': 'the costs of a trade are those of the table' },
  path: { '--trades': 'no strategy is run on a path: days are drawn with their trades' },
}
const OF_DAYS = { '--trades': 'days of trades are drawn in blocks found from them' }

const EVALUATE: Table = {
  ...both(both(PLAN, ON_PATHS), {
    ...each('--strategy --part --param --margin --fast --slow --simulate --correlation', {
      without: TRADES.strategy,
    }),
    ...each('--funding --funding-rate --fee-rate --spread', { without: TRADES.costs }),
    '--path': { without: TRADES.path },
    '--asset': {
      on: (planned) =>
        planned.has('--trades') && !hasData(planned.plan)
          ? '--asset goes with --data beside --trades: without prices nothing is asked of a market'
          : assetFault(planned),
    },
    '--leverage': {
      on: ({ plan, has }) =>
        has('--trades') && !hasData(plan)
          ? '--leverage goes with --data beside --trades: without prices a trade is played by its result alone'
          : null,
    },
  }),
  ...WORK,
  ...each('--paths --horizon --trades --rules --fee --report --csv --out --json'),
  '--block': {
    ...ON_PATHS['--block'],
    value: ({ trades, block }) =>
      trades !== undefined && block === 'auto'
        ? '--block auto means nothing beside --trades: their blocks are found where none is given'
        : null,
  },
  '--blocks': { ...ON_PATHS['--blocks'], without: OF_DAYS },
  '--vary': { without: { '--trades': 'no strategy is run; --risk makes trades larger' } },
  ...each('--trades-zone --traded-balance --risk', {
    with: ['--trades'],
    instead: 'a strategy takes --vary risk=0.5%,1%,2% or --vary leverage=1,5,10',
  }),
  '--attempts': { on: (planned) => feeFault(planned, '--attempts') },
  '--payout': { on: (planned) => feeFault(planned, '--payout') },
}

const TRADERS = { '--population': 'each kind of traders has its strategy in that file' }

const WHAT_IF: Table = {
  ...PLAN,
  ...Object.fromEntries(
    Object.entries(ON_PATHS).map(([option, { on }]) => [option, { on: ofPopulation(option, on) }]),
  ),
  ...each('--strategy --part --param --leverage --margin --fast --slow', { without: TRADERS }),
  ...each('--population --change --csv --json'),
  '--stress': { without: { '--population': 'name what changes with --change' } },
  '--out': { without: { '--population': 'what a population brings is written with --csv' } },
  ...each('--paths --horizon --workers --postgres --rules', { with: ['--population'] }),
  '--block': { ...ON_PATHS['--block'], with: ['--population'] },
  '--blocks': { ...ON_PATHS['--blocks'], with: ['--population'] },
}

/** A run under changed rules is one run; a population is played on paths. */
function ofPopulation(option: string, on: Partners['on']): NonNullable<Partners['on']> {
  return (planned) => (planned.has('--population') ? on : PLAN[option]?.on)?.(planned) ?? null
}

export const PARTNERS: PartnerTable = {
  backtest: BACKTEST,
  sweep: SWEEP,
  search: SEARCH,
  'walk-forward': WALK_FORWARD,
  'look-ahead': LOOK_AHEAD,
  entries: ENTRIES,
  evaluate: EVALUATE,
  'what-if': WHAT_IF,
  worker: each('--postgres --name --workers'),
  workbench: each('--port --host --open --at-once --live --describe'),
  compare: {
    ...each('--with-backtest --json --report --out'),
    '--csv': { with: ['--with-backtest'], instead: '--out FOLDER has the tables of saved runs' },
    '--trades': PRINTED,
  },
  report: {
    ...each('--rerun'),
    '--periods': { without: { '--rerun': 'the run is made again with those that it had' } },
    '--out': { without: { '--rerun': 'nothing is written, it is compared' } },
  },
  'data list': {},
  'data fetch': {
    ...each('--exchange --symbol --from --to --out'),
    '--interval': {
      without: {
        '--funding': 'rates stand at the instants of the exchange',
        '--trades': 'trades stand at their own instants',
      },
    },
    '--funding': { without: { '--trades': 'each is a kind of file; fetch one after the other' } },
    '--trades': {
      value: ({ trades, exchange }) =>
        trades === true && !String(exchange).startsWith('ccxt:')
          ? `--trades is of ccxt:NAME: what the archive ${exchange} has, \`margin-core data list\` says`
          : null,
    },
    '--base': {
      value: ({ base, exchange }) =>
        base !== undefined && String(exchange).startsWith('ccxt:')
          ? `--base is a mirror of an archive, and ${exchange} is asked by its package`
          : null,
    },
  },
  'data check': each('--funding --json'),
  'data convert': each('--out --interval --from --to --on-bad-row'),
  'data cache': each('--clear'),
}
