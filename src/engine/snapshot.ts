/**
 * The folded state as bytes: a cache that spares recovery the log up to it. It carries whatever is in the world, so
 * that a new field needs no line here; what is derived is built again.
 */
import type { ApiKey } from '../domain/apiKey/apiKey.ts'
import { IdSpace } from '../domain/ids.ts'
import type { World } from '../domain/world.ts'
import { ByteReader, ByteWriter } from '../events/codec/bytes.ts'
import type { Snapshot } from '../store/store.ts'
import type { Folded } from './fold.ts'
import type { StoredOutcome } from './idempotency.ts'
import { readGraph, writeGraph } from './objectGraph.ts'

/**
 * Names the shape of everything in a snapshot. Another one whenever a record of the world gains, loses or reinterprets a
 * field: a snapshot of another schema is ignored, and the log read instead. A test holds shape and name together.
 */
export const SNAPSHOT_SCHEMA = 'world-1'

interface SavedState {
  readonly world: Partial<World>
  readonly apiKeys: readonly ApiKey[]
  readonly idempotency: readonly StoredOutcome[]
  readonly history: object
}

/** What is folded, as it is now. */
export function takeSnapshot({ world, history, idempotency }: Folded): Snapshot {
  for (const order of world.orders.values())
    if (order.type === 'trailing_stop') order.watermark = world.triggers.watermarkOf(order)
  const { ids, triggers, archive, apiKeys, ...plain } = world
  const state: SavedState = {
    world: plain,
    apiKeys: [...apiKeys.all()],
    idempotency: idempotency.live(world.now),
    history: history.saved(),
  }
  const writer = new ByteWriter(1 << 16)
  writeGraph(writer, state)
  return { seq: world.seq, schema: SNAPSHOT_SCHEMA, bytes: writer.copy() }
}

/**
 * Fills an empty fold with a snapshot.
 *
 * @throws where the bytes do not hold one; the fold is then useless.
 */
export function restoreSnapshot({ world, history, idempotency }: Folded, { bytes }: Snapshot): void {
  const state = readGraph(new ByteReader(bytes)) as SavedState
  fill(world, state.world)
  world.ids = new IdSpace(world.seed)
  for (const key of state.apiKeys) world.apiKeys.add(key)
  for (const outcome of state.idempotency) idempotency.keep(outcome)
  history.restore(state.history)
  for (const order of world.orders.values()) world.triggers.addOrder(order)
  for (const position of world.positions.values()) world.triggers.setPosition(position)
  for (const account of world.accounts.values()) world.triggers.accountChanged(account)
}

/** Maps are filled rather than replaced: others hold on to them. */
function fill(world: World, saved: Partial<World>): void {
  const target = world as unknown as Record<string, unknown>
  for (const [field, value] of Object.entries(saved)) {
    const present = target[field]
    if (present instanceof Map && value instanceof Map)
      for (const [key, item] of value) present.set(key, item)
    else target[field] = value
  }
}
