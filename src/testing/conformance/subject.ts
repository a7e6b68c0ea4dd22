/** The host that is asked: reached, its clock a manual one, its users known. */
import { Conversation, type HostAddress } from './conversation.ts'
import type { Answer, Step } from './exchange.ts'
import type { Users } from './names.ts'

/** The host cannot be held to the rules as it is; the message says what is missing. */
export class NotAskable extends Error {
  override readonly name = 'NotAskable'
}

const MINUTE = 60_000
const NOBODY = '00000000-0000-4000-8000-0000000000ff'
/** How much of a log is looked through for the owner of an account. */
const COMMITS = { at: 1_000, pages: 100 }

const operator = (label: string, path: string, body?: object): Step => ({
  label,
  as: 'operator',
  method: body === undefined ? 'GET' : 'POST',
  path,
  ...(body !== undefined && { body }),
})

/** A host, and what has to be known of it. */
export class Subject {
  readonly host: HostAddress
  readonly users: Users
  /** Whether its keys have the rate limits of the interface. */
  readonly rateLimited: boolean
  readonly #seed: string
  #stages = 0

  private constructor(host: HostAddress, users: Users, rateLimited: boolean, seed: string) {
    this.host = host
    this.users = users
    this.rateLimited = rateLimited
    this.#seed = seed
  }

  /**
   * Looks whether the host can be asked. A key may be written `USER=KEY`, with the id of its user; else the user is looked
   * for in the log of the host.
   *
   * @throws NotAskable saying what is missing; NoAnswer when the host cannot be reached.
   */
  static async meet(host: HostAddress, seed: string): Promise<Subject> {
    const named = host.keys.map((key) => /^([0-9a-f-]{36})=(.+)$/i.exec(key))
    const bare = { ...host, keys: host.keys.map((key, at) => named[at]?.[2] ?? key) }
    const talk = new Conversation(bare, () => NOBODY)
    const health = await talk.ask(operator('health', '/operator/health'))
    if (health.status !== 200) throw new NotAskable(`the operator surface answers ${told(health)}`)
    const moved = await talk.ask(operator('clock', '/operator/commands', { type: 'advanceTime', ms: 0 }))
    const [result] =
      ((moved.body ?? {}) as { results?: readonly { ok: boolean; error?: string }[] }).results ?? []
    if (result?.ok !== true)
      throw new NotAskable(
        `its clock cannot be moved, it has to be a manual one: ${result?.error ?? told(moved)}`,
      )
    const owners: string[] = []
    for (const [at] of bare.keys.entries()) owners.push(named[at]?.[1] ?? (await ownerOf(bare, at)))
    const [user = NOBODY, other = user] = owners
    const limited = bare.keys.length > 0 && (await isRateLimited(bare))
    const { head } = health.body as { head: number }
    return new Subject(bare, { user, other }, limited, `${seed} ${head}`)
  }

  /** Moves the clock of the host to its next full minute, and gives what tells one stage from another. */
  async nextStage(): Promise<{ readonly at: number; readonly nonce: string }> {
    const talk = new Conversation(this.host, () => NOBODY)
    const health = await talk.ask(operator('health', '/operator/health'))
    const at = Date.parse((health.body as { at: string }).at)
    const ms = MINUTE - (at % MINUTE)
    await talk.ask(operator('clock', '/operator/commands', { type: 'advanceTime', ms }))
    this.#stages += 1
    return { at: at + ms, nonce: `${this.#seed} ${this.#stages}` }
  }
}

/** The user of a key: the one whose account it lists, as the log of the host says. */
async function ownerOf(host: HostAddress, at: number): Promise<string> {
  const talk = new Conversation({ ...host, keys: [host.keys[at] as string] }, () => NOBODY)
  const step = { label: 'accounts', as: 'trader', method: 'GET', path: '/accounts/with-risk-status' } as const
  const listed = await talk.ask(step)
  if (listed.status !== 200) throw new NotAskable(`key ${at + 1} answers ${told(listed)}`)
  const [account] = listed.body as readonly { accountId: string }[]
  const say = `say whose key ${at + 1} is: --key USER_ID=KEY`
  if (account === undefined) throw new NotAskable(`it lists no account; ${say}`)
  for (let from = 1, page = 0; page < COMMITS.pages; page += 1) {
    const path = `/operator/commits?from=${from}&limit=${COMMITS.at}`
    const { body } = await talk.ask(operator('commits', path))
    const { data = [] } = (body ?? {}) as { data?: readonly { seq: number; command: Opened }[] }
    const found = data.find(({ command }) => command.account?.id === account.accountId)
    if (found?.command.account !== undefined) return found.command.account.userId
    const last = data.at(-1)
    if (last === undefined) break
    from = last.seq + 1
  }
  throw new NotAskable(`its log does not say who owns account ${account.accountId}; ${say}`)
}

interface Opened {
  readonly account?: { readonly id: string; readonly userId: string }
}

/** Answers to a key with a limit carry what is left of it. */
async function isRateLimited({ url, keys }: HostAddress): Promise<boolean> {
  const headers = { authorization: `Bearer ${keys[0]}` }
  const answer = await fetch(`${url}/accounts/with-risk-status`, { headers })
  await answer.arrayBuffer()
  return answer.status === 429 || answer.headers.has('ratelimit-limit')
}

function told({ status, body }: Answer): string {
  const code = (body as { error?: unknown } | null)?.error
  return code === undefined ? String(status) : `${status} ${String(code)}`
}
