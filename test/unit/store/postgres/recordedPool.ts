// A pool of connections that answers as a test says, and keeps what it was asked in which order, and of which connection.

import { EventEmitter } from 'node:events'
import type pg from 'pg'

export interface Asked {
  /** The connection, counted from 1; 0: of the pool itself. */
  readonly connection: number
  /** Of several blanks one. */
  readonly text: string
  readonly values: readonly unknown[]
}

type Answer = { readonly rows?: readonly object[]; readonly rowCount?: number }
type Answering = (asked: Asked) => Answer | Promise<Answer>

export class RecordedPool {
  readonly asked: Asked[] = []
  /** Each connection as it was given back: with what had failed, or with nothing. */
  readonly released: (Error | undefined)[] = []
  /** Connections that are out, or were, in the order in which they were taken. */
  readonly connections: EventEmitter[] = []
  ended = 0
  readonly #answer: Answering

  constructor(answer: Answering = () => ({})) {
    this.#answer = answer
  }

  get pool(): pg.Pool {
    return this as unknown as pg.Pool
  }

  /** What was asked, by the first two words of each statement. */
  get verbs(): string[] {
    return this.asked.map(({ text }) => text.split(' ').slice(0, 2).join(' '))
  }

  query(statement: string | pg.QueryConfig, values: readonly unknown[] = []): Promise<Answer> {
    return this.#ask(0, statement, values)
  }

  connect(): Promise<EventEmitter> {
    const connection = this.connections.length + 1
    const client = Object.assign(new EventEmitter(), {
      query: (statement: string | pg.QueryConfig, values: readonly unknown[] = []) =>
        this.#ask(connection, statement, values),
      release: (failed?: Error) => this.released.push(failed),
    })
    this.connections.push(client)
    return Promise.resolve(client)
  }

  async end(): Promise<void> {
    this.ended += 1
  }

  async #ask(
    connection: number,
    statement: string | pg.QueryConfig,
    values: readonly unknown[],
  ): Promise<Answer> {
    const { text, values: given = values } = typeof statement === 'string' ? { text: statement } : statement
    const asked = { connection, text: text.replace(/\s+/g, ' ').trim(), values: given }
    this.asked.push(asked)
    return { rows: [], rowCount: 0, ...(await this.#answer(asked)) }
  }
}
