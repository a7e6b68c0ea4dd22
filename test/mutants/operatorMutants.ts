// Mistakes about what the operator of a running venue is shown.

import { type Mutant, mutant } from './mutant.ts'

const METRICS = 'host/metrics.test.ts'
const WEBHOOKS = 'host/webhooks.test.ts'
const READS = 'properties/operatorReads.test.ts'
const READ_ROUTES = 'host/operatorReads.test.ts'
const SORTED_PART = 'unit/collections/sortedPart.test.ts'
const TRIALS = 'properties/trials.test.ts'
const PREVIEW = 'host/preview.test.ts'

export const OPERATOR_MUTANTS: readonly Mutant[] = [
  mutant(
    'a liquidation counts as a trigger that fired',
    'host/metrics.ts',
    ["if (event.type === 'liquidate') this.#triggers -= 1", ''],
    METRICS,
  ),
  mutant(
    'requests are counted by the path that was asked for',
    'host/metrics.ts',
    ['url === undefined ? NO_ROUTE : url', 'url === undefined ? reply.request.url : url'],
    METRICS,
  ),
  mutant(
    'a stream counts as an answer that took as long as somebody listened',
    'host/metrics.ts',
    ['if (config.isStream !== true)', 'if (config !== null)'],
    METRICS,
  ),
  mutant(
    'nobody counts what the engine refuses of a feed',
    'host/feed/runningFeed.ts',
    ['if (!outcome.ok) metrics.feedRefused(outcome.error.code)', ''],
    METRICS,
  ),
  mutant(
    'accounts that change while they are walked are shown as they came to be',
    'projections/accountsImage.ts',
    [
      'positions: new Set(Array.from(account.positions, (position) => ({ ...position })))',
      'positions: account.positions',
    ],
    READS,
  ),
  mutant(
    'two who are told of changes are one',
    'domain/state/beforeChange.ts',
    ['joined([...listenersOf(world), listener])', 'listener'],
    READS,
  ),
  mutant(
    'what a liquidation takes stays with the account',
    'projections/exposure.ts',
    ['equityAfter -= position.margin + counted', 'equityAfter -= counted'],
    READS,
  ),
  mutant(
    'the profit of a liquidated position is forgotten to the house',
    'projections/exposure.ts',
    ['effect.houseGain += position.margin + raw', 'effect.houseGain += position.margin'],
    READS,
  ),
  mutant(
    'an account that does not trade has headroom',
    'projections/accountSummary.ts',
    [' || !mayTrade(account)', ''],
    READS,
  ),
  mutant(
    'accounts whose ranks share a double stand in the order of their creation',
    'host/accountSearch.ts',
    ['near === Infinity ? 0 :', 'near !== Infinity ? 0 :'],
    READ_ROUTES,
  ),
  mutant(
    'accounts that changed while a page is read are read from columns',
    'projections/accountsImage.ts',
    ['this.#copies.size > 0 && this.#copies.has(account)', 'false'],
    READS,
  ),
  mutant(
    'an account that has changed keeps its row',
    'projections/equityColumns.ts',
    ['      this.#settle()\n      this.#stale = row\n', '      this.#stale = row\n'],
    READS,
  ),
  mutant(
    'a position that is new is not looked for',
    'projections/equityColumns.ts',
    ['what === ACCOUNT && account.positions.size === this.#positionsOf(row)', 'what === ACCOUNT'],
    READS,
  ),
  mutant(
    'a position that has changed is not read again',
    'projections/equityColumns.ts',
    ["if (type === 'payFunding') return", "if (type !== 'payFunding') return"],
    READS,
  ),
  mutant(
    'what is noted of an account first is all that is read of it again',
    'projections/equityColumns.ts',
    ['else if (what === POSITIONS) this.#staleIn = POSITIONS', ''],
    READS,
  ),
  mutant(
    'an account next to the last is taken for it',
    'projections/equityColumns.ts',
    ['this.#sequence[row + 1] === sequence ? row + 1', 'this.#sequence[row + 1] === sequence ? row'],
    READS,
  ),
  mutant(
    'funding leaves the columns as they are',
    'projections/equityColumns.ts',
    ['safeSum(this.#balance[row] as number, event.amount)', 'this.#balance[row] as number'],
    READS,
  ),
  mutant(
    'columns are not read ahead when many accounts have come',
    'host/columnsAhead.ts',
    ['pieces === null ? LOOK_MS : PAUSE_MS', 'pieces === null ? 1e9 : PAUSE_MS'],
    READ_ROUTES,
  ),
  mutant(
    'the columns know no first minute',
    'projections/equityColumns.ts',
    ['isInside ? Math.min(raw, this.#profitReference[place] as number) : raw', 'raw'],
    READS,
  ),
  mutant(
    'an account that does not trade has headroom in the columns',
    'projections/equityColumns.ts',
    [' || !mayTrade(account)', ''],
    READ_ROUTES,
  ),
  mutant(
    'a sum that was rounded is taken for an equity',
    'projections/equityColumns.ts',
    ['if (!Number.isSafeInteger(equity)) return Number.NaN', ''],
    READ_ROUTES,
  ),
  mutant(
    'what is wanted of a sorted whole is looked for up to the first stretch that reaches it',
    'collections/sortedPart.ts',
    ['[first, low], [low + 1, end]', '[first, low]'],
    SORTED_PART,
  ),
  mutant(
    'a page is sorted in one go',
    'collections/sortedPart.ts',
    ['if (looked % stride === 0) yield', ''],
    SORTED_PART,
  ),
  mutant(
    'the last commit of a stretch of the ledger is left out',
    'host/routes/operatorReads.ts',
    ['commit.seq > last.seq', 'commit.seq >= last.seq'],
    READ_ROUTES,
  ),
  mutant(
    'a webhook that answers with a failure has taken what it was told',
    'host/webhooks/webhook.ts',
    ['return response.ok ? null :', 'return response.status > 0 ? null :'],
    WEBHOOKS,
  ),
  mutant(
    'a webhook begins anew with every start',
    'host/webhooks/webhook.ts',
    [
      'kept ?? { seq: engine.durableHead, firstFailedAt: null }',
      '{ seq: engine.durableHead, firstFailedAt: null }',
    ],
    WEBHOOKS,
  ),
  mutant(
    'a delivery is tried for ever',
    'host/webhooks/webhook.ts',
    ['now - firstFailedAt >= this.#pace.patience', 'now - firstFailedAt >= Infinity'],
    WEBHOOKS,
  ),
  mutant(
    'a signature is of a time in milliseconds',
    'host/webhooks/webhook.ts',
    ['Math.floor(this.#clock.wall() / 1_000)', 'this.#clock.wall()'],
    WEBHOOKS,
  ),
  mutant(
    'of a commit with many events the first are told',
    'host/webhooks/webhookEvents.ts',
    ['from < told.length', 'from < 1'],
    WEBHOOKS,
  ),
  mutant(
    'orders that a liquidation makes on the way of time share their ids with those of another instant',
    'engine/trial.ts',
    ['copy.seq += 1', ''],
    TRIALS,
  ),
  mutant(
    'a price is tried without the accounts whose orders wait there',
    'engine/trial.ts',
    ['for (const { accountId } of market?.orders ?? []) yield accounts.get(accountId)', ''],
    TRIALS,
  ),
  mutant(
    'a preview is of the accounts as they were when the venue last did something',
    'engine/trial.ts',
    ['moveClock(copy, at)\n  const before', 'const before'],
    TRIALS,
  ),
  mutant(
    'a preview copies whatever there is',
    'engine/trial.ts',
    ['if (records > most) return null', ''],
    TRIALS,
  ),
  mutant(
    'a command that was given before is previewed as if it were done again',
    'host/routes/preview.ts',
    ['if (isGivenAgain(engine, command, at))', 'if (command === null)'],
    PREVIEW,
  ),
]
