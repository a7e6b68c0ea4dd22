/**
 * What an option goes with. An option that would do nothing beside the others is refused in a sentence: whoever typed it meant something by
 * it, and would take the result for one that heeds it.
 */
import type { Command } from 'commander'
import type { RuleSet } from '../backtest/evaluate/rules.ts'
import type { Feed } from '../backtest/feed/feed.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { allOf } from './failure.ts'
import type { Partners } from './partnerRule.ts'
import { PARTNERS } from './partnerTable.ts'
import { type PlanOptions, planOf } from './planOptions.ts'

/** What is wrong with these options together, whatever is planned. */
export function partnerFaults(
  partners: Readonly<Record<string, Partners>>,
  has: (option: string) => boolean,
  options: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(partners).flatMap(([option, rule]) => {
    if (!has(option)) return []
    const { with: needed = [], instead, without = {} } = rule
    const alone =
      needed.length > 0 && !needed.some(has)
        ? [`${option} goes with ${needed.join(' or ')}${instead === undefined ? '' : `; ${instead}`}`]
        : []
    const beside = Object.entries(without).flatMap(([other, why]) =>
      has(other) ? [`${option} means nothing beside ${other}: ${why}`] : [],
    )
    return [...alone, ...beside, rule.value?.(options) ?? null].filter((fault) => fault !== null)
  })
}

/** The options that were typed, as against those that have their default. */
export function typedOf(command: Command): (option: string) => boolean {
  return (option) => {
    const found = command.options.find(({ long }) => long === option)
    return found !== undefined && command.getOptionValueSource(found.attributeName()) === 'cli'
  }
}

/** As it is typed, without the name of the program: `data check`. */
export function commandPath(command: Command): string {
  const above = command.parent
  return above?.parent == null ? command.name() : `${commandPath(above)} ${command.name()}`
}

/** @throws UsageError for every option that means nothing for what is planned. */
export async function mustApply(
  command: Command,
  plan: RunPlan,
  rules: readonly RuleSet[] = [],
): Promise<void> {
  const has = typedOf(command)
  const kinds = ASK_FOR_KINDS.some(has) ? await kindsOf(plan) : null
  const planned = { plan, rules, kinds, has, options: command.opts<PlanOptions>() }
  const faults = Object.entries(PARTNERS[commandPath(command)] ?? {}).map(
    ([option, { on }]) => (has(option) && on?.(planned)) ?? false,
  )
  if (faults.some((fault) => fault !== false)) throw allOf(...faults)
}

/** The plan that options give. @throws UsageError for those that mean nothing for it; what {@link planOf} throws. */
export async function planFor(options: PlanOptions, command: Command): Promise<RunPlan> {
  const plan = await planOf(options)
  await mustApply(command, plan)
  return plan
}

/** Whether these mean something is known of the data only. */
const ASK_FOR_KINDS = ['--path', '--tick-bars']

async function kindsOf({ markets, onBadRow = 'fail' }: RunPlan): Promise<Feed['kind'][]> {
  const { openData } = await import('../backtest/plan/dataCache.ts')
  return Promise.all(
    markets.map(async ({ data }) =>
      data === undefined ? 'bars' : (await openData({ path: data, onBadRow })).kind,
    ),
  )
}
