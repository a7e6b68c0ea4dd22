// Drawn mistakes that the suite does not notice, and why that is right. Whatever is drawn and is not here must be noticed.

export interface Survivor {
  readonly file: string
  /** The line as it stands and with the mistake, as `npm run mutation` prints them. */
  readonly before: string
  readonly after: string
  readonly why: string
}

/** One line of a file and some of the mistakes in it. */
const kept = (file: string, before: string, why: string, ...afters: readonly string[]): Survivor[] =>
  afters.map((after) => ({ file, before, after, why }))

export const SURVIVORS: readonly Survivor[] = [
  ...kept(
    'src/quantity/rounding.ts',
    'return a >= 0n ? a / b : -((b - 1n - a) / b)',
    'both branches give 0 for 0',
    'return a >= 1n ? a / b : -((b - 1n - a) / b)',
    'return a > 0n ? a / b : -((b - 1n - a) / b)',
  ),
  ...kept(
    'src/events/codec/byteReader.ts',
    'for (let index = 0; index < length; index++) {',
    'only the quick way of reading ASCII is lost; the other way reads the same text',
    'for (let index = 0; index < length; index--) {',
  ),
  ...kept(
    'src/events/codec/byteWriter.ts',
    'constructor(capacity = 4_096, memory = (bytes: number): ArrayBufferLike => new ArrayBuffer(bytes)) {',
    'memory grows as it is needed',
    'constructor(capacity = 4095, memory = (bytes: number): ArrayBufferLike => new ArrayBuffer(bytes)) {',
    'constructor(capacity = 4097, memory = (bytes: number): ArrayBufferLike => new ArrayBuffer(bytes)) {',
  ),
  ...kept(
    'src/collections/roster.ts',
    'const FEW = 4',
    'up to which length a list grows by a copy changes no answer',
    'const FEW = 3',
  ),
  ...kept(
    'src/store/lmdb/loopTurns.ts',
    'const TURN_MS = 10',
    'a turn of another length changes no answer',
    'const TURN_MS = 11',
  ),
  ...kept(
    'src/collections/roster.ts',
    'else if (this.#items.length > SHORT) this.#sequences = sequencesOf(this.#items)',
    'from which length on items are found by bisection changes no answer',
    'else if (this.#items.length >= SHORT) this.#sequences = sequencesOf(this.#items)',
  ),
  ...kept(
    'src/domain/triggers/trailingLevels.ts',
    'if (this.#leading !== null && leading > 0n && reached(this.#side, leading, indexPrice))',
    'a segment without a trigger price tells of no stop',
    'if (this.#leading !== null && leading >= 0n && reached(this.#side, leading, indexPrice))',
    'if (this.#leading !== null && leading > -1n && reached(this.#side, leading, indexPrice))',
  ),
  ...kept(
    'src/domain/triggers/marketLevels.ts',
    'if (held?.level === level) return',
    'an entry is taken out and put back where it was',
    'if (false) return',
  ),
  ...kept(
    'src/collections/idMap.ts',
    'hash = (hash << 4) | ((code + (code >> 6) * 9) & 15)',
    'a hash that spreads badly costs time only',
    'hash = (hash << 4) & ((code + (code >> 6) * 9) & 15)',
  ),
  ...kept(
    'src/domain/commands/orderShape.ts',
    'stopTriggerPrice: command.stopTriggerPrice ?? 0n,',
    'no price and one below zero are both no stop-loss to compare with; that one below zero was given is refused before',
    'stopTriggerPrice: command.stopTriggerPrice ?? -1n,',
  ),
  ...kept(
    'src/domain/evolve/venueDays.ts',
    'if (frozenUntil !== null && frozenUntil <= at) return true',
    'what freezes an account until midnight is a loss of the day, so that its balance alone gives it a day',
    'if (frozenUntil !== null && frozenUntil < at) return true',
    'if (false) return true',
  ),
  ...kept(
    'src/engine/outcomeWindow.ts',
    'const EXPIRED_AT_A_TIME = 16',
    'how many outcomes are forgotten at a time changes no answer: whether one is within its hour is asked by itself',
    'const EXPIRED_AT_A_TIME = 15',
    'const EXPIRED_AT_A_TIME = 17',
  ),
  ...kept(
    'src/engine/fork.ts',
    'if (account === undefined) return { free: 0n, reserve: 0n, margin: 0n, balance: 0n, equity: 0n }',
    'every account of the log is in its fork: no rule that a fork can change is asked when an account is opened',
    'if (account === undefined) return { free: 0n, reserve: 0n, margin: 0n, balance: 0n, equity: 1n }',
    'if (account === undefined) return { free: 0n, reserve: 1n, margin: 0n, balance: 0n, equity: 0n }',
  ),
  ...kept(
    'src/backtest/feed/formats/json.ts',
    'const LARGEST_DOCUMENT = 1 << 28',
    'a bound against running out of memory: a document at it would be a quarter of a gigabyte',
    'const LARGEST_DOCUMENT = 1 << 29',
    'const LARGEST_DOCUMENT = 2 << 28',
    'const LARGEST_DOCUMENT = 1 << 27',
  ),
  ...kept(
    'src/backtest/run/playback.ts',
    "if (this.#quietBars === null || block.step[from] !== 0 || !columns || !('open' in columns)) return from",
    'only the quick way of playing a bar is lost; its four steps come to the same',
    "if (this.#quietBars !== null || block.step[from] !== 0 || !columns || !('open' in columns)) return from",
  ),
  ...kept(
    'src/backtest/feed/formats/delimitedReader.ts',
    'const shift = Math.round(Math.log10(divisor))',
    'the logarithm of a power of ten is whole, and whatever is no power of ten is refused by the comparison after it',
    'const shift = Math.floor(Math.log10(divisor))',
  ),
  ...kept(
    'src/backtest/workers/pool.ts',
    'await setImmediate()',
    'when the results of the other threads are told, not which and not in which order',
    ';',
    'void setImmediate()',
  ),
  ...kept(
    'src/store/lmdb/lmdbStore.ts',
    'const known = about === null ? 0 : newestIn(about)',
    'no log has a head below zero that either could be ahead of',
    'const known = about === null ? -1 : newestIn(about)',
  ),
  ...kept(
    'src/store/log/segmentHeader.ts',
    'return /^[0-9]{16}\\.log$/.test(name) ? Number(name.slice(0, 16)) : null',
    'sixteen digits with the point after them are the same number',
    'return /^[0-9]{16}\\.log$/.test(name) ? Number(name.slice(0, 17)) : null',
  ),
  ...kept(
    'src/cli/fork.ts',
    `return value > 0n ? \`+\${decimal(value)}\` : decimal(value)`,
    'only differences are given a sign, and no difference is zero',
    `return value >= 0n ? \`+\${decimal(value)}\` : decimal(value)`,
  ),
  ...kept(
    'src/backtest/recording/candles.ts',
    'if (high > (this.#high[last] as bigint)) this.#high[last] = high',
    'the same number is put where it was',
    'if (high >= (this.#high[last] as bigint)) this.#high[last] = high',
  ),
  ...kept(
    'src/collections/idMap.ts',
    'hash = (hash << 4) | ((code + (code >> 6) * 9) & 15)',
    'a hash that spreads badly costs time only',
    'hash = (hash << 4) | ((code + (code << 6) * 9) & 15)',
  ),
  ...kept(
    'src/projections/memoryHistory.ts',
    'if (this.#last !== null && this.#last.id === accountId) return this.#last',
    'the account asked for last is only found the slower way',
    'if (false) return this.#last',
  ),
  ...kept(
    'src/backtest/evaluate/paths.ts',
    'const CHUNK_ROWS = 1_440',
    'in pieces of which length a path is drawn changes no price of it',
    'const CHUNK_ROWS = 1439',
  ),
  ...kept(
    'src/backtest/feed/delimitedRows.ts',
    'if (price > 0 && counter > 0 && sum <= Number.MAX_SAFE_INTEGER) {',
    'the mid of the smallest price is the same the slower way',
    'if (price > 1 && counter > 0 && sum <= Number.MAX_SAFE_INTEGER) {',
    'if (price > 0 && counter > 1 && sum <= Number.MAX_SAFE_INTEGER) {',
  ),
  ...kept(
    'src/history/storedHistory.ts',
    'this.#lists += 1',
    'the number of a list says which it is, and need not be the next',
    'this.#lists += 2',
  ),
  ...kept(
    'src/backtest/live/liveRun.ts',
    'if (price > this.#high) this.#high = price',
    'the same number is put where it was',
    'if (price >= this.#high) this.#high = price',
  ),
  ...kept(
    'src/backtest/accounting/exposure.ts',
    'if (this.#closest === null || distance < this.#closest) this.#closest = distance',
    'the same number is put where it was',
    'if (this.#closest === null || distance <= this.#closest) this.#closest = distance',
  ),
  ...kept(
    'src/backtest/simulated/correlation.ts',
    'let rest = at(row, column)',
    'a matrix that is not symmetric is refused the line before',
    'let rest = at(column, row)',
  ),
  ...kept(
    'src/store/lmdb/pageWalk.ts',
    'const run = entry < 0n ? Number(-entry) : 1',
    'an entry of zero is passed over the line before',
    'const run = entry < 1n ? Number(-entry) : 1',
  ),
  ...kept(
    'src/host/longAnswer.ts',
    "if (text !== '' && piece.length < PIECE) continue",
    'the same text has more turns of the loop',
    'if (false) continue',
  ),
  ...kept(
    'src/backtest/workers/taskPool.ts',
    '...(workers === undefined ? {} : { workers }),',
    'any number of workers comes to the same outcomes',
    '...(!(workers === undefined) ? {} : { workers }),',
  ),
  ...kept(
    'src/host/context.ts',
    "if (next.value !== '' && short.length < PIECE) continue",
    'an answer of exactly one piece is the same in pieces',
    "if (next.value !== '' && short.length <= PIECE) continue",
  ),
  ...kept(
    'src/backtest/feed/zipArchive.ts',
    'const wide = new WideFields(directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength))',
    'one byte behind the last field is too short for a field of its own',
    'const wide = new WideFields(directory.subarray(at + 46 + nameLength, at + 47 + nameLength + extraLength))',
  ),
  ...kept(
    'src/engine/worldImage.ts',
    'for (let place = this.#met + 1; place < end && this.#were.size > 0; place++) {',
    'of the places that were met nothing is kept any more',
    'for (let place = this.#met - 1; place < end && this.#were.size > 0; place++) {',
  ),
  ...kept(
    'src/backtest/output/presentation.ts',
    `if (ms >= 86_400_000) return \`\${(ms / 86_400_000).toFixed(1)} days\``,
    'a millisecond in a day is less than a tenth of a day shows',
    `if (ms >= 86_400_000) return \`\${(ms / 86399999).toFixed(1)} days\``,
  ),
  ...kept(
    'src/host/stream/beginning.ts',
    'const PATIENCE_MS = 5',
    'a turn of another length changes no answer',
    'const PATIENCE_MS = 4',
  ),
  ...kept(
    'src/host/venue.ts',
    'const COMMANDS_PER_FLUSH = 1_000',
    'how much of a configuration is written at a time changes nothing of what the log holds',
    'const COMMANDS_PER_FLUSH = 999',
  ),
  ...kept(
    'src/host/routes/stream.ts',
    "app.log.error(error, 'a stream could not be resumed')",
    'what is written for the operator beside the end of the stream is no answer',
    ';',
  ),
  ...kept(
    'src/engine/snapshot.ts',
    'untaken = 0',
    'how many records a piece has changes nothing of what the pieces are together',
    'untaken = 1',
  ),
  ...kept(
    'src/engine/projections.ts',
    'const writer = new ByteWriter(1 << 12)',
    'memory grows as it is needed',
    'const writer = new ByteWriter(1 << 13)',
  ),
  ...kept(
    'src/domain/flows/decision.ts',
    '#ids = 0',
    'every command sets it before the first id is drawn',
    '#ids = 1',
  ),
  ...kept(
    'src/domain/triggers/marketLevels.ts',
    'const ABOVE_ALL = FP9_MAXIMUM + 1n',
    'at the largest price there can be the book is asked once in vain',
    'const ABOVE_ALL = FP9_MAXIMUM + 0n',
  ),
  ...kept(
    'src/events/codec/encodedBlocks.ts',
    '#end = 0',
    'the first record begins a block, and where that is written is set with it',
    '#end = -1',
  ),
  ...kept(
    'src/store/lmdb/pageFile.ts',
    'if (meta.lastPage > (2 * this.bytes) / meta.pageBytes + 1_024)',
    'a bound on what a walk has to reserve: that a page lies outside the file is found when it is read',
    'if (meta.lastPage > (1 * this.bytes) / meta.pageBytes + 1_024)',
  ),
  ...kept(
    'src/projections/accountRecord.ts',
    'return equity > floor ? equity - floor : 0n',
    'at the floor the difference is 0',
    'return equity >= floor ? equity - floor : 0n',
  ),
  ...kept(
    'src/history/listRanks.ts',
    'while (tree.length <= chunk + 1) {',
    'a sum for a chunk to come is kept up like the others',
    'while (tree.length <= chunk + 2) {',
  ),
  ...kept(
    'src/history/storedHistory.ts',
    'const [newest] = this.#eventsBefore(sequence, Number.POSITIVE_INFINITY, 1)',
    'only the newest of them is looked at',
    'const [newest] = this.#eventsBefore(sequence, Number.POSITIVE_INFINITY, 2)',
  ),
  ...kept(
    'src/backtest/odds/tradePaths.ts',
    'let source = 0',
    'the first day begins a block, which sets it',
    'let source = -1',
  ),
  ...kept(
    'src/backtest/odds/replay.ts',
    "if (day === 0 || (trades[0]?.opens ?? 1) > 0) add(midnight, 0, 'wait')",
    'the price added or left out is the one that the trade of that midnight opens at, or that stood before',
    "if (day === 1 || (trades[0]?.opens ?? 1) > 0) add(midnight, 0, 'wait')",
  ),
  ...kept(
    'src/backtest/odds/replay.ts',
    "if (worst < Math.min(0, gain)) add(midnight + Math.floor((opens + closes) / 2), worst, 'wait')",
    'at equality the price is that of the opening or of the close, on the same day',
    "if (worst <= Math.min(0, gain)) add(midnight + Math.floor((opens + closes) / 2), worst, 'wait')",
  ),
  ...kept(
    'src/backtest/search/sobol.ts',
    'for (let k = 1; k < s; k++) if ((a >> (s - 1 - k)) & 1) next ^= v[bit - k] as number',
    'the inner coefficients have one bit less than the degree: the bit for k = 0 is never set',
    'for (let k = 0; k < s; k++) if ((a >> (s - 1 - k)) & 1) next ^= v[bit - k] as number',
  ),
  ...kept(
    'src/backtest/strategies/meanReversion.ts',
    'if (close < band.lower || close > band.upper || context.orders(asset).length > 0)',
    'inside the band and without orders there is nothing to decide: only asking is saved',
    'if (close < band.lower || close > band.upper || context.orders(asset).length >= 0)',
  ),
  ...kept(
    'src/backtest/strategies/breakout.ts',
    'if (offset <= 0n || stopLoss <= 0n) return',
    'an average range of one unit, 10⁻⁹ of a quote, is no range',
    'if (offset <= 1n || stopLoss <= 0n) return',
  ),
  ...kept(
    'src/backtest/output/equityChart.ts',
    'return Number(curve.equity[point]) / 1e9',
    'a picture of eight lines, labelled in whole units',
    'return Number(curve.equity[point]) / 999999999',
  ),
  ...kept(
    'src/host/durableAnswers.ts',
    "request.log.info('the engine has stopped')",
    'a line in the log of requests: clients, operators and the exit code are told in other ways',
    ';',
  ),
]
