// Mistakes that lived for a while without a test that noticed, in the backtester and in what accounts show.

import type { Mutant } from './mutant.ts'

export const SUITE_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'the loss remaining is negative below the floor',
    file: 'src/projections/accountRecord.ts',
    edits: [['return equity > floor ? equity - floor : 0n', 'return equity - floor']],
    tests: ['unit/projections/accountRecord.test.ts'],
  },
  {
    breaks: 'every bootstrapped path of an evaluation is the same',
    file: 'src/backtest/evaluate/pathMarkets.ts',
    edits: [['startTime: PATH_START, length,', '...{ seed }, startTime: PATH_START, length,']],
    tests: ['unit/backtest/evaluate/evaluate.test.ts'],
  },
  {
    breaks: 'a quantile’s rank is off where n·p is whole',
    file: 'src/backtest/evaluate/proportion.ts',
    edits: [['value: at(Math.ceil(middle - ROUNDING))', 'value: at(Math.floor(middle) + 1)']],
    tests: ['unit/backtest/evaluate/evaluate.test.ts'],
  },
  {
    breaks: 'a quantile’s rank is off where the product of n and p is not exact',
    file: 'src/backtest/evaluate/proportion.ts',
    edits: [['Math.ceil(middle - ROUNDING)', 'Math.ceil(middle)']],
    tests: ['unit/backtest/evaluate/evaluate.test.ts'],
  },
  {
    breaks: 'a stale funding rate is charged through a hole in the funding file',
    file: 'src/backtest/feed/fundingSchedule.ts',
    edits: [['index + 1 >= rates.length || next !== instant + intervalMs', 'index + 1 >= rates.length']],
    tests: ['unit/backtest/run/funding.test.ts'],
  },
  {
    breaks: 'a later failure overrides a pass',
    file: 'src/backtest/run/verdict.ts',
    edits: [["event.breach !== null && this.verdict.outcome === 'undecided'", 'event.breach !== null']],
    tests: ['unit/backtest/run/verdict.test.ts'],
  },
  {
    breaks: 'a funding rate is known long before its instant',
    file: 'src/backtest/feed/fundingSchedule.ts',
    edits: [['changes.push({ at: instant - 1,', 'changes.push({ at: instant - intervalMs + 1,']],
    tests: ['unit/backtest/run/lookAhead.test.ts'],
  },
  {
    breaks: 'half of the kept outcomes are lost: a retry acts again',
    file: 'src/engine/outcomeWindow.ts',
    edits: [
      [
        '    this.#byName.set(this.nameOf(outcome), outcome)',
        '    if (outcome.at % 2 === 0) this.#byName.set(this.nameOf(outcome), outcome)',
      ],
    ],
    tests: ['crash/engine.test.ts'],
  },
  {
    breaks: 'no two bars are ever turned together when orders inside bars are explored',
    file: 'src/backtest/run/orderBounds.ts',
    edits: [['if (!isAfter(bar, from.turned.at(-1))) continue', 'if (from.turned.length > 0) continue']],
    tests: ['unit/backtest/report/bothPaths.test.ts'],
  },
  {
    breaks: 'the best of many sets is deflated as if it were one',
    file: 'src/backtest/statistics/selection.ts',
    edits: [['(sharpe - byLuck)', '(sharpe - 0 * byLuck)']],
    tests: ['unit/backtest/statistics/selection.test.ts'],
  },
  {
    breaks: 'overfitting is judged on the half that the set was chosen on',
    file: 'src/backtest/statistics/overfitting.ts',
    edits: [['lostOutside(one, other)', 'lostOutside(one, one)']],
    tests: ['unit/backtest/statistics/overfitting.test.ts'],
  },
  {
    breaks: 'an answer that is cut off leaves open what became of a live order (I4)',
    file: 'src/client/requests.ts',
    edits: [['text = await response.text()', "text = await response.text().catch(() => '')"]],
    tests: ['unit/client/requests.test.ts'],
  },
  {
    breaks: 'a live order that is being placed is taken for refused (I4)',
    file: 'src/client/requests.ts',
    edits: [["code === 'idempotency_key_in_flight'", 'statusCode === 410']],
    tests: ['unit/client/requests.test.ts'],
  },
  {
    breaks: 'a front ends at the first set that another beats',
    file: 'src/backtest/sweep/fronts.ts',
    edits: [['else closed = middle', 'else closed = open']],
    tests: ['unit/backtest/sweep/order.test.ts'],
  },
  {
    breaks: 'a plateau is the mean of the neighbours alone',
    file: 'src/backtest/sweep/plateau.ts',
    edits: [['[places[index] as number[], ...neighboursOf(', '[...neighboursOf(']],
    tests: ['unit/backtest/sweep/order.test.ts'],
  },
  {
    breaks: 'sets that are alike count as independent trials',
    file: 'src/backtest/sweep/evidence.ts',
    edits: [['const trials = likeness + (1 - likeness) * sets.length', 'const trials = sets.length']],
    tests: ['unit/backtest/sweep/evidence.test.ts'],
  },
  {
    breaks: 'a condition on what has no value is kept',
    file: 'src/backtest/strategies/constraint.ts',
    edits: [
      [
        "typeof a === 'number' && typeof b === 'number' && compare(a, b)",
        'compare(a as number, b as number)',
      ],
    ],
    tests: ['unit/backtest/sweep/order.test.ts'],
  },
  {
    breaks: 'a parameter at the edge of its range is refused',
    file: 'src/backtest/strategies/parameters.ts',
    edits: [['binds(to) && number > boundOf(to)', 'binds(to) && number >= boundOf(to)']],
    tests: ['unit/backtest/strategies/parameters.test.ts'],
  },
  {
    breaks: 'an entry that is edited loses its trailing stop',
    file: 'src/backtest/strategy/trailingEntries.ts',
    edits: [['this.replaced(event.orderId, event.replacementId)', 'this.#waiting.delete(event.orderId)']],
    tests: ['unit/backtest/strategy/trailingEntries.test.ts'],
  },
  {
    breaks: 'a live entry that fills gets no trailing stop',
    file: 'src/backtest/live/liveTold.ts',
    edits: [['await context.heard(event)', 'null as Awaited<ReturnType<typeof context.heard>>']],
    tests: ['unit/backtest/live/streamed.test.ts'],
  },
  {
    breaks: 'the second polynomial of Sobol points has another coefficient',
    file: 'src/backtest/search/sobol.ts',
    edits: [['  [2, 1, [1, 3]],', '  [2, 0, [1, 3]],']],
    tests: ['unit/backtest/search/points.test.ts'],
  },
  {
    breaks: 'proposals are drawn where the rest is',
    file: 'src/backtest/search/parzen.ts',
    edits: [['[seen.slice(0, count), seen.slice(count)]', '[seen.slice(count), seen.slice(0, count)]']],
    tests: ['unit/backtest/search/points.test.ts'],
  },
  {
    breaks: 'halving keeps the worst',
    file: 'src/backtest/search/search.ts',
    edits: [['.sort((a, b) => compareRows(a, b, by)).map', '.sort((a, b) => compareRows(b, a, by)).map']],
    tests: ['unit/backtest/search/search.test.ts'],
  },
  {
    breaks: 'a study goes on with another one’s runs',
    file: 'src/backtest/search/study.ts',
    edits: [['if (options.length + parts.length > 0)', 'if (options.length > 9)']],
    tests: ['unit/backtest/search/search.test.ts'],
  },
  {
    breaks: 'with the system clock nothing falls due by time alone',
    file: 'src/host/serveVenue.ts',
    edits: [
      [
        "if (clock.mode === 'system') parts.running.push(",
        "if (clock.mode === 'manual') parts.running.push(",
      ],
    ],
    tests: ['host/clock.test.ts'],
  },
  {
    breaks: 'a receiver that fails is asked again at once',
    file: 'src/host/webhooks/webhook.ts',
    edits: [['      await this.#clock.wait(pause, this.#leaving.signal)\n', '']],
    tests: ['host/webhooks.test.ts'],
  },
  {
    breaks: 'a stream waits for what is not durable turn by turn',
    file: 'src/host/stream/delivery.ts',
    edits: [['= this.#gathered.size > 0 || isDue', '= this.#gathered.size >= 0 || isDue']],
    tests: ['host/streamHub.test.ts'],
  },
  {
    breaks: 'the last listener of a turn that has taken too long is forgotten',
    file: 'src/host/stream/delivery.ts',
    edits: [['= this.#gathered.size > 0 || isDue', '= this.#gathered.size > 1 || isDue']],
    tests: ['host/streamHub.test.ts'],
  },
  {
    breaks: 'an account waits until everybody has been told of a price',
    file: 'src/host/stream/broadcasts.ts',
    edits: [['const PORTION = 128', 'const PORTION = 100_000']],
    tests: ['host/streamHub.test.ts'],
  },
  {
    breaks: 'a change whose answer was lost is asked for again, though it may have been done',
    file: 'src/client/requests.ts',
    edits: [
      [
        'return isRepeatable && this.#isKnown ? { ms, why: error.message } : null',
        'return this.#isKnown ? { ms, why: error.message } : null',
      ],
    ],
    tests: ['unit/client/requests.test.ts'],
  },
  {
    breaks: 'an order is given another key each time it is sent',
    file: 'src/client/requests.ts',
    edits: [
      [
        'await this.#once(method, at, sent)',
        'await this.#once(method, at, sent.idempotencyKey ? { ...sent, idempotencyKey: sent.idempotencyKey + attempt } : sent)',
      ],
    ],
    tests: ['unit/client/requests.test.ts'],
  },
  {
    breaks: 'a stream over a WebSocket keeps whatever its reader does not take',
    file: 'src/client/socketEvents.ts',
    edits: [['    if (waiting > MOST_WAITING) end()\n', '']],
    tests: ['unit/client/socketEvents.test.ts'],
  },
  {
    breaks: 'the console places an order whose size is beyond the limit that stands beside it',
    file: 'src/host/console/page/trader/ticket/orderPreview.ts',
    edits: [['expectedAmount: expectedAmount ?? 0n }', 'expectedAmount: 0n }']],
    tests: ['host/orderPreview.test.ts'],
  },
  {
    breaks: 'the console lists a position that has just ended only when it is opened again',
    file: 'src/host/console/page/trader/historyCard.tsx',
    edits: [['[read, most, version]', '[read, most]']],
    tests: ['browser/console.test.ts'],
  },
  {
    breaks: 'the console does not hear that an order has ended',
    file: 'src/host/console/page/trader/endedOrders.tsx',
    edits: [['version={live.ordersTold}', 'version={0}']],
    tests: ['browser/console.test.ts'],
  },
  {
    breaks: 'an order that the platform canceled was canceled by its trader',
    file: 'src/host/console/page/trader/orderEnd.ts',
    edits: [["order.reason === null ? 'by you'", "order.errorCode === null ? 'by you'"]],
    tests: ['unit/host/orderEnd.test.ts'],
  },
  {
    breaks: 'a price that moves pushes what stands beside it',
    file: 'src/host/console/page/console.css',
    edits: [['  min-width: 12ch;', '  min-width: 0;']],
    tests: ['browser/console.test.ts'],
  },
  {
    breaks: 'a group of choices does not say what it is about',
    file: 'src/host/console/page/shared/fields.tsx',
    edits: [['      <legend class="unseen">{name}</legend>\n', '']],
    tests: ['browser/consoleAccess.test.ts'],
  },
  {
    breaks: 'a client that cannot connect tries ever more often',
    file: 'src/client/venueStream.ts',
    edits: [
      ['pause = Math.min(pause * 2, LONGEST_PAUSE_MS)', 'pause = Math.min(pause / 2, LONGEST_PAUSE_MS)'],
    ],
    tests: ['unit/client/venueStream.test.ts'],
  },
  {
    breaks: 'funding that was received counts as paid',
    file: 'src/host/charges.ts',
    edits: [['if (funding < 0n) charges', 'if (funding !== 0n) charges']],
    tests: ['unit/host/charges.test.ts'],
  },
  {
    breaks: 'a position opened between two pages is charged twice',
    file: 'src/host/charges.ts',
    edits: [['const data = page.data.slice(moved)', 'const data = page.data']],
    tests: ['unit/host/charges.test.ts'],
  },
  {
    breaks: 'a point without a digit is the price 0',
    file: 'src/backtest/feed/fields.ts',
    edits: [['const digitCount = at - from - (dot < 0 ? 0 : 1)', 'const digitCount = at - from']],
    tests: ['unit/backtest/feed/badRows.test.ts'],
  },
  {
    breaks: 'of an empty piece of a file, memory that was never written is read as rows',
    file: 'src/backtest/feed/wholeLines.ts',
    edits: [['    if (chunk.length === 0) continue\n', '']],
    tests: ['unit/backtest/feed/wholeLines.test.ts'],
  },
  {
    breaks: 'the end of an evaluation is not told',
    file: 'src/backtest/evaluate/evaluate.ts',
    edits: [['done += stretch.length', 'done += stretch.length - 1']],
    tests: ['unit/backtest/progress.test.ts'],
  },
]
