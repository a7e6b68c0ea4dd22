/** The venue of this package, in this process, as the model that a host is compared with. */
import type { Commit } from '../../events/commit.ts'
import type { HostAddress } from './conversation.ts'
import type { Users } from './names.ts'

/** A venue that says what has to be answered, and where its answers are. */
export interface ModelVenue {
  readonly host: HostAddress
  /** Every commit so far, oldest first. */
  readonly commits: readonly Commit[]
  now(): number
  /** Lets time pass. */
  moveTo(at: number): void
  close(): Promise<void>
}

/** Where the model of a play comes from. */
export interface Models {
  at(at: number, users: Users): Promise<ModelVenue>
}

/** One model for many plays, as long as the clock of the host and its own go the same way. */
export class KeptModel implements Models {
  #kept: ModelVenue | null = null

  /** The model at a time. What is done with it at the end of a play does not end it. */
  async at(at: number, users: Users): Promise<ModelVenue> {
    if (this.#kept === null || this.#kept.now() > at) {
      await this.close()
      this.#kept = await modelVenue(at, users, false)
    }
    this.#kept.moveTo(at)
    return { ...this.#kept, close: async () => {} }
  }

  async close(): Promise<void> {
    await this.#kept?.close()
    this.#kept = null
  }
}

/**
 * A venue that begins at a time, with or without the rate limits of the interface. The host is loaded when the first model is asked for: who tests reducers needs none of it.
 */
export async function modelVenue(
  at: number,
  { user, other }: Users,
  rateLimited: boolean,
): Promise<ModelVenue> {
  const { readConfiguration, serveVenue } = await import('../../host/index.ts')
  const operatorToken = 'operator-of-the-model'
  const keys = ['mtk_trader_of_the_model', 'mtk_other_of_the_model']
  const configuration = {
    seed: 'model',
    clock: { mode: 'manual', start: new Date(at).toISOString() },
    operatorToken,
    ...(!rateLimited && { rateLimit: null }),
    markets: [],
    users:
      user === other
        ? [{ id: user, apiKeys: keys.map((key) => ({ key })) }]
        : [user, other].map((id, n) => ({ id, apiKeys: [{ key: keys[n] }] })),
    accounts: [],
  }
  const venue = await serveVenue({
    configuration: readConfiguration(Buffer.from(JSON.stringify(configuration))),
    port: 0,
  })
  const commits: Commit[] = []
  venue.engine.subscribe((commit) => commits.push(commit))
  return {
    host: { url: venue.url, operatorToken, keys },
    commits,
    now: () => venue.engine.now,
    moveTo: (to) => void venue.engine.dispatch({ type: 'advanceTime', ms: to - venue.engine.now }),
    close: () => venue.close(),
  }
}
