// Mistakes about what a user is given: the codec for stores, the table of commands, and what each order type can be told.

import { type Mutant, mutant } from './mutant.ts'

const MARGIN = 'host/marginOfVersion.test.ts'
const CODEC = 'store/codec.test.ts'
const PLACEMENTS = 'unit/placeOrderTypes.test.ts'

export const SURFACE_MUTANTS: readonly Mutant[] = [
  mutant(
    'a change of margin is made to whatever version of its position there is',
    'host/routes/positions.ts',
    ['version === null || wanted', 'version !== null || wanted'],
    MARGIN,
  ),
  mutant(
    'a version that is asked for is looked at before, and not when the change is decided',
    'host/context.ts',
    [
      'const refused = precondition()',
      'const refused = precondition()\n  await new Promise((resolve) => setTimeout(resolve, 20))',
    ],
    MARGIN,
  ),
  mutant(
    'the version of a position is told to users who do not have it',
    'engine/internals.ts',
    [' || accounts.known(position.accountId).userId !== userId', ''],
    MARGIN,
  ),
  mutant(
    'the client keeps the version to itself',
    'client/requests.ts',
    ['...(version !== undefined && {', '...(version === undefined && {'],
    MARGIN,
  ),
  mutant(
    'a form forgets the attempt that was lost where the next one is refused',
    'host/console/page/shared/lostAttempts.ts',
    ['mayBeDone(error) ? attempt : before', 'mayBeDone(error) ? attempt : null'],
    'unit/host/lostAttempts.test.ts',
  ),
  mutant(
    'an id that was just made is written with a word of another',
    'events/codec/uuidWords.ts',
    ['knownWords[at + 3] = words[from + 3] as number', 'knownWords[at + 3] = words[from + 2] as number'],
    CODEC,
  ),
  mutant(
    'an id that ends like one before it is written as that',
    'events/codec/uuidWords.ts',
    ['if (knownTexts[slot] === text) return at', "if (knownTexts[slot] !== '') return at"],
    CODEC,
  ),
  mutant(
    'an id that begins like one before it is written as that',
    'events/codec/byteWriter.ts',
    [' && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d', ''],
    CODEC,
  ),
  mutant(
    'a commit with bytes behind it is taken for one',
    'events/codec/index.ts',
    ['reader.at !== bytes.length', 'reader.at > bytes.length'],
    CODEC,
  ),
  mutant(
    'a commit that was cut off is told as an error in the program',
    'events/codec/index.ts',
    ['error instanceof RangeError', 'error instanceof SyntaxError'],
    CODEC,
  ),
  mutant(
    'the bytes of a commit begin with those of the one before',
    'events/codec/index.ts',
    ['  writer.reset()\n', '  writer.forgetIds()\n'],
    CODEC,
  ),
  mutant(
    'a stop is said to need a leverage, which it takes from its position',
    'events/placeOrder.ts',
    ["stop: { positionId: 'required'", "stop: { leverage: 'required', positionId: 'required'"],
    PLACEMENTS,
  ),
  mutant(
    'a limit order is said to do without its price',
    'events/placeOrder.ts',
    [
      "limit: { ...INCREASE, triggerPrice: 'required' },\n  stop:",
      "limit: { ...INCREASE, triggerPrice: 'optional' },\n  stop:",
    ],
    PLACEMENTS,
  ),
  mutant(
    'nobody says any more that an increase has a size limit',
    'events/placeOrder.ts',
    ["  expectedAmount: 'optional',\n", ''],
    PLACEMENTS,
  ),
  mutant(
    'an instant in JSON is read as a number of milliseconds',
    'host/fieldsFromJson.ts',
    ['      return parseInstant', '      return asItIs(stem)'],
    'host/operator.test.ts',
  ),
  mutant(
    'what was added to a command is looked for where it was stored before',
    'events/codec/storedKinds.ts',
    ['.slice(0, place)', '.slice(0, place + 1)'],
    'golden/golden.test.ts',
  ),
  mutant(
    'a parameter without a value is stored as one that was left out',
    'events/codec/storedKinds.ts',
    ['return fieldsOf(kinds, nullable)', 'return fieldsOf(kinds, optional)'],
    'golden/golden.test.ts',
  ),
  mutant(
    'a bound of a field is forgotten',
    'terms/fieldValues.ts',
    ['bound === null ? testOfStem(stem) : testOfBound(bound)', 'testOfStem(stem)'],
    'unit/domain/commands/fieldCheck.test.ts',
  ),
  mutant(
    'a frozen account can be frozen again (J10)',
    'terms/accountStatus.ts',
    ["stops: ['fail', 'manual']", "stops: ['fail', 'freeze', 'manual']"],
    'unit/domain/flows/endPhase.test.ts',
  ),
  mutant(
    'the days of a frozen account are not counted (H5)',
    'terms/accountStatus.ts',
    ['frozen: { trades: false, hasDays: true', 'frozen: { trades: false, hasDays: false'],
    'properties/days.test.ts',
  ),
  mutant(
    'a close-only market takes everything (G2)',
    'terms/marketStatus.ts',
    ["takes: 'closes_at_market', rejectsWith: 'market_close_only' }", "takes: 'orders', rejectsWith: null }"],
    'unit/domain/commands/availability.test.ts',
  ),
  mutant(
    'a close-only market liquidates nobody (G2)',
    'terms/marketStatus.ts',
    ['close_only: { evaluates: true', 'close_only: { evaluates: false'],
    'unit/domain/commands/availability.test.ts',
    'unit/domain/commands/updatePrice.test.ts',
  ),
  mutant(
    'an account that is funded can be promoted (H7)',
    'terms/accountStatus.ts',
    ['funded: { next: null }', "funded: { next: 'funded' }"],
    'unit/domain/formulas/profitTarget.test.ts',
  ),
  mutant(
    'every order type is asked about every field (I2)',
    'events/placeOrder.ts',
    ['return field in PLACEMENT_USES[type]', 'return true'],
    'unit/domain/commands/orderShape.test.ts',
  ),
  mutant(
    'a close is asked for its position before its trigger (I2)',
    'domain/commands/orderShape.ts',
    ['  namesOf(CHECKS)\n', '  [...namesOf(CHECKS)].reverse()\n'],
    'unit/domain/commands/orderShape.test.ts',
  ),
  mutant(
    'the id of a key leads nowhere in capitals (A4)',
    'host/routes/apiKeys.ts',
    ['keyId: id.toLowerCase()', 'keyId: id'],
    'host/apiKeys.test.ts',
  ),
  mutant(
    'the usual name of the header with the idempotency key counts for nothing (I4)',
    'host/operation.ts',
    ["['x-idempotency-key', 'idempotency-key']", "['x-idempotency-key']"],
    'host/idempotency.test.ts',
  ),
  mutant(
    'a configuration is a flush for each of its lines',
    'host/venue.ts',
    ['const COMMANDS_PER_FLUSH = 1_000', 'const COMMANDS_PER_FLUSH = 1'],
    'host/configuredKeys.test.ts',
  ),
  mutant(
    'a page reads every chunk that is newer than it',
    'history/listRanks.ts',
    [
      '    const bits = list.replaced === 0 ? undefined : holes(chunk)\n',
      '    for (let newer = chunk + 1; newer * CHUNK < list.created; newer++) holes(newer)\n    const bits = list.replaced === 0 ? undefined : holes(chunk)\n',
    ],
    'unit/history/listRanks.test.ts',
  ),
  mutant(
    'a log that is only read is made where there is none',
    'store/lmdb/nodeDisk.ts',
    [
      "if (error.code === 'ENOENT') return []",
      "if (error.code === 'ENOENT') return makeDirectory(this.#directory).then(() => [])",
    ],
    'store/nodeDisk.test.ts',
  ),
]
