/** `margin-core evaluate` of a strategy: its odds, by rules and by what is varied. */
import { type StrategyOdds, strategyOdds } from '../backtest/evaluate/evaluate.ts'
import type { RuleSet } from '../backtest/evaluate/rules.ts'
import { plural } from '../backtest/output/presentation.ts'
import { datedPlan } from '../backtest/plan/dataPeriod.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { planFacts } from '../backtest/report/planFacts.ts'
import type { StrategyParameters } from '../backtest/strategies/parameterValue.ts'
import { combinations, type ParameterGrid, parseValues } from '../backtest/sweep/grid.ts'
import type { EvaluateOptions } from './evaluateOptions.ts'
import { comparedLines, oddsLines } from './oddsText.ts'
import { namedValue } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { mustVaryOnce } from './variedValues.ts'
import { workPlaces } from './workOptions.ts'
import { writeOdds } from './writeOdds.ts'

export async function evaluateStrategy(
  options: EvaluateOptions,
  plan: RunPlan,
  rules: readonly RuleSet[],
): Promise<void> {
  const { paths, horizon, block, blocks, attempts, payout } = options
  const progress = new CountedProgress('evaluate', 'paths', options.json === true)
  let found: StrategyOdds
  try {
    found = await strategyOdds({
      plan,
      paths,
      days: horizon,
      ...(block === undefined ? {} : { meanBlock: block }),
      ...(blocks === undefined ? {} : { blocks }),
      seed: plan.seed ?? 'evaluate',
      rules,
      sets: combinations(varied(options)),
      terms: { attempts, ...(payout === undefined ? {} : { payout }) },
      ...workPlaces(options),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  const dated = () => datedPlan(plan)
  await writeOdds(options, {
    page: async () => ({
      title: plan.strategy,
      facts: [
        ['Paths', `${found.paths} of ${found.days} ${plural(found.days, 'day')}`],
        ['Seed', found.seed],
        ...planFacts(
          await dated(),
          found.odds.map(({ parameters }) => parameters),
        ),
      ],
      variedName: variedNames(found),
      cases: found.odds.map((own) => ({ ...own, varied: setText(own.parameters) })),
      notes: found.notes,
    }),
    cases: found.odds.map(({ parameters, ...own }) => ({ ...parameters, ...own })),
    json: async () => ({ plan: await dated(), ...found }),
  })
  const text = options.json ? JSON.stringify(asJson(found), null, 2) : foundLines(found, attempts).join('\n')
  process.stdout.write(`${text}\n`)
}

function varied(options: EvaluateOptions): ParameterGrid {
  mustVaryOnce(options.vary, '--vary', options)
  return Object.fromEntries(
    options.vary.map((item) => {
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
    : `, blocks of ${meanBlock} ${plural(meanBlock, 'bar')} on average${blocks === 'regimes' ? ' by regime' : ''}`
  const head = `${paths} ${plural(paths, 'path')} of ${days} ${plural(days, 'day')}, seed ${seed}${drawn}`
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
