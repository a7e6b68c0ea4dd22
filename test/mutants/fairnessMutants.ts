// Mistakes about what one client may cost another.

import { type Mutant, mutant } from './mutant.ts'

const PLACEMENT = 'unit/domain/commands/placeOrder.test.ts'
const BACKLOG = 'host/backlog.test.ts'
const HISTORY = 'unit/history/history.test.ts'
const DUE = 'host/dueInstants.test.ts'

export const FAIRNESS_MUTANTS: readonly Mutant[] = [
  mutant(
    'one order more than the limit may rest (K2)',
    'domain/commands/placeOrder.ts',
    ['account.orders.size + more > maxActiveOrders', 'account.orders.size + more > maxActiveOrders + 1'],
    PLACEMENT,
  ),
  mutant(
    'the orders attached to an entry are not counted (K2)',
    'domain/commands/placeOrder.ts',
    ['if (!isIncreaseType(orderType)) return own', 'if (!isIncreaseType(orderType) || own > 0) return own'],
    PLACEMENT,
  ),
  mutant(
    'an account over its limit cannot open or close at market (K2)',
    'domain/commands/placeOrder.ts',
    ['return more > 0 && account.orders.size', 'return account.orders.size'],
    PLACEMENT,
  ),
  mutant(
    'an account opened without a limit gets the default when its log is read (K2)',
    'events/codec/eventSchemas.ts',
    ['maxActiveOrders: null } }', 'maxActiveOrders: 500 } }'],
    'golden/golden.test.ts',
  ),
  mutant(
    'no limit given on purpose is taken for none given (K2)',
    'domain/commands/openAccount.ts',
    ['!NULLABLE_ACCOUNT_PARAMETERS.has(field)', 'field !== null'],
    PLACEMENT,
  ),
  mutant(
    'answers nobody reads cost nothing (K4)',
    'host/backlog.ts',
    [
      'answer instanceof LongAnswer ? answer.holds : answer)',
      'answer instanceof LongAnswer ? answer.holds : 0)',
    ],
    BACKLOG,
  ),
  mutant(
    'a user may hold as much as they have connections (K4)',
    'host/backlog.ts',
    ['else if (held > this.#limits.perOwner)', 'else if (held > this.#limits.perOwner * 8)'],
    BACKLOG,
  ),
  mutant(
    'what a connection held is not given back when it goes (K4)',
    'host/backlog.ts',
    [
      "socket.once('close', () => this.#letGo(connection))",
      "socket.once('error', () => this.#letGo(connection))",
    ],
    BACKLOG,
  ),
  mutant(
    'an answer may wait for its reader for ever (K4)',
    'host/backlog.ts',
    ['this.#sweep - (exchange.since as number) <= this.#limits.sweeps', 'exchange.since !== null'],
    BACKLOG,
  ),
  mutant(
    'a request may take the time that Node gives it, and the time until Node looks (K4)',
    'host/server.ts',
    ['  connectionsCheckingInterval: SWEEP_MS,\n', ''],
    BACKLOG,
  ),
  mutant(
    'who connects ahead of a request is told that it was malformed',
    'host/server.ts',
    [' && socket.bytesRead === 0', ' && socket.bytesRead === -1'],
    BACKLOG,
  ),
  mutant(
    'a client may have all its pipelined requests handled at once (K4)',
    'host/backlog.ts',
    ['connection.handled >= AT_ONCE', 'connection.handled >= AT_ONCE * 1_000'],
    BACKLOG,
  ),
  mutant(
    'a long answer is made in one turn of the loop (K15)',
    'host/longAnswer.ts',
    ['    if (!(await turn())) return\n  }\n', '  }\n'],
    BACKLOG,
  ),
  mutant(
    'a long answer whose client has gone is kept until its turn comes (K4)',
    'host/longAnswer.ts',
    ['    this.#giveUp()\n', ''],
    BACKLOG,
  ),
  mutant(
    'every long answer has a piece made in each turn of the loop (K15)',
    'host/longAnswer.ts',
    ['new Turns<string>(1)', 'new Turns<string>(100)'],
    BACKLOG,
  ),
  mutant(
    'connections are read as fast as they send (K15)',
    'host/server.ts',
    ['  readInPortions(app.server)\n', ''],
    'host/portionedSocket.test.ts',
  ),
  mutant(
    'every connection has a portion parsed in each turn of the loop (K15)',
    'host/portionedSocket.ts',
    ["this.#turns.take(networkOf(this.remoteAddress ?? ''), () => {", 'setImmediate(() => {'],
    'host/portionedSocket.test.ts',
  ),
  mutant(
    'a connection is read however many of its requests are under way (K4)',
    'host/portionedSocket.ts',
    ['this.#isWanted && this.#underWay < UNDER_WAY', 'this.#isWanted'],
    'host/portionedSocket.test.ts',
  ),
  mutant(
    'what is written beneath the portions of a connection overtakes what was written above',
    'host/portionedSocket.ts',
    ['return this.writableLength === 0 ? this.#socket : this', 'return this.#socket'],
    'host/portionedSocket.test.ts',
  ),
  mutant(
    'a connection that is idle stays open for ever (K4)',
    'host/portionedSocket.ts',
    ['    this.#socket.setTimeout(ms)\n', ''],
    'host/portionedSocket.test.ts',
  ),
  mutant(
    'a client that resets its connection ends the process',
    'host/portionedSocket.ts',
    ["    socket.on('error', (error) => this.destroy(error))\n", ''],
    'host/portionedSocket.test.ts',
  ),
  mutant(
    'a user has as many requests handled in a turn as they have connections (K15)',
    'host/marginTradingApi.ts',
    ['turns.take(ownerOf(request), ', 'turns.take(request.id, '],
    'host/turns.test.ts',
  ),
  mutant(
    'requests whose bodies come late are all handled in one turn (K15)',
    'host/marginTradingApi.ts',
    ["app.addHook('preValidation', byTurns())", "app.addHook('onRequest', byTurns())"],
    'host/turns.test.ts',
  ),
  mutant(
    'a turn of the loop goes on however long the requests of one user have taken (K15)',
    'host/turns.ts',
    ['if (performance.now() >= end) break', 'if (performance.now() > end + 60_000) break'],
    'host/turns.test.ts',
  ),
  mutant(
    'who has much waiting is served before others who came later (K15)',
    'host/turns.ts',
    [
      'if (all.size > 0) this.#waiting.set(who, all)',
      'if (all.size > 0) for (const later of [[who, all] as const, ...this.#waiting]) { this.#waiting.delete(later[0]); this.#waiting.set(...later) }',
    ],
    'host/turns.test.ts',
  ),
  mutant(
    'who asks for more long answers has more of the turns (K15)',
    'host/longAnswer.ts',
    ['TURNS.wait(this.#client, ', "TURNS.wait('', "],
    BACKLOG,
  ),
  mutant(
    'whatever is due runs in one turn (K15)',
    'host/dueInstants.ts',
    ['engine.nextDueAt < until && this.#loop.elapsed() < end', 'engine.nextDueAt < until'],
    DUE,
  ),
  mutant(
    'a command goes on before what is due has run (K12)',
    'host/marginTradingApi.ts',
    ['else void now.then(() => done())', 'else done()'],
    DUE,
  ),
  mutant(
    'a command that waited is decided before what has come due meanwhile (K12)',
    'host/dueInstants.ts',
    ['ms === 0 ? this.#clock.now() : endOf(from, ms)', 'endOf(from, ms)'],
    DUE,
  ),
  mutant(
    'a tick overtakes those that wait',
    'host/dueInstants.ts',
    ['if (isFirst && this.#hasRun(from, lead())) return from', 'if (this.#hasRun(from, lead())) return from'],
    DUE,
  ),
  mutant(
    'an advanceTime that is refused runs what is due before its end',
    'host/dueInstants.ts',
    ['ms <= LONGEST_ADVANCE_MS && end <= LAST_INSTANT ? end : from', 'end'],
    DUE,
  ),
  mutant(
    'a list that is read in runs shows what happened after it was asked for (K15)',
    'history/storedHistory.ts',
    ['let before = version + 1;', 'let before = Number.POSITIVE_INFINITY;'],
    'store/positionEvents.test.ts',
  ),
  mutant(
    'all runs of a list of events are one (K15)',
    'history/pastEvents.ts',
    ['const RUN = 256', 'const RUN = 2_560'],
    HISTORY,
  ),
  mutant(
    'what happened to the positions of a finished phase keeps its room (H3)',
    'history/keptRecords.ts',
    ['if (!isOrder) for (const event', 'if (isOrder && !isOrder) for (const event'],
    HISTORY,
  ),
  mutant(
    'a block of which little is needed is kept',
    'history/recordHeap.ts',
    ['return 2 * (this.#dead[block] as number) >', 'return 0 * (this.#dead[block] as number) >'],
    'unit/history/recordHeap.test.ts',
  ),
  mutant(
    'a block that what moves has filled is kept for what died in it',
    'history/recordHeap.ts',
    ['      this.#leaveFull(count - 1)\n', ''],
    'unit/history/recordHeap.test.ts',
  ),
  mutant(
    'a long record leaves a block of which half is empty',
    'events/codec/encodedBlocks.ts',
    ['this.#isFull ? this.#cut() : this.writer.bytes', 'this.writer.bytes'],
    'unit/events/encodedBlocks.test.ts',
  ),
  mutant(
    'the accounts of everybody are listed for a user',
    'projections/reader.ts',
    ['userId === undefined ? accounts.values() : accounts.ofUser(userId)', 'accounts.values()'],
    HISTORY,
  ),
  mutant(
    'connections take every file descriptor there is (K4)',
    'host/descriptors.ts',
    ['if (!Number.isFinite(most)) return', 'if (most > 0) return'],
    'host/descriptors.test.ts',
  ),
  mutant(
    'an operator who reads the whole log as a stream has the loop until it is read (K15)',
    'host/stream/commitStream.ts',
    ['        if (commit.seq < this.#engine.durableHead) await strides.step()\n', ''],
    'host/commitStream.test.ts',
  ),
]
