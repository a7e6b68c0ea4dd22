// Clients of a cluster. Whatever may be lost is repeated under its key until its outcome is known, and everything told is kept.
import { randomUUID } from 'node:crypto'
import { REFUSED, type Seen } from './promises.ts'
import { MARKET, OPERATOR, type RealCluster, type Trader } from './realCluster.ts'

/** Orders of an account that rest at once. */
const RESTING = 3
const TIMEOUT_MS = 5_000
/** Before whatever failed is tried again. */
const PAUSE_MS = 20

interface Told {
  readonly begun: number
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies are examined field by field
  readonly body: any
}

export class ClusterLoad {
  readonly seen: Seen[] = []
  /** Tries that nothing came back of, and those that were told to come again. */
  unanswered = 0
  unavailable = 0
  /** What no client should ever be told. */
  readonly surprises: string[] = []
  readonly #cluster: RealCluster
  readonly #pause: number
  /** Nodes that nothing new is sent to: one that is about to leave, as a balancer knows. */
  readonly avoided = new Set<string>()
  readonly #shards: ReadonlyMap<string, number>
  readonly #underWay = new Map<string, number>()
  /** When each try was begun that failed. */
  readonly #failed: number[] = []
  /** What is opened is not closed before that. */
  #held: Promise<void> = Promise.resolve()
  #running = true
  #isOver = false
  #work: Promise<unknown> = Promise.resolve()

  /** Clients pause that long between requests, ms. */
  constructor(cluster: RealCluster, pause: number) {
    this.#cluster = cluster
    this.#shards = new Map(cluster.traders.map(({ accountId, shard }) => [accountId, shard]))
    this.#pause = pause
  }

