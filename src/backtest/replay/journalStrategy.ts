/** The strategy of a journal, made as its run made it, and what about it is not as it was. */

import { VERSION } from '../../version.ts'
import type { Feed } from '../feed/feed.ts'
import { FeedError } from '../feed/feedError.ts'
import { KeptModelError } from '../learned/keptModel.ts'
import { readModels } from '../learned/modelFolder.ts'
import { ModelShelf } from '../learned/modelShelf.ts'
import type { JournalBegin } from '../live/journal.ts'
import { JournalError } from '../live/journalText.ts'
import { pastOf, surveyedPast } from '../live/toldPast.ts'
import { openData } from '../plan/dataCache.ts'
import { inputFilesOf } from '../plan/inputFiles.ts'
import { optionsOf } from '../plan/options.ts'
import { plannedKind } from '../portfolio/plannedKind.ts'
import { StrategyError } from '../strategies/load.ts'
import type { Strategy } from '../strategy/strategy.ts'

/** What a journal is compared with. */
export interface ReplayedStrategy {
  /** Makes it once more, for a run of the journal. */
  readonly create: () => Strategy
  /** In what it differs from what ran, a sentence each. */
  readonly notes: readonly string[]
  /** What the strategy of a run was told before it traded, by market; without it none is. */
  readonly past?: (begin: JournalBegin) => Promise<readonly Feed[]>
  /** The kept models that a run started from; without it none. */
  readonly models?: (begin: JournalBegin) => Promise<ModelShelf | null>
}

/**
 * `runs` are how the journal says its runs began, in their order.
 *
 * @throws JournalError where the journal does not say how it was made, or its strategy cannot be had.
 */
export async function journalStrategy(runs: readonly JournalBegin[]): Promise<ReplayedStrategy> {
  const plan = runs[0]?.plan ?? null
  if (plan === null)
    throw new JournalError(
      'the journal does not say how the run was made, so its strategy cannot be run again',
    )
  const { others: _, ...own } = plan
  try {
    const kinds = new Map([[plan.strategy, await plannedKind(plan)]])
    const create = () => optionsOf(own, { markets: [], kinds }).strategy
    const notes = [...(await changes(runs)), ...renamed(runs, create()), ...(await otherPasts(runs))]
    return { create, notes, past: pastBefore, models: modelsOf }
  } catch (error) {
    if (!(error instanceof StrategyError || error instanceof FeedError || error instanceof KeptModelError))
      throw error
    throw new JournalError(`${error.message}; the run read it as seen from the folder it was started in`, {
      cause: error,
    })
  }
}

/** The files of a live run: its strategy's, and what they import. */
export function strategyFilesOf(plan: JournalBegin['plan']): ReturnType<typeof inputFilesOf> {
  return plan === null ? Promise.resolve([]) : inputFilesOf({ ...plan, markets: [] })
}

/** @throws KeptModelError for models that are not as they were kept. */
async function modelsOf({ plan }: JournalBegin): Promise<ModelShelf | null> {
  return plan?.models === undefined ? null : new ModelShelf({ from: await readModels(plan.models) })
}

/** The data of a run's warm-up, as far as it was told. @throws FeedError for data that cannot be read. */
async function pastBefore({ plan, warmUp }: JournalBegin): Promise<readonly Feed[]> {
  if (plan === null || warmUp === undefined) return []
  const { from, to } = warmUp
  const opened = plan.markets.map(({ data }) =>
    openData({ path: data ?? [], onBadRow: plan.onBadRow ?? 'fail' }),
  )
  return pastOf(await Promise.all(opened), from, to)
}

async function otherPasts(runs: readonly JournalBegin[]): Promise<string[]> {
  const notes = new Set<string>()
  for (const begin of runs) {
    const { assets, warmUp } = begin
    if (warmUp === undefined) continue
    const now = await surveyedPast(assets, await pastBefore(begin), warmUp.from, warmUp.to)
    if (now.sha256 !== warmUp.sha256)
      notes.add('the data that the strategy was warmed up on is not what the run was told')
  }
  return [...notes]
}

async function changes(runs: readonly JournalBegin[]): Promise<string[]> {
  const now = await strategyFilesOf(runs[0]?.plan ?? null)
  const notes = new Set<string>()
  for (const { software, files, plan } of runs) {
    if (software !== `margin-core ${VERSION}`)
      notes.add(`the run was made by ${software}, the backtest by margin-core ${VERSION}`)
    if (JSON.stringify(plan) !== JSON.stringify(runs[0]?.plan))
      notes.add('a later run of the journal had another plan; the backtest is of the first')
    if (files === undefined) {
      if (now.length > 0)
        notes.add('the journal does not say which files the strategy was: they may have changed')
      continue
    }
    for (const { path, sha256 } of files) {
      const there = now.find((file) => file.path === path)
      if (there === undefined) notes.add(`${path}: the run read this file, and the backtest does not`)
      else if (there.sha256 !== sha256)
        notes.add(
          `${path}: the strategy is not what ran: its SHA-256 was ${sha256.slice(0, 12)}… and is ${there.sha256.slice(0, 12)}…`,
        )
    }
    for (const { path } of now)
      if (!files.some((file) => file.path === path))
        notes.add(`${path}: the backtest reads this file, and the run did not`)
  }
  return [...notes]
}

function renamed(runs: readonly JournalBegin[], { name }: Strategy): string[] {
  const other = runs.find(({ strategy }) => strategy !== name)
  return other === undefined ? [] : [`the run was of ${other.strategy}; the same plan makes ${name} now`]
}
