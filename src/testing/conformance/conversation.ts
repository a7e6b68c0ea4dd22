/** A play as one host sees it: requests over HTTP, with the names it has given filled in. */
import {
  type Answer,
  type Asker,
  type Lookup,
  placeIn,
  type Step,
  textWithNames,
  withNames,
} from './exchange.ts'

/** Where a host is, and what opens it. */
export interface HostAddress {
  /** Base address of the Margin Trading API, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The same of the operator surface, where it is elsewhere. */
  readonly operatorUrl?: string
  readonly operatorToken: string
  /** API keys, the first of one user and the second of another where there are two; none = what takes a key is not asked. */
  readonly keys: readonly string[]
}

/** The host gave no answer: it could not be reached, or hung up. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Headers that rules speak of. */
const HEADERS = ['content-type', 'x-idempotency-cached', 'x-idempotency-timestamp', 'retry-after']
/** A host that takes longer for an answer has none. */
const PATIENCE_MS = 30_000

/** What has been asked of a host, and what came back. */
export class Conversation {
  readonly #host: HostAddress
  readonly #answers = new Map<string, Answer>()
  readonly #stage: Lookup

  constructor(host: HostAddress, stage: Lookup) {
    this.#host = host
    this.#stage = stage
  }

  /** @throws NoAnswer when there is none. */
  async ask(step: Step): Promise<Answer> {
    const answer = await this.#send(step)
    this.#answers.set(step.label, answer)
    return answer
  }

  readonly #lookup: Lookup = (name) => {
    const staged = this.#stage(name)
    if (staged !== undefined) return staged
    const [label = '', ...path] = name.split('.')
    return placeIn(this.#answers.get(label)?.body, path) ?? this.#stage('unknown')
  }

  async #send({ as, method, path, body, headers }: Step): Promise<Answer> {
    const { url, operatorUrl = url } = this.#host
    const token = this.#tokenOf(as)
    const sent = typeof body === 'string' ? body : JSON.stringify(withNames(body, this.#lookup))
    const address = (as === 'operator' ? operatorUrl : url) + textWithNames(path, this.#lookup)
    const request: RequestInit = {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(withNames(headers, this.#lookup) as Record<string, string> | undefined),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: sent }),
    }
    try {
      const response = await fetch(address, request)
      const told = HEADERS.flatMap((name) => {
        const value = response.headers.get(name)
        // A charset beside the type says nothing more about JSON.
        return value === null ? [] : [[name, value.replace(/;.*/, '')] as const]
      })
      return {
        status: response.status,
        headers: Object.fromEntries(told),
        body: parsed(await response.text()),
      }
    } catch (error) {
      const { cause, message } = error as Error
      throw new NoAnswer(`${method} ${address}: ${cause instanceof Error ? cause.message : message}`)
    }
  }

  #tokenOf(as: Asker): string | null {
    const { operatorToken, keys } = this.#host
    if (as === 'operator') return operatorToken
    return as === 'nobody' ? null : ((as === 'other' ? keys[1] : keys[0]) ?? null)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
