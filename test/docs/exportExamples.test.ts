/** What the docstrings of exports show runs, and gives what they say. */
import { expect, test } from 'vitest'
import { todaysSurface } from '../api/pages.ts'
import type { Exported } from '../api/surface.ts'
import { blocksOf } from './examples.ts'
import { runExamplesOf } from './exportExamples.ts'

/** Those without an example: what is called inside of runs, searches, reports and laws more than by programs. Nothing is added. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'margin-core': ['checkDerived'],
  'margin-core/testing': [
    'Dice',
    'Model',
    'Reach',
    'SimpleTriggers',
    'commitsOf',
    'conformance',
    'conformanceText',
    'malformedEdits',
    'malformedOrder',
    'recordFeatures',
    'storeFeatures',
  ],
  'margin-core/store-lmdb': ['archiveLog', 'recordsToCompare', 'snapshotsIn'],
  'margin-core/store-postgres': ['openPostgresStore'],
  'margin-core/backtest': [
    'CostLedger',
    'LiveContext',
    'LongerBars',
    'Recording',
    'averageCorrelation',
    'barFeedOf',
    'besideOf',
    'bootstrapFeed',
    'changedPlan',
    'deflatedSharpeRatio',
    'dividedConstraints',
    'dominates',
    'evaluate',
    'evidenceLines',
    'evidenceOf',
    'exploreOrders',
    'heatMap',
    'inMemory',
    'meanRevertingPrices',
    'openFeed',
    'optionsOf',
    'orderedRows',
    'paretoFronts',
    'plateaus',
    'preparePlan',
    'probabilityOfOverfitting',
    'provenanceOf',
    'ranked',
    'readFunding',
    'readPlan',
    'readSavedReport',
    'readTradeList',
    'renderReport',
    'renderSweepReport',
    'reportData',
    'runConfidence',
    'runLive',
    'runSearch',
    'runSweep',
    'saveRun',
    'selectionEvidence',
    'simulateMarkets',
    'simulatedFeed',
    'sobolPoints',
    'tradeOdds',
    'walkForward',
    'whatIf',
    'writeBarPath',
  ],
  'margin-core/host': ['DueInstants', 'readInPortions', 'serveNode'],
}

const surface = todaysSurface().filter(({ entry }) => entry !== 'margin-core/internal')

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every example in a docstring runs and gives what it states',
  async (_, entry) => {
    const compared = await runExamplesOf(entry, surface)
    expect(compared.map(({ line, actual }) => `${line} // → ${actual}`)).toEqual(
      compared.map(({ line, expected }) => `${line} // → ${expected}`),
    )
  },
)

/** Functions and classes; an error is thrown to its reader, who meets it in the `@throws` of what throws it. */
const isCalled = ({ typeOnly, declared }: Exported): boolean =>
  !typeOnly && /^(function|class) /.test(declared.text) && !/^class \w+ extends \w*Error /.test(declared.text)

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every exported function and class has an example, but for those known',
  (entry, { exports }) => {
    const bare = exports.filter((one) => isCalled(one) && blocksOf(one.declared.doc ?? '').length === 0)
    expect(bare.map(({ name }) => name)).toEqual(WITHOUT[entry] ?? [])
  },
)
