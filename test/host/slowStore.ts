// An engine on a store whose writes wait to be let through, or to fail.

import type { Engine } from '../../src/engine/engine.ts'
import { openEngine } from '../../src/engine/open.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import { MemoryStore } from '../../src/store/memoryStore.ts'

/** While it is held, every append waits for {@link write} or {@link fail}. */
export class HeldStore extends MemoryStore {
  held = false
  readonly #waiting: { write(): void; fail(): void }[] = []
  #failed = false

  override async append(...batch: Parameters<MemoryStore['append']>): Promise<void> {
    if (this.held)
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ write: resolve, fail: () => reject(new Error('EIO')) })
      })
    return super.append(...batch)
  }

  get isAppending(): boolean {
    return this.#waiting.length > 0
  }

  /** Lets the append that waits through; whether there was one. */
  write(): boolean {
    const next = this.#failed ? undefined : this.#waiting.shift()
    next?.write()
    return next !== undefined
  }

  /** The disk is gone: the append that waits fails. Whether there was one. */
  fail(): boolean {
    const next = this.#waiting.shift()
    if (next !== undefined) this.#failed = true
    next?.fail()
    return next !== undefined
  }

  release(): void {
    this.held = false
    while (this.write());
  }
}

export interface HeldEngine {
  readonly engine: Engine
  readonly store: HeldStore
  /** Lets everything through from now on. */
  release(): void
}

/** An engine whose next commits become durable when `release` is called. */
export async function engineOn(configuration: object): Promise<HeldEngine> {
  const { markets, accounts } = readConfiguration(Buffer.from(JSON.stringify(configuration)))
  const store = new HeldStore()
  const engine = await openEngine({ store, seed: 'slow', at: Date.now(), markets, accounts })
  await engine.whenDurable()
  store.held = true
  return { engine, store, release: () => store.release() }
}
