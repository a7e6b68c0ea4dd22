// Mistakes about what a node does with requests that are others’ to answer.

import type { Mutant } from './mutant.ts'

const OPERATING = ['cluster/operating.test.ts']
const ONE_VENUE = ['cluster/oneVenue.test.ts']
const ANY_NODE = ['cluster/anyNode.test.ts']
const TARGETS = ['cluster/hostileTargets.test.ts']
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
    breaks: 'a machine that was suspended answers under a lease that others have seen run out',
    file: 'src/host/cluster/serveNode.ts',
    edits: [['    wall: () => Date.now(),\n', '']],
    tests: ANY_NODE,
  },
  {
    breaks: 'a node gives up a request that its owner has just answered',
    file: 'src/host/cluster/forward.ts',
    edits: [['if (is && was) giveUp()', 'if (is) giveUp()']],
    tests: ['cluster/frozenOwner.test.ts'],
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
    breaks: 'a client names the host that its request is sent on to, with the secret of the cluster',
    file: 'src/host/cluster/forward.ts',
    edits: [
      ['send(new URL(address), {', 'send(new URL(url, address), {'],
      ['      path: url,\n', ''],
    ],
    tests: TARGETS,
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
    edits: [['      process.exit(0)\n    }, options.endWithin)', '    }, options.endWithin)']],
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
