/** margin-core/backtest: feeds, strategies and runs over the real engine. Needs Node. */

export { NoRegularFile } from '../files/regularFile.ts'
export { CostLedger, type Costs } from './accounting/costs.ts'
export type { AccountCurve } from './accounting/curve.ts'
export type { Trade } from './accounting/tradeLog.ts'
export {
  type AgainstMarket,
  type AgainstMarkets,
  againstMarkets,
  type RollingLink,
  type StressPeriod,
} from './beside/againstMarkets.ts'
export { type Benchmark, type Beside, besideOf } from './beside/beside.ts'
export type { ChanceTest } from './entries/chanceTest.ts'
export { entryLines } from './entries/entryLines.ts'
export {
  type EntrySignificance,
  type EntrySignificanceOptions,
  type EntryTest,
  entrySignificance,
} from './entries/entrySignificance.ts'
export {
  type CaseOdds,
  type DrawnPaths,
  type Evaluation,
  type EvaluationOptions,
  evaluate,
  type PathOptions,
  type StrategyOdds,
  type StrategyOddsOptions,
  strategyOdds,
} from './evaluate/evaluate.ts'
export type { Failures, FundedOdds, Odds, PhaseOdds } from './evaluate/odds.ts'
export type { BlockKind } from './evaluate/pathMarkets.ts'
export type { PayoutRule } from './evaluate/payout.ts'
export {
  type Mean,
  meanOf,
  type Proportion,
  proportion,
  type Quantile,
  quantile,
} from './evaluate/proportion.ts'
export { type RuleSet, readRuleSet } from './evaluate/rules.ts'
export { REPORT_FILE, RESULT_FILE, saveRun } from './export/saveRun.ts'
export type { BarColumns, TickColumns } from './feed/columns.ts'
export { type BarFeed, barFeedOf, type Feed, type TickFeed } from './feed/feed.ts'
export { FeedError } from './feed/feedError.ts'
export { type FundingRates, readFunding } from './feed/funding.ts'
export { type FeedOptions, openFeed } from './feed/openFeed.ts'
export { type BarPath, writeBarPath } from './feed/path.ts'
export type { PriceSteps } from './feed/priceSteps.ts'
export {
  CANDLE_PATTERN_NAMES,
  type CandlePatternName,
  candlePattern,
} from './indicators/candles/candlePattern.ts'
export type { CandlePrices } from './indicators/candles/shape.ts'
export { indicators } from './indicators/indicators.ts'
export { type BoostedStumpsOptions, boostedStumps } from './learned/boostedStumps.ts'
export { type BoostedTreesOptions, boostedTrees } from './learned/boostedTrees.ts'
export { type CalibratedOptions, calibrated } from './learned/calibrated.ts'
export type { LearnedFit } from './learned/fitRecord.ts'
export { inThread } from './learned/inThread.ts'
export {
  type Keepable,
  type KeepableBesideParts,
  type KeepableFit,
  type KeepableFitBeside,
  type KeepableParts,
  keepable,
  keepableBeside,
  type Plain,
} from './learned/keepable.ts'
export {
  type KeptBar,
  type KeptFit,
  type KeptModel,
  KeptModelError,
  type ModelTerms,
} from './learned/keptModel.ts'
export type { Learned } from './learned/learned.ts'
export type { LearnedResult, LearnedScore } from './learned/learnedResult.ts'
export type { Fit, FitBeside, FitInput, LearnedRow, Learning, Model } from './learned/learning.ts'
export { LearningFailure } from './learned/learningFailure.ts'
export { logistic } from './learned/logistic.ts'
export { MODELS_FILE, readModels, saveModels } from './learned/modelFolder.ts'
export { ModelShelf, type ShelfOptions } from './learned/modelShelf.ts'
export { naiveBayes } from './learned/naiveBayes.ts'
export { nearestNeighbours } from './learned/nearestNeighbours.ts'
export type { FitOfRows } from './learned/pendingFit.ts'
export { type PerceptronOptions, perceptron } from './learned/perceptron.ts'
export {
  type KeepableStep,
  type KeepableStepParts,
  keepableStep,
  pipeline,
  principalComponents,
  type Step,
  type Stepped,
  standardise,
  withoutOutliers,
} from './learned/pipeline.ts'
export { type Forest, type RandomForestOptions, randomForest } from './learned/randomForest.ts'
export { ridge } from './learned/ridge.ts'
export { correlation, type Score, sameSide, skill } from './learned/scores.ts'
export type { JournalEntry } from './live/journal.ts'
export { LiveContext } from './live/liveContext.ts'
export { LiveError } from './live/liveError.ts'
export { type LiveOptions, runLive } from './live/liveRun.ts'
export { streamOf } from './live/streamOf.ts'
export {
  type LookAhead,
  type LookAheadOptions,
  type LookAheadRun,
  lookAhead,
  type PartedDecision,
} from './lookAhead/lookAhead.ts'
export { toNumber, toPrice } from './numbers/toNumber.ts'
export { ObjectiveError } from './objective/loadObjective.ts'
export type { JudgedDay, JudgedRun, JudgedTrade, Objective } from './objective/objective.ts'
export { type AttemptOdds, type AttemptTerms, attemptOdds } from './odds/attempts.ts'
export type { OwnTrade, TradedAt } from './odds/ownTrade.ts'
export { readTradeList } from './odds/tradeList.ts'
export {
  type PricedTrades,
  type RuledOdds,
  type TradeOdds,
  type TradeOddsOptions,
  tradeOdds,
} from './odds/tradeOdds.ts'
export type { PricedAsset, WithoutPath } from './odds/tradePath.ts'
export { resultJson } from './output/json.ts'
export {
  type SummaryColours,
  type SummaryOptions,
  summary,
  summaryLines,
  verdictText,
} from './output/summary.ts'
export type { DataPeriod } from './plan/dataPeriod.ts'
export type { InputFile } from './plan/inputFiles.ts'
export { inMemory } from './plan/memory.ts'
export { optionsOf, type PlannedMarket, type PreparedPlan, preparePlan } from './plan/options.ts'
export { type NamedPeriod, readPeriods } from './plan/periods.ts'
export type * from './plan/plan.ts'
export { type Provenance, provenanceOf } from './plan/provenance.ts'
export { PlanError, readPlan } from './plan/readPlan.ts'
export type { PartLedger, PartResult, PortfolioResult } from './portfolio/partLedger.ts'
export { type PortfolioPart, portfolio } from './portfolio/portfolio.ts'
export type { AmbiguousBar } from './recording/ambiguousBars.ts'
export type { Candles } from './recording/candles.ts'
export type { Fill, FillAction } from './recording/fills.ts'
export type { Floors } from './recording/floors.ts'
export type { Level, LevelKind } from './recording/levels.ts'
export type { MarketPrices } from './recording/marketPrices.ts'
export type { RecordedMarket, RecordedRun, RunRecorder } from './recording/recorder.ts'
export { Recording } from './recording/recording.ts'
export { type EntryReport, renderEntryReport } from './report/entryReport.ts'
export { type OddsCase, type OddsReport, renderOdds } from './report/oddsReport.ts'
export { renderReport } from './report/render.ts'
export { type ReportData, reportData } from './report/reportData.ts'
export { readSavedReport } from './report/savedReport.ts'
export { SavedReportError } from './report/savedReportError.ts'
export { renderSweepReport, type SweepReport } from './report/sweepReport.ts'
export { type ChosenBy, renderWalkForward } from './report/walkForwardReport.ts'
export { type Divergence, type PathComparison, runBothPaths } from './run/bothPaths.ts'
export type { AtDataEnd } from './run/dataEnds.ts'
export {
  type ExploredRun,
  exploreOrders,
  type OrderBounds,
  type TurnedBar,
} from './run/orderBounds.ts'
export type { AccountResult } from './run/participant.ts'
export {
  type AfterVerdict,
  type BacktestAccount,
  type BacktestMarket,
  type BacktestOptions,
  type BacktestResult,
  type BacktestTrader,
  runBacktest,
} from './run/run.ts'
export { StrategyFailure } from './run/strategyFailure.ts'
export type { Verdict } from './run/verdict.ts'
export { runSearch, type SearchOptions, type SearchResult } from './search/search.ts'
export { SEARCH_METHODS, type SearchMethod } from './search/searchMethod.ts'
export { SOBOL_AXES, sobolPoints } from './search/sobol.ts'
export { type Dimension, parseDimension } from './search/space.ts'
export { StudyError } from './search/study.ts'
export { type BlockBootstrap, bootstrapFeed } from './simulated/blockBootstrap.ts'
export { type DemoOptions, demoFeed, demoFeeds } from './simulated/demoFeed.ts'
export {
  type GeometricBrownianMotion,
  geometricBrownianMotion,
} from './simulated/geometricBrownianMotion.ts'
export { type JumpDiffusion, jumpDiffusion } from './simulated/jumpDiffusion.ts'
export { PRICE_MODELS, priceModelOf } from './simulated/marketModel.ts'
export { type MeanReversion, meanReversion as meanRevertingPrices } from './simulated/meanReversion.ts'
export type { PriceModel, PriceStep } from './simulated/priceModel.ts'
export { type Regime, regimeSwitching } from './simulated/regimeSwitching.ts'
export { type Regimes, volatilityRegimes } from './simulated/regimes.ts'
export {
  type CorrelatedMarkets,
  type SimulatedMarket,
  type SimulatedTime,
  simulatedFeed,
  simulateMarkets,
} from './simulated/simulatedBars.ts'
export { stationaryBlockLength } from './statistics/blockLength.ts'
export { type Interval, type RunConfidence, runConfidence } from './statistics/confidence.ts'
export { type LinkOptions, type MarketLink, marketLink } from './statistics/marketLink.ts'
export { deepestFalls, largestRises, type Move } from './statistics/moves.ts'
export { probabilityOfOverfitting } from './statistics/overfitting.ts'
export {
  averageCorrelation,
  bestSharpeByLuck,
  deflatedSharpeRatio,
  type SelectedSharpe,
} from './statistics/selection.ts'
export { type BreakoutParameters, breakout } from './strategies/breakout.ts'
export { createStrategy, STRATEGY_NAMES, type StrategyKind } from './strategies/catalogue.ts'
export { type Constraint, parseConstraint } from './strategies/constraint.ts'
export { type EmaCrossParameters, emaCross } from './strategies/emaCross.ts'
export { type FundingCarryParameters, fundingCarry } from './strategies/fundingCarry.ts'
export { type LearnedDirectionParameters, learnedDirection } from './strategies/learnedDirection.ts'
export { loadStrategy, StrategyError, type StrategyFactory } from './strategies/load.ts'
export { type MeanReversionParameters, meanReversion } from './strategies/meanReversion.ts'
export type { DeclaredParameter, DeclaredParameters } from './strategies/parameters.ts'
export type { ParameterValue, StrategyParameters } from './strategies/parameterValue.ts'
export type {
  Calculation,
  Candle,
  Charted,
  Comparable,
  Indicator,
  IndicatorInput,
  IndicatorLine,
  IndicatorOptions,
} from './strategy/indicator.ts'
export { LongerBars } from './strategy/longerBars.ts'
export { overLast } from './strategy/overLast.ts'
export type * from './strategy/strategy.ts'
export type { StrategyEvent, ToldOrderEvent, ToldPositionEvent } from './strategy/strategyEvent.ts'
export { type DividedConstraints, dividedConstraints } from './sweep/constraint.ts'
export { evidenceLines, evidenceOf, type SelectionEvidence, selectionEvidence } from './sweep/evidence.ts'
export { combinations, type ParameterGrid, parseValues } from './sweep/grid.ts'
export { type HeatMap, heatMap } from './sweep/heatMap.ts'
export { type OrderedRow, type OrderOptions, orderedRows } from './sweep/order.ts'
export { dominates, paretoFronts } from './sweep/pareto.ts'
export { plateaus } from './sweep/plateau.ts'
export { type RankedFigure, type Ranking, ranked } from './sweep/ranking.ts'
export { ResultFileError } from './sweep/resultFile.ts'
export { runSweep, type SweepOptions, type SweepResult } from './sweep/sweep.ts'
export type { SweepPaths } from './sweep/variant.ts'
export type { SweepRow, VariantFigures } from './sweep/variantFigures.ts'
export { type Fold, type FoldOptions, foldsOf } from './walkForward/folds.ts'
export type { ParameterStability } from './walkForward/stability.ts'
export type { OutOfSample, StitchedDay, WalkedFold } from './walkForward/stitched.ts'
export {
  type WalkForward,
  type WalkForwardOptions,
  walkForward,
} from './walkForward/walkForward.ts'
export { CHANGE_NAMES, changedPlan, type MarketSteps } from './whatIf/changes.ts'
export {
  type SoldAccounts,
  type SoldAccountsOptions,
  type SoldPopulation,
  soldAccounts,
  type Trader,
  type TraderSold,
} from './whatIf/population.ts'
export { readPopulation } from './whatIf/readPopulation.ts'
export {
  type ChangedRun,
  type FirstDifference,
  type WhatIf,
  type WhatIfOptions,
  whatIf,
} from './whatIf/whatIf.ts'
export type { WorkOptions } from './workers/taskPool.ts'
