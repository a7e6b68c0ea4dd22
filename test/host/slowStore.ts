// An engine on a store whose writes wait to be let through.

import type { Engine } from '../../src/engine/engine.ts'
import { openEngine } from '../../src/engine/open.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import { MemoryStore } from '../../src/store/memoryStore.ts'

class GatedStore extends MemoryStore {
  gate: Promise<void> = Promise.resolve()

  override async append(...batch: Parameters<MemoryStore['append']>): Promise<void> {
    await this.gate
    return super.append(...batch)
  }
}

/** An engine whose next commits become durable when `release` is called. */
export async function engineOn(configuration: object): Promise<{ engine: Engine; release: () => void }> {
  const { markets, accounts } = readConfiguration(Buffer.from(JSON.stringify(configuration)))
  const store = new GatedStore()
  const engine = await openEngine({ store, seed: 'slow', at: Date.now(), markets, accounts })
  await engine.settled()
  let release = () => {}
  store.gate = new Promise((resolve) => {
    release = resolve
  })
  return { engine, release }
}
