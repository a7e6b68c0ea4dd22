// Mistakes in live runs, in what their journals say, and in the comparison with a backtest.

import type { Mutant } from './mutant.ts'

const COMPARE = 'unit/backtest/compare/compareLive.test.ts'

/** One edit of a file below `src/backtest`, which the comparison of a live run has to notice. */
function compared(breaks: string, file: string, find: string, replace: string): Mutant {
  return { breaks, file: `src/backtest/${file}`, edits: [[find, replace]], tests: [COMPARE] }
}

export const LIVE_MUTANTS: readonly Mutant[] = [
  compared(
    'the backtest of a journal is told a bar at the next price',
    'replay/replay.ts',
    'this.#waitUntil(bar.closeTime + 1)',
    'this.#waitUntil(bar.closeTime + 10_001)',
  ),
  compared(
    'the backtest of a journal begins with the balance of the phase',
    'replay/replayedVenue.ts',
    'balance: account.accountBalance,',
    'balance: account.initialAccountBalance - 5_000_000_000_000n,',
  ),
  compared(
    'funding of the backtest of a journal comes at the rate of another hour',
    'replay/journalSurvey.ts',
    'market?.rates.push({ at: entry.at, rate: event.fundingRate })',
    'market?.rates.push({ at: entry.at, rate: 2n * event.fundingRate })',
  ),
  compared(
    'a further run of a journal goes on with the strategy of the one before',
    'replay/replay.ts',
    'if (this.#runs > 1) this.#strategy.begin()',
    'if (this.#runs > 9) this.#strategy.begin()',
  ),
  compared(
    'a run that flattened at its end stays open in its backtest',
    'replay/replay.ts',
    'if (flattens) this.#participant.context.closeAll()',
    '',
  ),
  compared(
    'what a fill cost more goes to the live run as a gain',
    'compare/fillDifference.ts',
    'fees: backtest.fee - live.fee,',
    'fees: live.fee - backtest.fee,',
  ),
  compared(
    'what a price did before a late order is called slippage',
    'compare/fillDifference.ts',
    'market.priceAt(live.at) - market.priceAt(backtest.at)',
    'market.priceAt(live.at) - market.priceAt(live.at)',
  ),
  compared(
    'orders that were asked for at different prices are the same',
    'compare/pairedFills.ts',
    "fill.part ?? '', step].join",
    "fill.part ?? ''].join",
  ),
  {
    breaks: 'a refused order is paired with the next one',
    file: 'src/backtest/compare/pairedFills.ts',
    edits: [
      ['other.side !== one.side || this.#logs.isRefused(entry)', 'other.side !== one.side'],
      ['left(other).filter((fill) => !this.#logs.isRefused(fill))', 'left(other)'],
    ],
    tests: [COMPARE],
  },
  compared(
    'a missing fill is counted as one the live run had',
    'compare/fillDifference.ts',
    'missing: -resultOf(backtest, market.lastPrice)',
    'missing: resultOf(backtest, market.lastPrice)',
  ),
  compared(
    'positions from before a journal count nowhere',
    'compare/compareLive.ts',
    'for (const fill of fills) sum += resultOf(fill, lastPrice)',
    '',
  ),
  compared(
    'a lost connection lasts for ever in the comparison',
    'compare/befallen.ts',
    'this.#lost.to = entry.at',
    '',
  ),
  {
    breaks: 'a strategy whose imported file has changed is what ran',
    file: 'src/backtest/replay/journalStrategy.ts',
    edits: [['else if (there.sha256 !== sha256)', 'else if (there.path !== path)']],
    tests: ['unit/backtest/compare/journalStrategy.test.ts'],
  },
  {
    breaks: 'a strategy of a portfolio has won before the fee of its exit',
    file: 'src/backtest/portfolio/partLedger.ts',
    edits: [['this.#earn(shared, part, pnl - fee, at)', 'this.#earn(shared, part, pnl, at)']],
    tests: ['unit/backtest/portfolio/partLedger.test.ts', 'unit/backtest/portfolio/portfolio.test.ts'],
  },
  {
    breaks: 'the fee of an exit is divided among all that have a share',
    file: 'src/backtest/portfolio/partLedger.ts',
    edits: [['divided(event.fee, weights)', 'divided(event.fee, shared.sizes)']],
    tests: ['unit/backtest/portfolio/partLedger.test.ts'],
  },
  {
    breaks: 'an equity at the floor of the total loss has broken it',
    file: 'src/backtest/live/liveAccount.ts',
    edits: [['equity < totalLossFloor\n', 'equity <= totalLossFloor\n']],
    tests: ['unit/backtest/live/journal.test.ts'],
  },
  {
    breaks: 'a run that was to flatten leaves its positions when the strategy fails',
    file: 'src/backtest/live/liveRun.ts',
    edits: [["onExit !== 'flatten' || this.#hasFlattened", "onExit === 'flatten' || this.#hasFlattened"]],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'what flattening did after a failure is not in the journal',
    file: 'src/backtest/live/liveRun.ts',
    edits: [['        await told.hearAfterEnd(heard).catch(() => {})\n', '        await null\n']],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'a strategy that has ended is told what still waits, and acts on it after everything was closed',
    file: 'src/backtest/live/liveRun.ts',
    edits: [
      [
        'heard = queue.take()) await told.hearAfterEnd(heard)',
        'heard = queue.take()) await told.hear(heard, assets)',
      ],
    ],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'a journal has the times of two clocks',
    file: 'src/backtest/live/liveReadings.ts',
    edits: [['    this.#time.told(writtenInstant(message.at) ?? Number.NaN)\n', '']],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'an answer that was lost is told as if the venue had refused',
    file: 'src/backtest/live/liveActions.ts',
    edits: [["answered('unknown', null)", "answered('refused', null)"]],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'two live runs write one journal when one knows it by a link',
    file: 'src/backtest/live/journalLock.ts',
    edits: [['    return realpathSync(file)\n', '    return path.resolve(file)\n']],
    tests: ['unit/backtest/live/journalLock.test.ts'],
  },
  {
    breaks: 'intervals without a price are not counted when their bar ended by the clock',
    file: 'src/backtest/live/gatheredBars.ts',
    edits: [['return ended === undefined ? 0 : (openTime - ended) / this.#intervalMs', 'return 0']],
    tests: ['unit/backtest/live/gatheredBars.test.ts'],
  },
  {
    breaks: 'a live strategy is told of a bar that is not over when the run begins',
    file: 'src/backtest/live/toldPast.ts',
    edits: [["feed.kind === 'bars' ? to - (feed.intervalMs ?? 0) + 1 : to", 'to']],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'a live strategy trades on what it is told of the past',
    file: 'src/backtest/live/liveContext.ts',
    edits: [['    if (this.#warmUp.isOn) return IDLE\n    const placed', '    const placed']],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'a live strategy goes on from data that ended long ago',
    file: 'src/backtest/live/liveWarmUp.ts',
    edits: [['    if (gap > most)\n', '    if (gap > spanMs)\n']],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'the bar that had begun when a live run does is two',
    file: 'src/backtest/live/liveTold.ts',
    edits: [['      if (bar !== null) this.#bars', '      if (bar !== null && market < 0) this.#bars']],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'a comparison begins cold what was warmed up',
    file: 'src/backtest/replay/replay.ts',
    edits: [
      [
        'if (warmUp === undefined || past === undefined) return this.#audience.start()',
        'if (warmUp === undefined || past === undefined || this.#runs > 0) return this.#audience.start()',
      ],
    ],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'the hash of what was told hangs on how it was read',
    file: 'src/backtest/live/toldPast.ts',
    edits: [["columns.get(name) ?? createHash('sha256')", "createHash('sha256')"]],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'the journal does not say what a fit foretold that another has replaced',
    file: 'src/backtest/learned/fitRecord.ts',
    edits: [['    this.#onSettled(this.#told)\n', '']],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'nobody hears what is learned by a strategy that is told late',
    file: 'src/backtest/strategy/delayed.ts',
    edits: [['      if (isAdopting(context)) context.adopt(learned)\n', '']],
    tests: ['unit/backtest/live/warmUp.test.ts'],
  },
  {
    breaks: 'a comparison trades in a market that was paused',
    file: 'src/backtest/replay/replay.ts',
    edits: [["    this.#queue.ask({ type: 'setMarketStatus', marketId: market.id, status })\n", '']],
    tests: ['unit/cli/live.test.ts'],
  },
  {
    breaks: 'a market that is opened again stays paused for whoever reads of the run',
    file: 'src/backtest/live/marketStatuses.ts',
    edits: [["this.#statuses.get(market.id) ?? 'open'", "'open'"]],
    tests: ['unit/cli/live.test.ts'],
  },
  {
    breaks: 'nobody is told why the venue ended a stream that goes on',
    file: 'src/client/venueStream.ts',
    edits: [['            this.#passing = message.data.reason\n', '']],
    tests: ['unit/client/copy.test.ts'],
  },
  {
    breaks: 'a run whose key is gone ends with a code and no sentence',
    file: 'src/backtest/live/liveRun.ts',
    edits: [['    const thrown = inWords(caught)\n', '    const thrown = caught\n']],
    tests: ['unit/cli/live.test.ts'],
  },
]