  /** One client of each account that writes and reads, and one that only reads. */
  begin(): void {
    this.#work = Promise.all(
      this.#cluster.traders.flatMap((trader) => [this.#trade(trader), this.#watch(trader)]),
    )
  }

  /** Ends once everything under way is known. */
  async end(): Promise<void> {
    this.#running = false
    await this.#work
  }

  /** Ends at once, whatever is not known. */
  stop(): void {
    this.#running = false
    this.#isOver = true
  }

  /** Resolves when nothing that was sent to a node waits for its answer. */
  async underWay(node: string): Promise<void> {
    while ((this.#underWay.get(node) ?? 0) > 0) await sleep(5)
  }

  /**
   * Resolves when somebody on each of the shards, or on every one, has been answered something that was asked for from now
   * on; with the milliseconds until then. A shard without traders is not waited for.
   */
  async served(shards?: readonly number[]): Promise<number> {
    const [from, since] = [this.seen.length, performance.now()]
    const first = new Map<number, number>()
    const isServed = ({ shard }: Trader) => first.has(shard)
    const awaited = this.#cluster.traders.filter(({ shard }) => shards?.includes(shard) ?? true)
    for (;;) {
      for (const { accountId, ended } of this.seen.slice(from)) {
        const shard = this.#shardOf(accountId)
        if (ended !== null) first.set(shard, Math.min(ended, first.get(shard) ?? ended))
      }
      this.#cluster.checkRunning()
      if (awaited.every(isServed))
        return Math.max(0, ...awaited.map(({ shard }) => (first.get(shard) as number) - since))
      await sleep(20)
    }
  }

  /**
   * Resolves once somebody has been refused. Until then nobody closes what they open: on a cluster at its ease each is closed before
   * the next is opened, and all together want more than the venue allows.
   */
  async refused(): Promise<void> {
    let letGo = () => {}
    this.#held = new Promise((resolve) => {
      letGo = resolve
    })
    const from = this.seen.length
    while (!this.seen.slice(from).some(({ said }) => said === REFUSED)) {
      this.#cluster.checkRunning()
      await sleep(20)
    }
    letGo()
  }

  /** How many tries failed that were begun since. */
  failedSince(from: number): number {
    return this.#failed.filter((begun) => begun >= from).length
  }

  /** How many requests were answered with success. */
  get acknowledged(): number {
    return this.seen.reduce((sum, { ended }) => sum + (ended === null ? 0 : 1), 0)
  }

  /** The longest that a request about some shards took which was under way at `from` or began later, ms. */
  longest(from: number, isAbout: (shard: number) => boolean): number {
    let longest = 0
    for (const { accountId, begun, ended } of this.seen)
      if (ended !== null && ended >= from && isAbout(this.#shardOf(accountId)))
        longest = Math.max(longest, ended - begun)
    return longest
  }

  #shardOf(accountId: string): number {
    return this.#shards.get(accountId) as number
  }

  async #trade(trader: Trader): Promise<void> {
    const resting: string[] = []
    for (let round = 0; this.#running; round++) {
      if (round % 4 === 3) await this.#deposit(trader)
      else if (round % 8 === 5 && this.#cluster.limit !== null) {
        // They go with what is closed.
        if (await this.#openAndClose(trader)) resting.length = 0
      } else if (resting.length >= RESTING) await this.#cancel(trader, resting.shift() as string)
      else {
        const placed = await this.#order(trader)
        if (placed !== REFUSED) resting.push(placed)
      }
      await this.#read(trader, round % 2 === 0 ? 'orders' : 'balance')
      await sleep(this.#pause)
    }
  }

  async #watch(trader: Trader): Promise<void> {
    for (let round = 0; this.#running; round++) {
      await this.#read(trader, round % 2 === 0 ? 'balance' : 'orders')
      await sleep(this.#pause)
    }
  }

  /** False where it was refused: what the venue allows is too little for all at once. */
  async #openAndClose(trader: Trader): Promise<boolean> {
    const orderId = await this.#order(trader, { type: 'market' })
    if (orderId === REFUSED) return false
    await this.#read(trader, 'balance')
    await this.#held
    await this.#close(trader, orderId)
    return true
  }

  async #close({ accountId, key: token }: Trader, orderId: string): Promise<void> {
    await this.#known({ accountId, kind: 'close', key: orderId }, async () => {
      const told = await this.#call('POST', `/positions/${accountId}/close-all`, token)
      return told.status === 200 ? '' : this.#refused(told)
    })
  }

  async #order(
    { accountId, key: token }: Trader,
    terms: object = { type: 'limit', triggerPrice: '1000000000' },
  ): Promise<string> {
    const key = randomUUID()
    const size = { amount: '1000000000000', leverage: '1000000000' }
    const body = { accountId, marketId: MARKET.id, direction: 'long', ...size, ...terms }
    return this.#known({ accountId, kind: 'order', key }, async () => {
      const told = await this.#call('POST', '/orders', token, body, { 'x-idempotency-key': key })
      if (told.status === 201) return told.body.id
      if (told.body.error === 'order_exceeds_max_open_notional') return REFUSED
      // The first of two is under way where it was sent before.
      return told.status === 409 ? null : this.#refused(told)
    })
  }

  async #cancel({ accountId, key: token }: Trader, orderId: string): Promise<void> {
    await this.#known({ accountId, kind: 'cancel', key: orderId }, async () => {
      const told = await this.#call('DELETE', `/orders/${orderId}`, token)
      const isDone = told.status === 200 || (told.status === 403 && told.body.error === 'order_not_active')
      return isDone ? '' : this.#refused(told)
    })
  }

  async #deposit({ accountId }: Trader): Promise<void> {
    const commandId = randomUUID()
    const body = { type: 'adjustBalance', accountId, amount: '1000000000', commandId }
    await this.#known({ accountId, kind: 'deposit', key: commandId }, async () => {
      const told = await this.#call('POST', '/operator/commands', OPERATOR, body)
      const [result] = told.status === 200 ? told.body.results : [null]
      if (result?.ok === true) return ''
      if (result?.error === 'shard_unavailable') {
        this.#unavailable(told)
        return null
      }
      return this.#refused(told)
    })
  }

  async #read({ accountId, key: token }: Trader, kind: 'orders' | 'balance'): Promise<void> {
    const seen = this.#begun({ accountId, kind, key: '' })
    const path = kind === 'orders' ? `/orders/${accountId}/active` : '/accounts/with-risk-status'
    const told = await this.#call('GET', path, token).catch(() => null)
    if (told === null) return
    if (told.status !== 200) return void this.#refused(told)
    seen.said =
      kind === 'orders'
        ? told.body
            .map(({ id }: { id: string }) => id)
            .sort()
            .join(' ')
        : told.body[0].accountBalance
    seen.ended = performance.now()
  }

  #begun(what: Pick<Seen, 'accountId' | 'kind' | 'key'>): Seen {
    const seen: Seen = { ...what, begun: performance.now(), ended: null, said: '' }
    this.seen.push(seen)
    return seen
  }

  /** Tries until there is an answer that says what came of it. */
  async #known(
    what: Pick<Seen, 'accountId' | 'kind' | 'key'>,
    attempt: () => Promise<string | null>,
  ): Promise<string> {
    const seen = this.#begun(what)
    for (;;) {
      const said = await attempt().catch(() => null)
      if (said !== null) {
        Object.assign(seen, { said, ended: performance.now() })
        return said
      }
      if (this.#isOver) return ''
      await sleep(PAUSE_MS)
    }
  }

  #refused(told: Told): null {
    if (told.status === 503) this.#unavailable(told)
    else this.surprises.push(`${told.status} ${JSON.stringify(told.body)}`)
    return null
  }

  #unavailable({ begun }: Told): void {
    this.unavailable += 1
    this.#failed.push(begun)
  }

  async #call(method: string, path: string, token: string, body?: object, headers = {}): Promise<Told> {
    const among = [...this.#cluster.nodes].filter(([name]) => !this.avoided.has(name))
    const [name, node] = among[Math.floor(Math.random() * among.length)] ?? ['']
    const begun = performance.now()
    this.#underWay.set(name, (this.#underWay.get(name) ?? 0) + 1)
    try {
      const answer = await fetch(`${node?.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return { begun, status: answer.status, body: await answer.json() }
    } catch (error) {
      this.unanswered += 1
      this.#failed.push(begun)
      throw error
    } finally {
      this.#underWay.set(name, (this.#underWay.get(name) as number) - 1)
    }
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
