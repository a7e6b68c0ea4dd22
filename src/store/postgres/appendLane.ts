/**
 * One connection for the appends of a shard that are under way, so that the database carries them out in the order in which they
 * were sent, each without waiting for the answer to the one before it.
 */
import type pg from 'pg'

export class AppendLane {
  readonly #pool: pg.Pool
  #connecting: Promise<pg.PoolClient> | null = null
  /** The connection that statements were sent over and are under way on. */
  #client: pg.PoolClient | null = null
  #underWay = 0
  #broken: Error | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#underWay += 1
    try {
      // Over a connection that is there it is sent in this turn, behind all that waited for the connection.
      const client = this.#client ?? (await this.#connected())
      if (this.#client === null) client.on('error', ignored)
      this.#client = client
      return await client.query(statement)
    } catch (error) {
      this.#broken ??= error as Error
      throw error
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#release()
    }
  }

  #connected(): Promise<pg.PoolClient> {
    this.#connecting ??= this.#pool.connect()
    return this.#connecting
  }

  /** A connection on which a statement failed is closed. */
  #release(): void {
    this.#client?.off('error', ignored)
    this.#client?.release(this.#broken)
    this.#client = null
    this.#connecting = null
    this.#broken = undefined
  }
}

/** A connection that is lost fails its statements; told to nobody besides, it would end the process. */
function ignored(): void {}
