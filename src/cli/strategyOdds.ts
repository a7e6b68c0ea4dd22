/** `margin-core evaluate` of a strategy: its odds, by rules and by what is varied. */
import { type StrategyOdds, strategyOdds } from '../backtest/evaluate/evaluate.ts'
import { datedPlan } from '../backtest/plan/dataPeriod.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { planFacts } from '../backtest/report/planFacts.ts'
import type { StrategyParameters } from '../backtest/strategies/parameterValue.ts'
import { combinations, type ParameterGrid, parseValues } from '../backtest/sweep/grid.ts'
import type { EvaluateOptions } from './evaluateOptions.ts'
import { UsageError } from './failure.ts'
import { comparedLines, oddsLines, ruleSetsOf } from './oddsText.ts'
import { namedValue } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { workPlaces } from './workOptions.ts'
import { writeCases } from './writeCases.ts'
import { writeOddsReport } from './writeOddsReport.ts'

export async function evaluateStrategy(options: EvaluateOptions, plan: RunPlan): Promise<void> {
  const { paths, horizon, block, blocks, fee, attempts, payout } = options
  const { risk, tradedBalance, tradesZone } = options
  if (risk.length !== 1 || risk[0] !== 1 || (tradedBalance ?? tradesZone) !== undefined)
    throw new UsageError(
      '--risk, --traded-balance and --trades-zone are for --trades; a strategy takes --vary risk=0.5%,1%,2% or --vary leverage=1,5,10',
    )
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  let found: StrategyOdds
  try {
    const rules = await ruleSetsOf(options.rules, plan.account ?? {})
    found = await strategyOdds({
      plan,
      paths,
      days: horizon,
      ...(block === undefined ? {} : { meanBlock: block }),
      ...(blocks === undefined ? {} : { blocks }),
      seed: plan.seed ?? 'evaluate',
      rules: rules.map((set) => (fee === undefined ? set : { ...set, fee })),
      sets: combinations(varied(options.vary)),
      terms: { attempts, ...(payout === undefined ? {} : { payout }) },
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  if (options.report !== undefined)
    await writeOddsReport(options.report, {
      title: plan.strategy,
      facts: [
        ['Paths', `${found.paths} of ${found.days} days`],
        ['Seed', found.seed],
        ...planFacts(await datedPlan(plan)),
      ],
      variedName: variedNames(found),
      cases: found.odds.map((own) => ({ ...own, varied: setText(own.parameters) })),
      notes: found.notes,
    })
  if (options.csv !== undefined)
    await writeCases(
      options.csv,
      found.odds.map(({ parameters, ...own }) => ({ ...parameters, ...own })),
    )
  const text = options.json ? JSON.stringify(asJson(found), null, 2) : foundLines(found, attempts).join('\n')
  process.stdout.write(`${text}\n`)
}

function varied(items: readonly string[]): ParameterGrid {
  return Object.fromEntries(
    items.map((item) => {
      const [name, values] = namedValue(item, '--vary')
      return [name, parseValues(values)]
    }),
  )
}

/** One case is told without a list. */
function asJson({ odds, ...drawn }: StrategyOdds): object {
  return odds.length === 1 ? { ...drawn, ...odds[0] } : { ...drawn, odds }
}

function foundLines(found: StrategyOdds, attempts: number): string[] {
  const { paths, days, seed, meanBlock, blocks, odds } = found
  const drawn = found.notes.some((note) => note.endsWith('simulated prices (no data given)'))
    ? ''
    : `, blocks of ${meanBlock} bars on average${blocks === 'regimes' ? ' by regime' : ''}`
  const head = `${paths} paths of ${days} days, seed ${seed}${drawn}`
  const notes = found.notes.map((note) => `note: ${note}`)
  const [only] = odds
  const body =
    only !== undefined && odds.length === 1
      ? oddsLines(only, only.attempts, attempts)
      : comparedLines(
          odds.map((own) => ({ ...own, varied: setText(own.parameters) })),
          variedNames(found),
          attempts,
        )
  return [head, '', ...body, '', ...notes]
}

function variedNames({ odds }: StrategyOdds): string {
  return Object.keys(odds[0]?.parameters ?? {}).join(', ')
}

function setText(parameters: StrategyParameters): string {
  return Object.values(parameters).join(', ')
}
