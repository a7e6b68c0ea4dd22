// Mistakes about who may append to a shard and who may answer for it.

import type { Mutant } from './mutant.ts'

const COMES_TO = ['cluster/comesTo.test.ts']
const LEASE = ['cluster/lease.test.ts']
const ROUTING = ['cluster/routing.test.ts']
const SIMULATION = ['cluster/simulation.test.ts']
const HANDS = ['cluster/changingHands.test.ts']
const TROUBLES = ['cluster/troubles.test.ts']
const STORE = ['postgres/postgresStore.test.ts']

export const OWNERSHIP_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a shard that cannot be opened is tried at every look',
    file: 'src/cluster/troubles.ts',
    edits: [['until: now + wait', 'until: now']],
    tests: TROUBLES,
  },
  {
    breaks: 'what keeps a shard from being opened is said at every try',
    file: 'src/cluster/troubles.ts',
    edits: [['before?.cause === cause ? null : ', '']],
    tests: TROUBLES,
  },
  {
    breaks: 'what may be over at the next look is told to whoever asks what keeps a shard from being opened',
    file: 'src/cluster/troubles.ts',
    edits: [['const LASTING = 2', 'const LASTING = 1']],
    tests: TROUBLES,
  },
  {
    breaks: 'a shard that was given away is answered for as long as the lease goes on',
    file: 'src/cluster/holdings.ts',
    edits: [['this.#held.get(shard) === held && this.#seat.left > 0', 'this.#seat.left > 0']],
    tests: ['cluster/changingHands.test.ts'],
  },
  {
    breaks: 'a shard that is open again is told to be one that cannot be opened',
    file: 'src/cluster/holdings.ts',
    edits: [['reason !== null || opened?.failed === false', 'reason !== null']],
    tests: TROUBLES,
  },
  {
    breaks: 'a shard that changes hands waits for a flush of the row that says so',
    file: 'src/cluster/postgresMembership.ts',
    edits: [
      ["set_config('synchronous_commit', 'off', true)", "set_config('synchronous_commit', 'on', true)"],
    ],
    tests: ['cluster/membership.test.ts'],
  },
  {
    breaks: 'a shard that could not be opened while the database was away is waited for when that is back',
    file: 'src/cluster/node.ts',
    edits: [['        this.#holdings.tryAll()\n', '']],
    tests: TROUBLES,
  },
  {
    breaks: 'a node that has left comes back when others tell it to look',
    file: 'src/cluster/node.ts',
    edits: [['if (this.#stopping) return this.#lookAround()', '']],
    tests: HANDS,
  },
  {
    breaks: 'a lease counts from the answer to its renewal',
    file: 'src/cluster/seat.ts',
    edits: [
      [
        'if (isThere && life === this.#life) this.#lease.renewed(sent)',
        'if (isThere && life === this.#life) this.#lease.renewed(clock.monotonic())',
      ],
    ],
    tests: LEASE,
  },
  {
    breaks: 'an answer leaves without a look at the lease',
    file: 'src/cluster/holdings.ts',
    edits: [['=== held && this.#seat.left > 0', '=== held']],
    tests: LEASE,
  },
  {
    breaks: 'a node is expelled before its lease has run out',
    file: 'src/cluster/silence.ts',
    edits: [['now - sight.since >= leaseMs * (1 + DRIFT)', 'now - sight.since >= leaseMs * 0.3']],
    tests: SIMULATION,
  },
  {
    breaks: 'a node that is not heard joins again under the same life',
    file: 'src/cluster/seat.ts',
    edits: [['    this.#life = newLife()\n', '    this.#life ||= newLife()\n']],
    tests: LEASE,
  },
  {
    breaks: 'a lease counts from when its renewal is known',
    file: 'src/cluster/lease.ts',
    edits: [['this.#sent.monotonic) this.#sent = sent', 'this.#sent.monotonic) this.#sent = this.#clocks()']],
    tests: LEASE,
  },
  {
    breaks: 'what the wall clock says has passed counts for nothing in a lease',
    file: 'src/cluster/lease.ts',
    edits: [
      [
        'Math.max(now.monotonic - this.#sent.monotonic, now.wall - this.#sent.wall)',
        '(now.monotonic - this.#sent.monotonic)',
      ],
    ],
    tests: LEASE,
  },
  {
    breaks: 'a lease does not run out, as clients of the simulation notice',
    file: 'src/cluster/lease.ts',
    edits: [['    const now = this.#clocks()\n', '    const now = this.#sent\n']],
    tests: SIMULATION,
  },
  {
    breaks: 'a node that was killed is expelled after two leases',
    file: 'src/cluster/silence.ts',
    edits: [
      ['now - sight.since >= leaseMs * (1 + DRIFT)', 'now - sight.since >= leaseMs * 2'],
      ['leaseMs * (1 + DRIFT) - now', 'leaseMs * 2 - now'],
    ],
    tests: SIMULATION,
  },
  {
    breaks: 'a node that leaves says so to nobody, and is given back what it gave',
    file: 'src/cluster/node.ts',
    edits: [['if (this.#seat.hasJoined) await membership.drain(this.#seat.life).catch(() => false)', '']],
    tests: HANDS,
  },
  {
    breaks: 'a node leaves and tells nobody',
    file: 'src/cluster/node.ts',
    edits: [['catch(() => false)\n    this.#nudgeOthers()', 'catch(() => false)']],
    tests: HANDS,
  },
  {
    breaks: 'a node takes a shard over and tells nobody who waits for it',
    file: 'src/cluster/holdings.ts',
    edits: [['        this.#holder.opened(shard)\n', '']],
    tests: HANDS,
  },
  {
    breaks: 'renewals are looked for as often as they are due, and no more often',
    file: 'src/cluster/node.ts',
    edits: [['const LOOKS = 2', 'const LOOKS = 1']],
    tests: LEASE,
  },
  {
    breaks: 'a look between two renewals renews as well',
    file: 'src/cluster/seat.ts',
    edits: [['const RENEWED_FROM = 0.6', 'const RENEWED_FROM = 0.4']],
    tests: LEASE,
  },
  {
    breaks: 'a lease that runs out between two looks is looked at when the next is due',
    file: 'src/cluster/node.ts',
    edits: [['    this.#lookWhenDue(others, now)\n  }', '  }']],
    tests: LEASE,
  },
  {
    breaks: 'whoever waits for a hand-over is told that it is over when the time is',
    file: 'src/cluster/comesTo.ts',
    edits: [['if (isLast) return false', 'if (isLast) return true']],
    tests: COMES_TO,
  },
  {
    breaks: 'whoever waits for a hand-over gives up where a failover comes between',
    file: 'src/cluster/comesTo.ts',
    edits: [['if (isLast) throw error', 'throw error']],
    tests: COMES_TO,
  },
  {
    breaks: 'a shard is with a node that had it in a life before',
    file: 'src/cluster/comesTo.ts',
    edits: [['lives.includes(owner)', 'lives.some((life) => life.split("-")[0] === owner.split("-")[0])']],
    tests: COMES_TO,
  },
  {
    breaks: 'a shard is given away before what is under way is answered',
    file: 'src/cluster/handOver.ts',
    edits: [
      [
        'await held.shard.close().catch(() => {})\n      given = await membership.give',
        'given = await membership.give',
      ],
    ],
    tests: HANDS,
  },
  {
    breaks: 'who was frozen when it was asked is waited for until it wakes',
    file: 'src/cluster/routing.ts',
    edits: [
      ["now.at !== 'there' || now.address !== found.address", "now.at !== 'there' && now.at === 'there'"],
    ],
    tests: SIMULATION,
  },
  {
    breaks: 'a shard stops before its next owner has made ready',
    file: 'src/cluster/handOver.ts',
    edits: [['await this.#atMost(foretell(taker.address, shard))', 'void foretell(taker.address, shard)']],
    tests: HANDS,
  },
  {
    breaks: 'a shard is given to whom it was planned for before they had made ready',
    file: 'src/cluster/handOver.ts',
    edits: [['await (isStillMeant ?', 'await (isStillMeant || to.length > 0 ?']],
    tests: HANDS,
  },
  {
    breaks: 'a shard that was given is opened at the next look',
    file: 'src/cluster/node.ts',
    edits: [['void this.#holdings.take(shard)', 'void shard']],
    tests: HANDS,
  },
  {
    breaks: 'a node that leaves takes what it is given',
    file: 'src/cluster/node.ts',
    edits: [
      [
        'this.#seat.hasJoined && !this.#leaving && !this.#holdings.all.has(shard))\n',
        '!this.#holdings.all.has(shard))\n',
      ],
    ],
    tests: HANDS,
  },
  {
    breaks: 'nobody makes ready to follow a node that has missed a renewal',
    file: 'src/cluster/silence.ts',
    edits: [['const MISSED = 0.6', 'const MISSED = 2']],
    tests: HANDS,
  },
  {
    breaks: 'what was read of a log before it was opened is taken for it, whatever its chain',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [
      [
        'return ahead !== null && chain?.equals(ahead.chain) === true',
        'return ahead !== null || chain === null',
      ],
    ],
    tests: STORE,
  },
  {
    breaks: 'a log is read anew whatever was read of it before',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [
      ['this.#readAhead = isSame(ahead, same?.chain) ? { ...ahead, rest } : null', 'this.#readAhead = null'],
    ],
    tests: STORE,
  },
  {
    breaks: 'a read that nobody answered is not asked again',
    file: 'src/cluster/routing.ts',
    edits: [["(forwarded === 'unknown' && isRead)", "(forwarded === 'unknown' && isRead && wasForwarded)"]],
    tests: ROUTING,
  },
  {
    breaks: 'a request waits for the end of a look, though its shard is open by then',
    file: 'src/cluster/routing.ts',
    edits: [["if (found.at === 'there') void node.look()", "if (found.at === 'there') await node.look()"]],
    tests: ROUTING,
  },
  {
    breaks: 'what came since a log was read before it was opened is asked for once more',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [['undefined, { head, rows })', 'undefined, { head, rows: rows.slice(rows.length) })']],
    tests: ['unit/store/postgres/storeStatements.test.ts'],
  },
  {
    breaks: 'a command whose outcome nobody knows is sent again',
    file: 'src/cluster/routing.ts',
    edits: [["(forwarded === 'unknown' && isRead)", "forwarded === 'unknown'"]],
    tests: ROUTING,
  },
  {
    breaks: 'what was sent on to a node that opens the shard is sent back',
    file: 'src/cluster/routing.ts',
    edits: [["if (wasForwarded && !(found.at === 'nowhere' && found.isComing))", 'if (wasForwarded)']],
    tests: ROUTING,
  },
  {
    breaks: 'a renewal that comes late brings back a count that was seen before',
    file: 'src/cluster/postgresMembership.ts',
    edits: [['greatest(renewals, $2)', '$2::bigint']],
    tests: ['cluster/membership.test.ts'],
  },
  {
    breaks: 'what was given away late robs an owner that has opened its shard anew',
    file: 'src/cluster/postgresMembership.ts',
    edits: [['AND owner = $2 AND epoch = $3', 'AND owner = $2 AND $3::bigint > 0']],
    tests: ['cluster/membership.test.ts'],
  },
  {
    breaks: 'an append ignores the epoch',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [['head = $2 AND epoch = $3 RETURNING', 'head = $2 AND $3::bigint > 0 RETURNING']],
    tests: STORE,
  },
  {
    breaks: 'an append ignores the head',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [['AND head = $2 AND epoch = $3 RETURNING', 'AND $2::bigint >= 0 AND epoch = $3 RETURNING']],
    tests: STORE,
  },
  {
    breaks: 'an append behind another is chained to what was before both',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [['this.#ahead.head === expectedHead ? this.#ahead.chain : this.#chain', 'this.#chain']],
    tests: STORE,
  },
  {
    breaks: 'appends under way go over connections of their own',
    file: 'src/store/postgres/appendLane.ts',
    edits: [
      [
        'const client = this.#client ?? (await this.#connected())',
        'const client = await this.#pool.connect()',
      ],
    ],
    tests: STORE,
  },
  {
    breaks: 'a database that is lost in the middle of a transaction ends the process',
    file: 'src/store/postgres/tables.ts',
    edits: [["  client.on('error', lost)\n", '']],
    tests: ['unit/store/postgres/tableStatements.test.ts'],
  },
  {
    breaks:
      'a connection to the database that is taken, and asked nothing, ends the process with its own end',
    file: 'src/store/postgres/primary.ts',
    edits: [["      this.on('error', () => {})\n", '']],
    tests: ['postgres/lateConnection.test.ts'],
  },
  {
    breaks: 'a connection to the database that comes too late is lost to its pool',
    file: 'src/store/postgres/primary.ts',
    edits: [['if (isTold) client?.release()', 'if (isTold) return']],
    tests: ['postgres/lateConnection.test.ts'],
  },
  {
    breaks: 'the settings of a database are looked at when it is opened, and not of the next primary',
    file: 'src/store/postgres/database.ts',
    edits: [
      ['checkSettings(client, unsafeDatabase).then(() => done(), done)', 'done()'],
      [
        'await prepare(pool, schema)',
        'await pool.connect().then((one) => checkSettings(one, unsafeDatabase).finally(() => one.release()))\n    await prepare(pool, schema)',
      ],
    ],
    tests: ['postgres/failover.test.ts'],
  },
  {
    breaks: 'a shard that was given is opened again on the word of a look that had begun before',
    file: 'src/cluster/handOver.ts',
    edits: [['if (given) this.#looks.isGone(shard)', '']],
    tests: HANDS,
  },
  {
    breaks: 'a shard that is another’s by the time it is opened is told as trouble',
    file: 'src/cluster/holdings.ts',
    edits: [['if (error instanceof OwnedElsewhere) this.#looks.isGone(shard)\n      else this', 'this']],
    tests: HANDS,
  },
]
