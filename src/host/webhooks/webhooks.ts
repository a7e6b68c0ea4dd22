/** All receivers of a venue, and where their cursors are kept. */
import { createHash } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import type { Store } from '../../store/store.ts'
import {
  type Cursor,
  type CursorKeeper,
  Webhook,
  type WebhookConfiguration,
  type WebhookStanding,
  type WebhookTerms,
} from './webhook.ts'

export class Webhooks {
  readonly #webhooks: readonly Webhook[]

  private constructor(webhooks: readonly Webhook[]) {
    this.#webhooks = webhooks
  }

  /** Where the log is in memory, or its store has no shelf, cursors last as long as the process. */
  static async begin(
    engine: Engine,
    store: Store | null,
    configurations: readonly WebhookConfiguration[],
    terms: WebhookTerms = {},
  ): Promise<Webhooks> {
    const webhooks: Webhook[] = []
    for (const configuration of configurations) {
      const keeper = await keeperOf(store, configuration)
      webhooks.push(await Webhook.begin(engine, configuration, keeper, terms))
    }
    return new Webhooks(webhooks)
  }

  get standings(): WebhookStanding[] {
    return this.#webhooks.map(({ standing }) => standing)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#webhooks.map((webhook) => webhook.stop()))
  }
}

const SCHEMA = 'webhook cursor 1'

/** A receiver is known by its address: with another secret or other types it goes on where it was. */
async function keeperOf(store: Store | null, { url }: WebhookConfiguration): Promise<CursorKeeper> {
  const name = `webhook-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`
  const shelf = await store?.shelf?.(name)
  return {
    async read(): Promise<Cursor | null> {
      for await (const { seq, schema, bytes } of shelf?.snapshots() ?? [])
        if (schema === SCHEMA) return { seq, firstFailedAt: JSON.parse(Buffer.from(bytes).toString()) }
      return null
    },
    async write({ seq, firstFailedAt }: Cursor): Promise<void> {
      const bytes = Buffer.from(JSON.stringify(firstFailedAt))
      await shelf?.saveSnapshot({ seq, schema: SCHEMA, pieces: [bytes] })
    },
  }
}
