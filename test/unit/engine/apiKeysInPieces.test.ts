// The API keys in a snapshot are those of the moment at which it was begun, in their order, whatever happens to them before
// their turn comes (K15).

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configuredKeyId } from '../../../src/domain/formulas/configuredKeyId.ts'
import { LevelTriggers } from '../../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../../src/engine/fold.ts'
import { beginSnapshot, restoreSnapshot, takeSnapshot } from '../../../src/engine/snapshot.ts'
import { type Command, type Commit, createEngine } from '../../../src/index.ts'
import { joined } from '../../../src/store/store.ts'

const fresh = () => new Folded((world) => new LevelTriggers(world))
const hashOf = (n: number) => n.toString(16).padStart(64, '0')

const KINDS = ['register', 'configure', 'refresh', 'revoke', 'amend', 'withdraw'] as const
/** Keys of the configuration have odd numbers. */
const aChange = fc.record({
  kind: fc.constantFrom(...KINDS),
  n: fc.nat({ max: 15 }),
  userId: fc.constantFrom('u1', 'u2'),
})
const aHistory = fc.record({
  changes: fc.array(aChange, { minLength: 40, maxLength: 100, size: 'max' }),
  begun: fc.integer({ min: 10, max: 30 }),
  /** Changes before each piece. */
  pace: fc.array(fc.nat({ max: 3 }), { minLength: 20, maxLength: 20 }),
})

function commandOf(
  { kind, n, userId }: typeof aChange extends fc.Arbitrary<infer T> ? T : never,
  at: number,
): Command {
  const [even, odd] = [`key-${n - (n % 2)}`, configuredKeyId(hashOf(n | 1))]
  const keyId = n % 2 === 0 ? even : odd
  const secret = { hash: hashOf(100 + at), prefix: 'x', expiresAt: null }
  const terms = { userId, name: `at ${at}`, maxLive: 100 }
  switch (kind) {
    case 'register':
      return { type: 'registerApiKey', keyId: even, ...terms, ...secret }
    case 'configure':
      return { type: 'registerApiKey', keyId: odd, ...terms, ...secret, hash: hashOf(n | 1) }
    case 'refresh':
      return { type: 'refreshApiKey', keyId, userId, ...secret }
    case 'revoke':
      return { type: 'revokeApiKey', keyId, userId }
    case 'amend':
      return { type: 'amendApiKey', keyId: odd, userId, expiresAt: at + 5 }
    case 'withdraw':
      return { type: 'withdrawApiKey', keyId: odd }
  }
}

async function commitsOf(commands: readonly Command[]): Promise<Commit[]> {
  const engine = createEngine({ at: 0 })
  for (const [at, command] of commands.entries()) engine.dispatch(command, { at })
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

test('keys that come, change, move or leave meanwhile leave the bytes as they were', async () => {
  const reached = { left: 0, moved: 0, replaced: 0, came: 0 }
  await fc.assert(
    fc.asyncProperty(aHistory, async ({ changes, begun, pace }) => {
      const commits = await commitsOf(changes.map(commandOf))
      const folded = fresh()
      for (const commit of commits.slice(0, begun)) folded.fold(commit)
      const expected = takeSnapshot(folded).bytes
      const there = new Map([...folded.world.apiKeys.all()].map((key) => [key.id, key]))

      const snapshot = beginSnapshot(folded, 1)
      const pieces: Uint8Array[] = []
      const rest = commits.slice(begun)
      const iterator = snapshot.pieces[Symbol.iterator]()
      for (let turn = 0, next = iterator.next(); !next.done; turn++, next = iterator.next()) {
        pieces.push(next.value)
        for (const commit of rest.splice(0, pace[turn] ?? 0)) folded.fold(commit)
      }
      snapshot.release()
      expect(Buffer.compare(joined(pieces), expected)).toBe(0)

      const { seq, schema } = snapshot
      const restored = fresh()
      restoreSnapshot(restored, { seq, schema, bytes: expected })
      for (const commit of commits.slice(begun)) restored.fold(commit)
      for (const commit of rest) folded.fold(commit)
      expect(restored.stateHash()).toBe(folded.stateHash())

      const now = new Map([...folded.world.apiKeys.all()].map((key) => [key.id, key]))
      for (const [id, key] of there) {
        const then = now.get(id)
        if (then === undefined) reached.left += 1
        else if (then.userId !== key.userId) reached.moved += 1
        else if (then.hash !== key.hash || then.revoked !== key.revoked) reached.replaced += 1
      }
      for (const id of now.keys()) if (!there.has(id)) reached.came += 1
    }),
  )
  for (const times of Object.values(reached)) expect(times).toBeGreaterThan(20)
})
