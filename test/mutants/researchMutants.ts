// Mistakes in what the research commands draw, choose and compare.

import type { Mutant } from './mutant.ts'

export const RESEARCH_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a training reaches into its test',
    file: 'src/backtest/walkForward/folds.ts',
    edits: [['const trained = start - embargoDays', 'const trained = start + 1']],
    tests: ['unit/backtest/walkForward/walkForward.test.ts'],
  },
  {
    breaks: 'what a strategy kept from the run before is not noticed',
    file: 'src/backtest/lookAhead/lookAhead.ts',
    edits: [[' && was[same]?.asked === would[same]?.asked', '']],
    tests: ['unit/backtest/lookAhead/lookAhead.test.ts'],
  },
  {
    breaks: 'a draw that comes to as much as the entries does not count against them',
    file: 'src/backtest/entries/chanceTest.ts',
    edits: [['worth >= own', 'worth > own']],
    tests: ['unit/backtest/entries/pattern.test.ts'],
  },
  {
    breaks: 'the shape of what is drawn does not follow the path of its mean',
    file: 'src/backtest/search/cmaEs.ts',
    edits: [['one * rankOne + mu', '0 * rankOne + mu']],
    tests: ['unit/backtest/search/samplers.test.ts'],
  },
  {
    breaks: 'of two parents the worse has the child',
    file: 'src/backtest/search/nsgaII.ts',
    edits: [
      ['compareMembers(one, other) <= 0 ? one : other', 'compareMembers(one, other) <= 0 ? other : one'],
    ],
    tests: ['unit/backtest/search/samplers.test.ts'],
  },
  {
    breaks: 'an objective that comes to no finite number is ranked',
    file: 'src/backtest/objective/loadObjective.ts',
    edits: [["(typeof told === 'number' && Number.isFinite(told))", "typeof told === 'number'"]],
    tests: ['unit/backtest/objective/objective.test.ts'],
  },
  {
    breaks: 'entries that are not moved at all count as moved',
    file: 'src/backtest/entries/pattern.ts',
    edits: [['1 + random.below(ring - 1)', 'random.below(ring)']],
    tests: ['unit/backtest/entries/pattern.test.ts'],
  },
  {
    breaks: 'a fold without a choice takes the result of the next',
    file: 'src/backtest/walkForward/walkForward.ts',
    edits: [['best[fold] === null ? null : (tested', 'false ? null : (tested']],
    tests: ['unit/backtest/walkForward/walkForward.test.ts'],
  },
  {
    breaks: 'an archive that ends where its directory of 64 bits should be is a mistake of the program',
    file: 'src/backtest/feed/zipArchive.ts',
    edits: [['      if (locator < 0) throw damaged(path)\n', '']],
    tests: ['unit/backtest/feed/zipArchive.test.ts'],
  },
  {
    breaks: 'what is read at once of the results of a study ends a line',
    file: 'src/backtest/sweep/resultFile.ts',
    edits: [['const known = Buffer.concat([rest, bytes])', 'const known = bytes']],
    tests: ['unit/backtest/sweep/longResultFile.test.ts'],
  },
  {
    breaks: 'the deepest loss of a trade is not played',
    file: 'src/backtest/odds/lane.ts',
    edits: [['if (worst < Math.min(0, gain))', 'if (worst > 0)']],
    tests: ['unit/backtest/odds/odds.test.ts'],
  },
  {
    breaks: 'trades that are open at once share a market',
    file: 'src/backtest/odds/heldDays.ts',
    edits: [['freeFrom.findIndex((time) => time < opens)', 'freeFrom.findIndex((time) => time > 0)']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'a trade is held from a day into any of its days',
    file: 'src/backtest/odds/lane.ts',
    edits: [['held.day === before.day + 1', 'held.day !== before.day + 9']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'what one side of a market loses is seen before what the other gains',
    file: 'src/backtest/odds/heldDays.ts',
    edits: [['isGain ? time - 1 : time', 'time']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'a trade is played along prices that it was not made at',
    file: 'src/backtest/odds/tradePath.ts',
    edits: [['const NEAR = 0.002', 'const NEAR = 0.9']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'a trade begins before the prices and is played along them',
    file: 'src/backtest/odds/tradePath.ts',
    edits: [['isApart(this.opens, first)', 'isApart(this.closes, last)']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'the margin that trades were made with is not played',
    file: 'src/backtest/odds/heldDays.ts',
    edits: [['path === null || known === null', 'path !== null || known === null']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'fees that are written as paid are added to the profit',
    file: 'src/backtest/odds/tradeRows.ts',
    edits: [['? -1 : 1 }', '? 1 : 1 }']],
    tests: ['unit/backtest/odds/exports.test.ts'],
  },
  {
    breaks: 'a deposit is a trade',
    file: 'src/backtest/odds/tradeList.ts',
    edits: [['!row.some((cell) => NO_TRADE.test(cell)) && ', '']],
    tests: ['unit/backtest/odds/exports.test.ts'],
  },
  {
    breaks: 'a position that was sold first was bought first',
    file: 'src/backtest/odds/tradeRows.ts',
    edits: [["this.time(row, 'openedAt') > this.time(row, 'closedAt')", 'false']],
    tests: ['unit/backtest/odds/exports.test.ts'],
  },
  {
    breaks: 'a fill beyond a position opens nothing',
    file: 'src/backtest/odds/tradesOfFills.ts',
    edits: [['if (over > DUST)', 'if (over < -DUST)']],
    tests: ['unit/backtest/odds/exports.test.ts'],
  },
  {
    breaks: 'a lot is a coin',
    file: 'src/backtest/odds/tradeWorth.ts',
    edits: [['gross / move > 0) return gross / move', 'gross / move > 0) return size ?? null']],
    tests: ['unit/backtest/odds/tradePath.test.ts'],
  },
  {
    breaks: 'a block ends twice as often as asked for',
    file: 'src/backtest/odds/tradePaths.ts',
    edits: [['random.uniform() < 1 / meanBlock', 'random.uniform() < 2 / meanBlock']],
    tests: ['unit/backtest/odds/odds.test.ts'],
  },
  {
    breaks: 'fees are paid after an attempt has passed',
    file: 'src/backtest/odds/attempts.ts',
    edits: [['fees += unfunded * fee', 'fees += fee']],
    tests: ['unit/backtest/odds/odds.test.ts'],
  },
  {
    breaks: 'block lengths are found without the slope',
    file: 'src/backtest/statistics/blockLength.ts',
    edits: [['slope += weighted * lag', 'slope += weighted']],
    tests: ['unit/backtest/odds/odds.test.ts'],
  },
  {
    breaks: 'what a killed worker had is waited for, for ever',
    file: 'src/backtest/workers/queuedPool.ts',
    edits: [
      [
        '      await this.#doMissing(entries, results, () => this.#takeResults(id, results))\n',
        '      while (!results.complete) await this.#takeResults(id, results)\n',
      ],
    ],
    tests: ['postgres/worker.test.ts'],
  },
  {
    breaks: 'a worker with another strategy takes part',
    file: 'src/backtest/workers/taskQueue.ts',
    edits: [['own[at]?.use !== use || own[at]?.sha256 !== sha256', 'own[at]?.use !== use']],
    tests: ['postgres/worker.test.ts'],
  },
  {
    breaks: 'what is in the queue outlives its batch',
    file: 'src/backtest/workers/taskQueue.ts',
    edits: [['WHERE name = $1`, [name])', 'WHERE name <> $1`, [name])']],
    tests: ['postgres/worker.test.ts'],
  },
  {
    breaks: 'columns that were damaged are read as they are',
    file: 'src/backtest/feed/cache/columnFile.ts',
    edits: [["digest('hex') !== sha256) return null", "digest('hex') === '') return null"]],
    tests: ['unit/backtest/feed/cachedFeed.test.ts'],
  },
  {
    breaks: 'columns of a file that is another since are read',
    file: 'src/backtest/feed/cache/sourceState.ts',
    edits: [['return (await sha256Of(file)) === was.sha256', 'return true']],
    tests: ['unit/backtest/feed/cachedFeed.test.ts'],
  },
  {
    breaks: 'a summary read from columns tells of rows that are not given yet',
    file: 'src/backtest/feed/cache/columnFile.ts',
    edits: [['index.chunks[number]?.counts ?? index.end', 'index.end']],
    tests: ['unit/backtest/feed/cachedFeed.test.ts'],
  },
  {
    breaks: 'a block begins in any regime',
    file: 'src/backtest/simulated/blockRows.ts',
    edits: [['if (regimes === null) return', 'if (regimes !== null) return']],
    tests: ['unit/backtest/evaluate/drawnTogether.test.ts'],
  },
  {
    breaks: 'a regime knows the row it is told of',
    file: 'src/backtest/simulated/regimes.ts',
    edits: [
      [
        '((sums[row] as number) - (sums[first] as number))',
        '((sums[row + 1] as number) - (sums[first] as number))',
      ],
    ],
    tests: ['unit/backtest/evaluate/drawnTogether.test.ts'],
  },
  {
    breaks: 'each market draws blocks of its own',
    file: 'src/backtest/simulated/drawnMarkets.ts',
    edits: [
      ['markets.map(({ prices, ends, funding }) => ({', 'markets.map(({ prices, ends, funding }, own) => ({'],
      [
        '        ...{ meanBlock, seed, startTime,',
        '        ...{ meanBlock: meanBlock + own, seed, startTime,',
      ],
    ],
    tests: ['unit/backtest/evaluate/drawnTogether.test.ts'],
  },
  {
    breaks: 'bars that one market alone has are drawn',
    file: 'src/backtest/simulated/barSample.ts',
    edits: [['seen.get(time) === samples.length', '(seen.get(time) ?? 0) > 0']],
    tests: ['unit/backtest/evaluate/drawnTogether.test.ts'],
  },
  {
    breaks: 'passing the first phase is passing',
    file: 'src/backtest/evaluate/life.ts',
    edits: [["last.outcome === 'passed' && outcomes.length === phases.length", "last.outcome === 'passed'"]],
    tests: ['unit/backtest/evaluate/life.test.ts'],
  },
  {
    breaks: 'a funded account is passed once more at its target',
    file: 'src/backtest/evaluate/life.ts',
    edits: [["...funded, phase: 'funded' }", "...funded, phase: 'active_evaluation' }"]],
    tests: ['unit/backtest/evaluate/life.test.ts'],
  },
  {
    breaks: 'a payout leaves the profit in the account',
    file: 'src/backtest/evaluate/payout.ts',
    edits: [['this.paid !== null || account', 'account']],
    tests: ['unit/backtest/evaluate/life.test.ts'],
  },
  {
    breaks: 'a payout is all of the profit',
    file: 'src/backtest/evaluate/payout.ts',
    edits: [['amount: profit * (this.#rule.share ?? SHARE)', 'amount: profit']],
    tests: ['unit/backtest/evaluate/life.test.ts'],
  },
  {
    breaks: 'the expected first payout counts the paid accounts alone',
    file: 'src/backtest/evaluate/odds.ts',
    edits: [
      [
        'ofAll(outcomes.map((outcome) => outcome.funded?.payouts[0]?.amount ?? 0))',
        'ofAll(firsts.map(({ amount }) => amount))',
      ],
    ],
    tests: ['unit/backtest/evaluate/life.test.ts'],
  },
  {
    breaks: 'all kinds of traders count alike',
    file: 'src/backtest/whatIf/population.ts',
    edits: [['return shares.map((share) => share / all)', 'return shares.map(() => 1 / shares.length)']],
    tests: ['unit/backtest/whatIf/population.test.ts'],
  },
  {
    breaks: 'a difference is taken from the rules before, not from the first',
    file: 'src/backtest/whatIf/population.ts',
    edits: [['    base ??= results\n', '    base = results\n']],
    tests: ['unit/backtest/whatIf/population.test.ts'],
  },
  {
    breaks: 'a change of an account is overruled by the phase',
    file: 'src/backtest/evaluate/paths.ts',
    edits: [['...account, ...changed }', '...changed, ...account }']],
    tests: ['unit/backtest/whatIf/population.test.ts'],
  },
  {
    breaks: 'unequal tests have trainings as long as the first',
    file: 'src/backtest/walkForward/folds.ts',
    edits: [['(trainDays ?? trainTests * length)', '(trainDays ?? trainTests * (lengths[0] ?? length))']],
    tests: ['unit/backtest/walkForward/walkForward.test.ts'],
  },
  {
    breaks: 'a fold has as many bars as its test has days at their best',
    file: 'src/backtest/plan/dataPeriod.ts',
    edits: [['rows.set(day, (rows.get(day) ?? 0) + 1)', 'rows.set(day, 24)']],
    tests: ['unit/backtest/walkForward/walkForward.test.ts'],
  },
  {
    breaks: 'the middle of the ranks counts as better than the middle',
    file: 'src/backtest/statistics/overfitting.ts',
    edits: [['return below <= above', 'return below < above']],
    tests: ['unit/backtest/statistics/overfitting.test.ts'],
  },
  {
    breaks: 'of sets that are equally good in one half only the first is asked for in the other',
    file: 'src/backtest/statistics/overfitting.ts',
    edits: [['if (best.every((value) => value === best[0]))', 'if (best.length > 0)']],
    tests: ['unit/backtest/statistics/overfitting.test.ts'],
  },
  {
    breaks: 'sets at the middle of the other half are all taken for lost where a choice is shared',
    file: 'src/backtest/statistics/overfitting.ts',
    edits: [['value === middle && isMiddleLost', 'value === middle']],
    tests: ['unit/backtest/statistics/overfitting.test.ts'],
  },
  {
    breaks: "what a strategy of a portfolio pays for closing is nobody's",
    file: 'src/backtest/portfolio/partLedger.ts',
    edits: [['earnings.fees += fee', 'earnings.fees += 0n']],
    tests: ['unit/backtest/portfolio/portfolio.test.ts'],
  },
  {
    breaks: "an order that replaces one of a portfolio is nobody's",
    file: 'src/backtest/portfolio/partLedger.ts',
    edits: [
      [
        'if (owner !== undefined) this.#owners.set(to, owner)',
        'if (owner !== undefined) this.#owners.set(from, owner)',
      ],
    ],
    tests: ['unit/backtest/portfolio/portfolio.test.ts'],
  },
  {
    breaks: 'a market order is sent again as long as any other',
    file: 'src/client/requests.ts',
    edits: [['pause === null || pause.ms > left', 'pause === null']],
    tests: ['unit/client/requests.test.ts'],
  },
  {
    breaks: 'an exit at market is sent again as long as an order with a price',
    file: 'src/backtest/live/placedInTime.ts',
    edits: [["type === 'market' || (type === 'take'", "type === 'market' || (type === 'stop'"]],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'what has no answer in time counts as not placed, whatever the venue says',
    file: 'src/backtest/live/placedInTime.ts',
    edits: [['const placed = await client.placedUnder(idempotencyKey)', 'const placed = null']],
    tests: ['unit/backtest/live/disturbed.test.ts'],
  },
  {
    breaks: 'a bootstrapped market begins at the last close of its data',
    file: 'src/backtest/plan/bootstrapped.ts',
    edits: [["from: 'first close',", "from: 'last close',"]],
    tests: ['unit/backtest/simulated/bootstrapped.test.ts'],
  },
  {
    breaks: 'a bootstrapped market pays the funding of its dates, not of its bars',
    file: 'src/backtest/plan/bootstrapped.ts',
    edits: [
      [
        'return { asset, feed: toldFrom(feed, source, ',
        'return { ...opened[index], asset, feed: toldFrom(feed, source, ',
      ],
      [', seed)), funding }', ', seed)) } as OpenedMarket'],
    ],
    tests: ['unit/backtest/simulated/bootstrapped.test.ts'],
  },
  {
    breaks: 'a run that goes on is told nothing of what it missed',
    file: 'src/backtest/live/missedEvents.ts',
    edits: [['message.seq > until', 'message.seq > 0']],
    tests: ['unit/backtest/live/journal.test.ts'],
  },
  {
    breaks: 'opening fees leave the balance of a live run as it is',
    file: 'src/backtest/live/liveAccount.ts',
    edits: [['      return -event.fee\n', '      return 0n\n']],
    tests: ['unit/backtest/live/journal.test.ts'],
  },
  {
    breaks: 'a torn line of a journal swallows the run after it',
    file: 'src/backtest/live/journalFile.ts',
    edits: [
      [
        "if (this.#bytes > 0 && !this.#endsWithNewline()) this.#write('\\n')",
        "if (this.#bytes < 0 && !this.#endsWithNewline()) this.#write('\\n')",
      ],
    ],
    tests: ['unit/backtest/live/journal.test.ts'],
  },
]
