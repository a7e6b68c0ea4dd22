// Mistakes about streams: what is told too early, twice, to the wrong one or not at all, and whoever does not read.

import type { Edit, Mutant } from './mutant.ts'

function mutant(breaks: string, file: string, edit: Edit, ...tests: string[]): Mutant {
  return { breaks, file: `src/host/stream/${file}`, edits: [edit], tests }
}

const HUB = 'host/streamHub.test.ts'
const PACE = 'host/streamPace.test.ts'
const STREAM = 'host/stream.test.ts'
const SOCKET = 'host/webSocket.test.ts'
const ALLOWANCE = 'host/allowance.test.ts'
const COMMITS = 'host/commitStream.test.ts'

export const STREAM_MUTANTS: readonly Mutant[] = [
  mutant(
    'an account that was opened while it was heard has no equity for who hears it',
    'hub.ts',
    ['      listener.accountIds.add(accountId)\n', ''],
    PACE,
  ),
  mutant(
    'every commit has a turn of telling to itself, however many there are',
    'delivery.ts',
    ['if (wait > 0) setTimeout(turn, wait)', 'if (wait > 8) setTimeout(turn, wait)'],
    PACE,
  ),
  mutant(
    'what a turn left behind waits for the pace',
    'delivery.ts',
    ['this.#isBehind ? 0 : this.#turnedAt', 'this.#turnedAt'],
    PACE,
  ),
  mutant(
    'what is not durable is told',
    'delivery.ts',
    ['next !== undefined && next.seq <= durableHead; next', 'next !== undefined; next'],
    HUB,
  ),
  mutant(
    'what came before a listener did is told to it again',
    'delivery.ts',
    [
      'if (ordinal < (this.#listeners.get(listener) ?? Number.POSITIVE_INFINITY)) continue',
      'if (ordinal < 0) continue',
    ],
    HUB,
  ),
  mutant(
    'whoever waits for their beginning may gather without end',
    'listener.ts',
    ['return this.#gatheredBytes <= MOST_UNSENT', 'return true'],
    HUB,
  ),
  mutant(
    'whoever does not read is sent to without end',
    'allowance.ts',
    ['return unsent <= MOST_UNSENT || ', 'return true || '],
    HUB,
    ALLOWANCE,
    COMMITS,
  ),
  mutant(
    'what is longer by itself cuts off whoever reads it',
    'allowance.ts',
    ['unsent - before > MOST_UNSENT', 'unsent - before < 0'],
    HUB,
    ALLOWANCE,
  ),
  mutant(
    'what is longer by itself waits for ever (K4)',
    'allowance.ts',
    [' && performance.now() < this.#until', ''],
    ALLOWANCE,
  ),
  mutant(
    'an operator is sent the past whether they read it or not (K4)',
    'commitSender.ts',
    ['return this.#outlet.taken(patienceFor(length))', 'return true'],
    COMMITS,
  ),
  mutant(
    'an operator who reads more slowly than the log grows is told of the past for ever',
    'commitSender.ts',
    ['return this.#isThere || isShorter', 'return true'],
    COMMITS,
  ),
  mutant(
    'an operator who has come to the end of the past is held to it as before',
    'commitSender.ts',
    ['this.#isThere = bytes <= MOST_UNSENT', 'this.#isThere = false'],
    COMMITS,
  ),
  mutant(
    'what is gathered before a stream begins is lost',
    'listener.ts',
    ['[...portion, ...gathered]', '[...portion]'],
    HUB,
  ),
  mutant(
    'the order behind a position event is left out',
    'accountFold.ts',
    [
      'this.#lastEnded = endedOrderRecord(order)\n    return this.#lastEnded',
      'return endedOrderRecord(order)',
    ],
    STREAM,
  ),
  mutant(
    'funding before the first missed event is left out',
    'beginning.ts',
    ['margin: oldest.margin + between', 'margin: oldest.margin'],
    HUB,
  ),
  mutant(
    'a socket that says nothing stays open',
    'webSocket.ts',
    ["this.#close('no_token')\n        settle(null)", 'settle(null)'],
    SOCKET,
  ),
  mutant(
    'a socket that closes is never let go of',
    'webSocket.ts',
    ["webSocket.once('close', () => this.onGone())", ''],
    SOCKET,
  ),
  mutant(
    'whoever pings without reading is answered without end',
    'webSocket.ts',
    ['if (this.unsent < MOST_BEFORE_PONG) webSocket.pong(data)', 'webSocket.pong(data)'],
    SOCKET,
  ),
  mutant(
    'a dead client is pinged without end',
    'webSocket.ts',
    ['if (this.#unanswered === MOST_UNANSWERED) return this.#webSocket.terminate()\n', ''],
    SOCKET,
  ),
  mutant(
    'a socket that opens while the venue closes stays open',
    'webSocket.ts',
    ["if (this.#isClosed) stream.end('closing')\n", ''],
    SOCKET,
  ),
  mutant(
    'the id of a commit is left out',
    'webSocket.ts',
    ['if (complete !== null) frames.splice(-1, 1, last.lastFrame)\n', ''],
    SOCKET,
  ),
  mutant(
    'of several commits that are sent at once only the last is said to be complete',
    'message.ts',
    ['next !== undefined && message.seq !== next.seq', 'next === undefined'],
    'host/eventStream.test.ts',
  ),
  mutant(
    'an upgrade without a header is not asked who it is',
    '../routes/stream.ts',
    ['refusalOf(first, request) ?? admit(request, reply)', 'refusalOf(first, request)'],
    SOCKET,
  ),
  mutant(
    'streams that wait for one group all read the log in one turn (K15)',
    'beginning.ts',
    ['    await turnFor(client)\n', ''],
    HUB,
  ),
  mutant(
    'the log is read on for streams that are gone',
    'beginning.ts',
    ['        if (gone()) throw new Left()\n        if (commit.seq', '        if (commit.seq'],
    HUB,
  ),
  mutant(
    'what was missed is gathered on for streams that are gone',
    'beginning.ts',
    ['if (gone()) throw new Left()\n      return', 'return'],
    HUB,
  ),
  mutant(
    'all streams of a user are told at once what they missed (K4)',
    '../routes/stream.ts',
    ['const RESUMED_AT_ONCE = 2', 'const RESUMED_AT_ONCE = 20'],
    'host/backlog.test.ts',
  ),
  mutant(
    'an operator has as many states of the past folded at once as they ask for (K4)',
    '../routes/operatorReads.ts',
    ['const FOLDED_AT_ONCE = 2', 'const FOLDED_AT_ONCE = 2_000'],
    'host/operatorReads.test.ts',
  ),
  mutant(
    'a state of the past is folded for who has gone before its turn',
    '../routes/operatorReads.ts',
    [
      "reply.raw.once('close', folding.take(clientOf(reply), folded))",
      'folding.take(clientOf(reply), folded)',
    ],
    'host/operatorReads.test.ts',
  ),
  mutant(
    'a long beginning is sent whether it is taken or not (K4)',
    'listener.ts',
    ['        if (!(await this.#isTaken(bytes))) return false\n', ''],
    HUB,
  ),
  mutant(
    'whoever never reads what a stream begins with keeps it (K4)',
    'listener.ts',
    ['return this.#isTaken(bytes)\n', 'return true\n'],
    HUB,
  ),
  mutant(
    'what asks for another protocol is not answered',
    'upgrades.ts',
    ['    readOn(server, socket)\n', ''],
    SOCKET,
  ),
  mutant(
    'a connection is put into portions once more for every request that asks for another protocol (K4)',
    'upgrades.ts',
    ['readOn(server, socket)', "server.emit('connection', socket)"],
    SOCKET,
  ),
  mutant(
    'every request that asks for another protocol leaves a listener behind (K4)',
    'upgrades.ts',
    ["    socket.off('error', ignore)\n", ''],
    SOCKET,
  ),
  mutant(
    'every message to a socket that is being closed has a timer of its own (K4)',
    'webSocket.ts',
    ['    if (this.#isClosing) return\n    this.#isClosing', '    this.#isClosing'],
    SOCKET,
  ),
  mutant(
    'a price waits for the next quarter of a second, however long none has moved',
    'broadcasts.ts',
    ['Math.max(GATHER_MS, this.#pricesToldAt + PRICES_MS - performance.now())', 'PRICES_MS'],
    PACE,
  ),
  mutant(
    'prices are told as often as they move',
    'broadcasts.ts',
    ['Math.max(GATHER_MS, this.#pricesToldAt + PRICES_MS - performance.now())', 'GATHER_MS'],
    PACE,
  ),
  mutant(
    'an equity is told as often as a price',
    'broadcasts.ts',
    ['    if (heard.equitySeenAt === this.#beats) return false\n', ''],
    PACE,
  ),
  mutant(
    'an equity is written by itself, and the price that moved it after that',
    'broadcasts.ts',
    ['if (isForAll) listeners', 'if (equities > 0) yield endPortion()\n      if (isForAll) listeners'],
    PACE,
  ),
  mutant(
    'what a second brings takes a price along that is not due yet',
    'broadcasts.ts',
    ['this.#pricesDue === null && ', ''],
    PACE,
  ),
  mutant(
    'the equities of all accounts of a user are told in one turn (K15)',
    'broadcasts.ts',
    ['        if (equities === PORTION) yield endPortion()\n', ''],
    PACE,
  ),
  mutant(
    'an order is told as the one before it',
    '../orderJson.ts',
    ['order !== latest.order', 'latest.order === null'],
    'host/json.test.ts',
  ),
  mutant(
    'what is not ASCII is told as if it were',
    'eventStream.ts',
    ['Buffer.byteLength(text) === text.length', 'text.length > 0'],
    'host/eventStream.test.ts',
  ),
  mutant(
    'a stream goes on when its key has expired',
    '../authentication.ts',
    ['return isInForce(key, now) ?', 'return key !== null ?'],
    'host/authentication.test.ts',
  ),
  mutant(
    'a stream behind an earlier answer of its connection is told nothing',
    'eventStream.ts',
    [
      'return socket === null ? this.#response : outOf(socket)',
      'return outOf(socket as NonNullable<typeof socket>)',
    ],
    'host/eventStream.test.ts',
  ),
  mutant(
    'what a stream has not read counts for nothing where it is written beneath its portions (K4)',
    'eventStream.ts',
    ['unsentOf(socket)', 'socket.writableLength'],
    'host/eventStream.test.ts',
  ),
  mutant(
    'an account that is no other than it was told is told again',
    'message.ts',
    [
      'if (one[field] !== other[field] && !left.includes(field)) return false',
      'if (one[field] !== other[field]) return false',
    ],
    HUB,
  ),
  mutant(
    'an account of which only the risk is another is not told',
    'message.ts',
    ['    !isSameBut(record.riskStatus, told.record.riskStatus, ...MOVES_WITH_PRICES)\n', '    false\n'],
    HUB,
  ),
]
