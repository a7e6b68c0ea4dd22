// Mistakes about who may append to a shard and who may answer for it.

import type { Mutant } from './mutant.ts'

const COMES_TO = ['cluster/comesTo.test.ts']
const LEASE = ['cluster/lease.test.ts']
const KEEPER = ['cluster/quotaKeeper.test.ts']
const OPERATING = ['cluster/operating.test.ts']
const QUOTAS = ['cluster/quotas.test.ts']
const ONE_VENUE = ['cluster/oneVenue.test.ts']
const ANY_NODE = ['cluster/anyNode.test.ts']
const TARGETS = ['cluster/hostileTargets.test.ts']
const ROUTING = ['cluster/routing.test.ts']
const SIMULATION = ['cluster/simulation.test.ts']
const STALLED_LOOP = ['host/stalledLoop.test.ts']
const STALLED_NODES = ['cluster/stalledNodes.test.ts']

export const CLUSTER_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a node of another venue on the same database is not noticed',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [['mark === this.#mark ? null : OTHER_VENUE', 'null']],
    tests: ['unit/host/cluster/nodeFront.test.ts'],
  },
  {
    breaks: 'a shard that cannot be opened is tried at every look',
    file: 'src/cluster/troubles.ts',
    edits: [['until: now + wait', 'until: now']],
    tests: LEASE,
  },
  {
    breaks: 'what keeps a shard from being opened is said at every try',
    file: 'src/cluster/troubles.ts',
    edits: [['before?.cause === cause ? null : ', '']],
    tests: LEASE,
  },
  {
    breaks: 'what may be over at the next look is told to whoever asks what keeps a shard from being opened',
    file: 'src/cluster/troubles.ts',
    edits: [['const LASTING = 2', 'const LASTING = 1']],
    tests: LEASE,
  },
  {
    breaks: 'a shard that is open again is told to be one that cannot be opened',
    file: 'src/cluster/node.ts',
    edits: [['reason !== null || opened?.failed === false', 'reason !== null']],
    tests: LEASE,
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
    edits: [['        this.#troubles.tryAll()\n', '']],
    tests: LEASE,
  },
  {
    breaks: 'a host that stood still carries out what clients asked who have gone',
    file: 'src/host/stillThere.ts',
    edits: [
      ['return stalls.areRecent ? onceRead().then(() => refuseGone(connection)) : null', 'return null'],
    ],
    tests: STALLED_LOOP,
  },
  {
    breaks:
      'a host that stood still looks in the turn in which it reads, when the end of a connection is not read yet',
    file: 'src/host/stillThere.ts',
    edits: [['turn < 2', 'turn < 1']],
    tests: STALLED_LOOP,
  },
  {
    breaks: 'a node that stood still has what clients asked who have gone carried out',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [['    if (looking !== null) await looking\n', '']],
    tests: STALLED_NODES,
  },
  {
    breaks: 'a command that waited for an owner is carried out, whoever has gone meanwhile',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [['          if (!changesNothing) refuseGone(request.socket, cameAt)\n', '']],
    tests: STALLED_NODES,
  },
  {
    breaks: 'a node that has left comes back when others tell it to look',
    file: 'src/cluster/node.ts',
    edits: [['if (this.#stopping) return this.#lookAround()', '']],
    tests: LEASE,
  },
  {
    breaks: 'a lease counts from the answer to its renewal',
    file: 'src/cluster/node.ts',
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
    file: 'src/cluster/node.ts',
    edits: [['=== held && this.leaseLeft > 0', '=== held']],
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
    file: 'src/cluster/node.ts',
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
    breaks: 'a machine that was suspended answers under a lease that others have seen run out',
    file: 'src/host/cluster/serveNode.ts',
    edits: [['    wall: () => Date.now(),\n', '']],
    tests: ANY_NODE,
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
    edits: [['if (this.#joined) await membership.drain(this.#life).catch(() => false)', '']],
    tests: LEASE,
  },
  {
    breaks: 'a node leaves and tells nobody',
    file: 'src/cluster/node.ts',
    edits: [['catch(() => false)\n    this.#nudgeOthers()', 'catch(() => false)']],
    tests: LEASE,
  },
  {
    breaks: 'a node takes a shard over and tells nobody who waits for it',
    file: 'src/cluster/node.ts',
    edits: [['        this.#announce(shard)\n', '']],
    tests: LEASE,
  },
  {
    breaks: 'renewals are looked for as often as they are due, and no more often',
    file: 'src/cluster/node.ts',
    edits: [['const LOOKS = 2', 'const LOOKS = 1']],
    tests: LEASE,
  },
  {
    breaks: 'a look between two renewals renews as well',
    file: 'src/cluster/node.ts',
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
    file: 'src/cluster/node.ts',
    edits: [
      [
        'await held.shard.close().catch(() => {})\n      given = await membership.give',
        'given = await membership.give',
      ],
    ],
    tests: LEASE,
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
    file: 'src/cluster/node.ts',
    edits: [['await this.#atMost(foretell(taker.address, shard))', 'void foretell(taker.address, shard)']],
    tests: LEASE,
  },
  {
    breaks: 'a shard is given to whom it was planned for before they had made ready',
    file: 'src/cluster/node.ts',
    edits: [['await (isStillMeant ?', 'await (isStillMeant || to.length > 0 ?']],
    tests: LEASE,
  },
  {
    breaks: 'a shard that was given is opened at the next look',
    file: 'src/cluster/node.ts',
    edits: [['!this.#held.has(shard)) void this.#open(shard)', '!this.#held.has(shard)) void shard']],
    tests: LEASE,
  },
  {
    breaks: 'a node that leaves takes what it is given',
    file: 'src/cluster/node.ts',
    edits: [
      ['this.#joined && !this.#leaving && !this.#held.has(shard)) void', '!this.#held.has(shard)) void'],
    ],
    tests: LEASE,
  },
  {
    breaks: 'nobody makes ready to follow a node that has missed a renewal',
    file: 'src/cluster/silence.ts',
    edits: [['const MISSED = 0.6', 'const MISSED = 2']],
    tests: LEASE,
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
    tests: ['postgres/postgresStore.test.ts'],
  },
  {
    breaks: 'a log is read anew whatever was read of it before',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [
      ['this.#readAhead = isSame(ahead, same?.chain) ? { ...ahead, rest } : null', 'this.#readAhead = null'],
    ],
    tests: ['postgres/postgresStore.test.ts'],
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
    breaks: 'a node gives up a request that its owner has just answered',
    file: 'src/host/cluster/forward.ts',
    edits: [['if (is && was) giveUp()', 'if (is) giveUp()']],
    tests: ['cluster/frozenOwner.test.ts'],
  },
  {
    breaks: 'a renewal that comes late brings back a count that was seen before',
    file: 'src/cluster/postgresMembership.ts',
    edits: [['greatest(renewals, $2)', '$2::bigint']],
    tests: ['cluster/membership.test.ts'],
  },
  {
    breaks: 'a line of quotas whose turn came twice is changed by who saw the other',
    file: 'src/cluster/postgresQuotaLedger.ts',
    edits: [['AND shares = $7::jsonb AND', 'AND $7::jsonb IS NOT NULL AND']],
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
    tests: ['postgres/postgresStore.test.ts'],
  },
  {
    breaks: 'an append ignores the head',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [['AND head = $2 AND epoch = $3 RETURNING', 'AND $2::bigint >= 0 AND epoch = $3 RETURNING']],
    tests: ['postgres/postgresStore.test.ts'],
  },
  {
    breaks: 'an append behind another is chained to what was before both',
    file: 'src/store/postgres/postgresStore.ts',
    edits: [['this.#ahead.head === expectedHead ? this.#ahead.chain : this.#chain', 'this.#chain']],
    tests: ['postgres/postgresStore.test.ts'],
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
    tests: ['postgres/postgresStore.test.ts'],
  },
  {
    breaks: 'the cursor of the history tables moves outside the transaction of the rows',
    file: 'src/store/postgres/historyTables.ts',
    edits: [['const moved = await client.query(', 'const moved = await this.#pool.query(']],
    tests: ['postgres/history.test.ts'],
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
    breaks: 'a former owner writes to the history tables',
    file: 'src/store/postgres/historyTables.ts',
    edits: [['AND seq = $2 AND epoch = $3`', 'AND seq >= 0 * $2::bigint AND $3::bigint > 0`']],
    tests: ['postgres/history.test.ts'],
  },
  {
    breaks: 'a shard is handed over while the node itself asks it for something',
    file: 'src/host/cluster/shardHost.ts',
    edits: [['this.#injected > 0 || ', '']],
    tests: ['unit/host/cluster/shardHost.test.ts'],
  },
  {
    breaks: 'a stream that is asked for while its shard changes hands is never begun',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [['if (body === null || changesNothing) here', 'if (body === null) here']],
    tests: ['unit/host/cluster/nodeFront.test.ts'],
  },
  {
    breaks: 'a command is sent over a connection that its owner is about to close',
    file: 'src/host/cluster/forward.ts',
    edits: [[', timeout: IDLE_MS', '']],
    tests: ['unit/host/cluster/forward.test.ts'],
  },
  {
    breaks: 'rows that a crash of the database took are read as if they had never been',
    file: 'src/store/postgres/rowReading.ts',
    edits: [['if (written < query.upTo)', 'if (written < 0)']],
    tests: ['unit/store/postgres/tableStatements.test.ts'],
  },
  {
    breaks: 'whoever has lost rows of the history goes on with what it takes for written',
    file: 'src/history/pagedHistory.ts',
    edits: [['if (error instanceof RowsLost) this.lost(error)', '']],
    tests: ['history/pagedHistory.test.ts'],
  },
  {
    breaks: 'a row is written to the history tables before its commit is durable',
    file: 'src/history/rowQueue.ts',
    edits: [['if (commit.seq > this.#durable || size >= BATCH) break', 'if (size >= BATCH) break']],
    tests: ['history/tabledHistory.test.ts'],
  },
  {
    breaks: 'a shard that is busy keeps no snapshot, because its rows are never all written',
    file: 'src/history/rowQueue.ts',
    edits: [['while (this.cursor < upTo && ', 'while (this.cursor < Math.max(upTo, this.#durable) && ']],
    tests: ['history/tabledHistory.test.ts'],
  },
  {
    breaks: 'a page shows twice what is written between the question and its answer',
    file: 'src/history/pagedHistory.ts',
    edits: [['standing: () => ({ written: this.#written,', 'standing: () => ({ written: this.#head,']],
    tests: ['history/pagedHistory.test.ts'],
  },
  {
    breaks: 'what ended before a takeover is unknown to a decision',
    file: 'src/history/endedBefore.ts',
    edits: [['some(({ seq }) => seq <= head)', 'some(({ seq }) => seq > head)']],
    tests: ['history/pagedHistory.test.ts', 'cluster/oneVenue.test.ts'],
  },
  {
    breaks: 'a command is decided before what it asks of the past is known',
    file: 'src/host/context.ts',
    edits: [
      [
        '  for (let known = foreknown(engine, command); known !== null; known = foreknown(engine, command)) {\n',
        '  for (const known of [] as Promise<unknown>[]) {\n    void foreknown\n',
      ],
    ],
    tests: ['cluster/oneVenue.test.ts'],
  },
  {
    breaks: 'a page passes over rows as if nothing before it were still to be written',
    file: 'src/history/pagedList.ts',
    edits: [['Math.max(0, before - entries.length)', 'before']],
    tests: ['history/pagedList.test.ts'],
  },
  {
    breaks: 'a quota is free for others before the smaller one of the giver is durable',
    file: 'src/cluster/lineShare.ts',
    edits: [
      ['    await book.set(this.#name, quota)\n    for (', '    void book.set(this.#name, quota)\n    for ('],
    ],
    tests: QUOTAS,
  },
  {
    breaks: 'what was closed is free for others before that is durable',
    file: 'src/cluster/lineShare.ts',
    edits: [['        await book.set(this.#name, quota)\n        const seen', '        const seen']],
    tests: QUOTAS,
  },
  {
    breaks: 'a quota that was claimed under another maximum is taken all the same',
    file: 'src/cluster/lineShare.ts',
    edits: [
      [
        'continue\n        this.#isOver = amount > taken\n        this.#settledAt',
        '{}\n        this.#isOver = amount > taken\n        this.#settledAt',
      ],
      [
        'continue\n        this.#isOver = amount > taken\n        await',
        '{}\n        this.#isOver = amount > taken\n        await',
      ],
    ],
    tests: KEEPER,
  },
  {
    breaks: 'a shard takes of a maximum that others have not heard of',
    file: 'src/cluster/lineShare.ts',
    edits: [['known === null || known > maximum', 'known === null']],
    tests: QUOTAS,
  },
  {
    breaks: 'a shard keeps a quota under a smaller maximum without a look at what others have',
    file: 'src/cluster/lineShare.ts',
    edits: [['least(quota, greatest(this.#free(seen, maximum), 0n))', 'least(quota, maximum)']],
    tests: QUOTAS,
  },
  {
    breaks: 'what does not fit a smaller maximum is free before the log has less',
    file: 'src/cluster/lineShare.ts',
    edits: [
      [
        '      await book.set(this.#name, kept)\n      const amount',
        '      void book.set(this.#name, kept)\n      const amount',
      ],
    ],
    tests: QUOTAS,
  },
  {
    breaks: 'a smaller maximum that others have heard of is undone before the log of the first shard has it',
    file: 'src/cluster/lineShare.ts',
    edits: [['standing === null || this.#awaitsSmaller(standing)', 'standing === null']],
    tests: KEEPER,
  },
  {
    breaks: 'a smaller maximum that was announced and never came holds for good',
    file: 'src/cluster/lineShare.ts',
    edits: [['this.#announced.until = this.#terms.clock.monotonic() + ANNOUNCED_MS', 'return']],
    tests: KEEPER,
  },
  {
    breaks: 'a smaller maximum withdraws quotas that fit it',
    file: 'src/host/cluster/shardQuotas.ts',
    edits: [['      this.#keep(wanted.id, kept, { long, short })\n', '']],
    tests: ONE_VENUE,
  },
  {
    breaks: 'a stream whose owner died ends without a reason',
    file: 'src/host/cluster/socketRelay.ts',
    edits: [['code !== 1005 && code !== 1006 && code !== 1015', 'code !== 1005 && code !== 1015']],
    tests: ['cluster/relay.test.ts'],
  },
  {
    breaks: 'a feed that was taken over moves prices on',
    file: 'src/host/cluster/priceSpread.ts',
    edits: [['if (epoch < this.#newest) return', 'if (epoch < 0) return']],
    tests: ['cluster/priceSpread.test.ts'],
  },
  {
    breaks: 'a quota bounds nothing (C5)',
    file: 'src/domain/formulas/openNotional.ts',
    edits: [['return quota[direction] < maximum ? quota[direction] : maximum', 'return maximum']],
    tests: ['unit/domain/commands/setNotionalQuota.test.ts'],
  },
  {
    breaks: 'quotas outlive the maximum that they were a part of (C5)',
    file: 'src/domain/commands/configureMarket.ts',
    edits: [['was !== null && was <= maximum', 'was !== null']],
    tests: ['unit/domain/commands/setNotionalQuota.test.ts'],
  },
  {
    breaks: 'a client names the host that its request is sent on to, with the secret of the cluster',
    file: 'src/host/cluster/forward.ts',
    edits: [
      ['send(new URL(address), {', 'send(new URL(url, address), {'],
      ['      path: url,\n', ''],
    ],
    tests: TARGETS,
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
    breaks: 'answers that nobody reads use up the connections between nodes',
    file: 'src/host/cluster/forward.ts',
    edits: [['keepAlive: true, timeout', 'keepAlive: true, maxSockets: 256, timeout']],
    tests: ['unit/host/cluster/forward.test.ts'],
  },
  {
    breaks: 'a client that waits for no answer opens as many connections between nodes as it likes',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [["if (!wasForwarded && this.#node.where(shard).at !== 'here') await before", '']],
    tests: ['unit/host/cluster/nodeFront.test.ts'],
  },
  {
    breaks: 'what waited for an owner is carried out though its client has gone, and has asked again',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [['if (response.destroyed) return { answer: null }', '']],
    tests: ['unit/host/cluster/nodeFront.test.ts'],
  },
  {
    breaks: 'the answer for a client that has gone keeps its connection',
    file: 'src/host/cluster/passing.ts',
    edits: [['if (response.destroyed) return void answer.destroy()', '']],
    tests: ['unit/host/cluster/passing.test.ts'],
  },
  {
    breaks: 'a client names the host that its WebSocket is dialled at',
    file: 'src/host/cluster/passing.ts',
    edits: [['at.pathname = written', 'at.href = new URL(request.url as string, at).href']],
    tests: TARGETS,
  },
  {
    breaks: 'a node listens for half of its lease after it has left, however long that is',
    file: 'src/host/cluster/serveNode.ts',
    edits: [['Math.min(leaseMs / 2, SEEN_MS)', 'leaseMs / 2']],
    tests: OPERATING,
  },
  {
    breaks: 'a node whose database says nothing does not end',
    file: 'src/cli/serve.ts',
    edits: [['      process.exit(0)\n    }, ENDED_MS)', '    }, ENDED_MS)']],
    tests: OPERATING,
  },
  {
    breaks: 'a client says from which address it comes',
    file: 'src/host/cluster/addressing.ts',
    edits: [['if (!wasForwarded) headers[CLIENT_HEADER] =', 'if (!wasForwarded) headers[CLIENT_HEADER] ??=']],
    tests: ANY_NODE,
  },
  {
    breaks: 'whoever comes by way of a node has its address',
    file: 'src/host/serveVenue.ts',
    edits: [['isBehindNode: shard !== undefined', 'isBehindNode: false']],
    tests: ANY_NODE,
  },
  {
    breaks: 'a node lets operator tokens be guessed without end',
    file: 'src/host/cluster/operatorFront.ts',
    edits: [['if (credential.presented) this.#wrongTokens.add(client)', '']],
    tests: ANY_NODE,
  },
  {
    breaks: 'commands before one that is beyond a role are carried out at a node',
    file: 'src/host/cluster/operatorFront.ts',
    edits: [['mayActAs(role, COMMAND_ROLES[command.type])', 'true']],
    tests: ANY_NODE,
  },
  {
    breaks: 'webhooks of a cluster do not say which shard they tell of',
    file: 'src/host/serveVenue.ts',
    edits: [['    shard,\n    pace: options.webhookPace', '    pace: options.webhookPace']],
    tests: ONE_VENUE,
  },
  {
    breaks: 'anybody may have a node read four mebibytes',
    file: 'src/host/cluster/nodeFront.ts',
    edits: [['wasForwarded ? undefined : this.#operators.mostOf(request)', 'undefined']],
    tests: ANY_NODE,
  },
  {
    breaks: 'connections of other nodes count as those of a client',
    file: 'src/host/connectionBound.ts',
    edits: [
      [
        '    this.#forget(networkOf(connection.remoteAddress',
        '    if (this.#most > 0) return\n    this.#forget(networkOf(connection.remoteAddress',
      ],
    ],
    tests: ['unit/host/connectionBound.test.ts'],
  },
]
