// Mistakes about the command bus and the clock.

import { type Mutant, mutant } from './mutant.ts'

const STEADY = 'host/steadyTime.test.ts'
const FOLLOWING = 'unit/engine/following.test.ts'
const FOLLOWED = 'properties/following.test.ts'
const PROJECTED = 'properties/projections.test.ts'
const PROJECTIONS = 'unit/engine/projections.test.ts'
const CAUSED_BY = 'unit/engine/causedBy.test.ts'

export const ENGINE_MUTANTS: readonly Mutant[] = [
  mutant(
    'the pure decider does not look at who asks (I1)',
    'domain/decider/decider.ts',
    ['decideInPlace(decision, command, caller)', 'decideInPlace(decision, command, null)'],
    'properties/decider.test.ts',
  ),
  mutant(
    'the hash of the state takes every resting order for a market order',
    'engine/stateHash.ts',
    ['    type: orderType,', "    type: 'market',"],
    'golden/resting.test.ts',
  ),
  mutant(
    'the hash of the state calls the peak of a trailing stop by another name',
    'engine/stateHash.ts',
    ['    watermark: peak,', '    peak,'],
    'golden/resting.test.ts',
  ),
  mutant(
    'a projection keeps half of the commit it threw at',
    'projections/projection.ts',
    [
      'const before = changed.get(key)\n',
      'for (const [key, row] of changed) this.#rows.set(key, row as R)\n      const before = changed.get(key)\n',
    ],
    PROJECTIONS,
  ),
  mutant(
    'the second event of a commit on a row forgets the first',
    'projections/projection.ts',
    ['const before = changed.get(key)\n', 'const before = undefined\n'],
    PROJECTED,
  ),
  mutant(
    'a projection goes on after what it threw at',
    'engine/durableProjection.ts',
    ['if (this.blocked !== null || commit.seq', 'if (commit.seq'],
    PROJECTED,
  ),
  mutant(
    'a projection is shown before the commit is durable',
    'engine/commandBus.ts',
    ['if (this.#journal.durableHead === commit.seq) this.#audience.tell', 'this.#audience.tell'],
    PROJECTED,
  ),
  mutant(
    'what was saved under another version is gone on with',
    'engine/durableProjection.ts',
    ['if (schema !== this.#schema) return', "if (schema === '') return"],
    PROJECTED,
  ),
  mutant(
    'what was saved of a log that was cut off and has grown again is gone on with',
    'engine/durableProjection.ts',
    ['!(await stamps.mayBe(seq, stamp))', 'false'],
    PROJECTIONS,
  ),
  mutant(
    'the log is read from the first commit whatever was saved',
    'engine/projections.ts',
    ['of store.read(next)', 'of store.read(1)'],
    PROJECTIONS,
  ),
  mutant(
    'one projection that cannot be caught up takes the others with it',
    'engine/projections.ts',
    ['if (projection.saved < next) projection.block', 'projection.block'],
    PROJECTIONS,
  ),
  mutant(
    'what is saved holds what came after its commit',
    'engine/durableProjection.ts',
    [
      'const { rows } = this.#fold\n    return async (store, stamps) => {',
      'return async (store, stamps) => {\n      const { rows } = this.#fold',
    ],
    PROJECTED,
  ),
  mutant(
    'a projection is told again of what it had folded when it was saved',
    'engine/durableProjection.ts',
    ['if (this.blocked !== null || commit.seq <= this.#saved) return', 'if (this.blocked !== null) return'],
    PROJECTIONS,
  ),
  mutant(
    'one that was not run for a while misses what the snapshot of the state is ahead of it',
    'engine/projections.ts',
    ['if (commit.seq > seq) return\n', 'if (commit.seq >= seq) return\n'],
    PROJECTIONS,
  ),
  mutant(
    'the history lists that rules ask are told of a commit only once it is durable',
    'engine/projections.ts',
    ['for (const fold of this.#decided) fold.apply(commit, applied)', ''],
    'unit/history/history.test.ts',
  ),
  mutant(
    'what was saved ahead of a log that was cut off is kept',
    'store/lmdb/lmdbStore.ts',
    ['await forgetShelvesAfter(directory, log.head)', ''],
    'store/storeFeatures.test.ts',
  ),
  mutant(
    'a projection about ticks misses those of a feed',
    'engine/audience.ts',
    ['|| this.projections.wantTicks', ''],
    PROJECTIONS,
  ),
  mutant(
    'a follower holds whatever it has not read',
    'engine/following.ts',
    ['this.#held > HELD || ', ''],
    FOLLOWING,
  ),
  mutant(
    'what came in columns is left out for a follower',
    'engine/following.ts',
    [' || (last !== undefined && last.seq + 1 !== commit.seq)', ''],
    FOLLOWED,
  ),
  mutant(
    'what was told before it was read comes twice',
    'engine/following.ts',
    ['if (commit.seq < this.#next) continue', ''],
    FOLLOWED,
  ),
  mutant(
    'a follower that leaves waits for one more commit',
    'engine/following.ts',
    ['this.#leave()\n    this.wake()', 'this.#leave()'],
    FOLLOWING,
  ),
  mutant(
    'a follower ends without what was durable',
    'engine/following.ts',
    ['if (this.#hasNext) yield', 'if (this.#hasNext && this.#end === null) yield'],
    FOLLOWING,
  ),
  mutant(
    'a follower waits on when the engine has stopped',
    'engine/engine.ts',
    [
      "this.#audience.followers.end(new EngineStopped('the engine has stopped', { cause: this.failure }))",
      '',
    ],
    FOLLOWING,
  ),
  mutant(
    'what falls due before a command is put down to its sender (K10)',
    'engine/commandBus.ts',
    [
      'this.#commit(decision, due, undefined, null)',
      "this.#commit(decision, due, { type: 'operator', name: 'time' }, null)",
    ],
    CAUSED_BY,
  ),
  mutant(
    'a tick an operator sent loses their name when it is kept as a row of columns (K10)',
    'events/tickColumns.ts',
    ['if (by !== undefined || command.type', 'if (command.type'],
    CAUSED_BY,
  ),
  mutant(
    'a session is put down to the key a caller had before (K10)',
    'engine/commandOptions.ts',
    ['keyId: caller.keyId ?? null', 'keyId: caller.keyId ?? caller.userId'],
    CAUSED_BY,
  ),
  mutant(
    'an answer waits for nothing but its own command (K5)',
    'host/durableAnswers.ts',
    ['if (seq <= engine.durableHead) return', 'if (seq <= engine.head) return'],
    'host/durableAnswers.test.ts',
  ),
  mutant(
    'a rejection of the library does not wait (K5)',
    'engine/engine.ts',
    ["outcome.ok || outcome.error.code !== 'idempotency_key_in_flight'", 'outcome.ok'],
    'unit/engine/durability.test.ts',
  ),
  mutant(
    'a stopped engine replays (K6)',
    'host/durableAnswers.ts',
    ['engine.failure === null || isAnsweredWhenStopped(request)', 'true'],
    'host/durableAnswers.test.ts',
    'unit/engine/durability.test.ts',
    'host/secrecy.test.ts',
  ),
  mutant(
    'an outcome that is not durable is replayed (K6)',
    'engine/commandBus.ts',
    ['if (stored.seq > this.#journal.durableHead) return', 'if (stored.seq > this.#folded.world.seq) return'],
    'unit/engine/idempotency.test.ts',
  ),
  mutant(
    'user and key run into one another (I4)',
    'engine/idempotency.ts',
    ['userId.length} ', 'userId.slice(0, 0)} '],
    'unit/engine/idempotency.test.ts',
  ),
  mutant(
    'what breaks in a timer ends the process',
    'host/unattended.ts',
    ['engine.stop(error)', 'throw error'],
    'host/unattended.test.ts',
  ),
  mutant(
    'a listener that rejects is not blocked (K16)',
    'engine/notices.ts',
    ['.catch(rejected)', '.catch(() => {})'],
    'unit/engine/subscriptions.test.ts',
  ),
  mutant(
    'whoever waits for gathered ticks does not hurry them (K14)',
    'engine/journal.ts',
    ['    this.#hurry()\n    return this.#gathering.written', '    return this.#gathering.written'],
    'unit/engine/gathering.test.ts',
  ),
  mutant(
    'other commits gather as ticks do (K14)',
    'engine/journal.ts',
    [
      'this.#gathering.commits.length < GATHERED && isPlainTick(commit)',
      'this.#gathering.commits.length < GATHERED',
    ],
    'unit/engine/gathering.test.ts',
  ),
  mutant(
    'a group is acknowledged though one before it failed (K6)',
    'engine/journal.ts',
    ['      await before?.written\n', '      await before?.written.catch(() => {})\n'],
    'unit/engine/appendsAtOnce.test.ts',
  ),
  mutant(
    'a group is acknowledged before one that was begun earlier (K5)',
    'engine/journal.ts',
    ['      await before?.written\n', ''],
    'unit/engine/appendsAtOnce.test.ts',
  ),
  mutant(
    'a store is given more appends than it takes at once',
    'engine/journal.ts',
    ['      this.#underWay.length < appendsAtOnce &&\n', ''],
    'unit/engine/appendsAtOnce.test.ts',
  ),
  mutant(
    'a slow store is given the half of the senders that was not answered',
    'engine/journal.ts',
    ['      !this.#pace.isSlow &&\n', ''],
    'unit/engine/slowAppends.test.ts',
  ),
  mutant(
    'whoever was answered by a slow store misses the next write',
    'engine/journal.ts',
    ['if (this.#pace.isSlow && this.#underWay.length === 0 && !isAlone)', 'if (false)'],
    'unit/engine/slowAppends.test.ts',
  ),
  mutant(
    'a group is never written while each turn brings a commit',
    'engine/appendPace.ts',
    [
      'if ((count - before) * tookMs <= count * windowMs) return then()',
      'if (count === before) return then()',
    ],
    'unit/engine/appendPace.test.ts',
  ),
  mutant(
    'a store is let go of while an append behind one that failed is under way',
    'engine/journal.ts',
    ['await Promise.allSettled(this.#underWay', 'await Promise.allSettled(this.#underWay.slice(1)'],
    'unit/engine/appendsAtOnce.test.ts',
  ),
  mutant(
    'events that wait for the disk are handed out as they are (K16)',
    'engine/journal.ts',
    ['readonly holds = true', 'readonly holds = false'],
    'unit/engine/aliasing.test.ts',
  ),
  mutant(
    'parameters that an event says are handed out as they are (K16)',
    'engine/sealedCommit.ts',
    ['if (hasObject(event)) frozen(event)', 'if (hasObject(event)) Object.freeze(event)'],
    'unit/engine/aliasing.test.ts',
  ),
  mutant(
    'a subscriber is told a commit that it can change (K16)',
    'engine/sealedCommit.ts',
    ['for (const event of commit.events) frozen(event)', ''],
    'unit/engine/aliasing.test.ts',
  ),
  mutant(
    'parameters are handed out as they are (K16)',
    'projections/reader.ts',
    [
      'this.#world.markets.get(marketId)?.parameters\n    return parameters && frozen(parameters)',
      'this.#world.markets.get(marketId)?.parameters\n    return parameters',
    ],
    'unit/engine/aliasing.test.ts',
  ),
  mutant(
    'a far wall clock is followed at once (K12)',
    'host/steadyTime.ts',
    ['if (monotonic - this.#pace.since < KEPT_PACE_MS) return null', ''],
    STEADY,
  ),
  mutant(
    'the wall clock need not keep pace (K12)',
    'host/steadyTime.ts',
    ['this.#pace === null || Math.abs(lead - this.#pace.lead) > SAME_PACE_MS', 'this.#pace === null'],
    STEADY,
  ),
  mutant(
    'the time stands still while the wall clock is behind (K12)',
    'host/steadyTime.ts',
    ['const SLEW = 0.1', 'const SLEW = 1'],
    STEADY,
  ),
  mutant(
    'one advance may lead as far as it likes (K12)',
    'engine/commandBus.ts',
    ['command.ms > LONGEST_ADVANCE_MS', 'command.ms > LAST_INSTANT'],
    'unit/engine/time.test.ts',
  ),
  mutant(
    'a log is continued however long ago it ends (K12)',
    'host/venue.ts',
    ['gap !== null && !acceptGap', 'false'],
    'host/clock.test.ts',
  ),
]
