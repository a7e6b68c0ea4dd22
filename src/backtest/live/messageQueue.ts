/** What a stream tells, on its way to a strategy, which takes its time while the stream is read on. */
export class MessageQueue<Message> {
  readonly #waiting: Message[] = []
  #isOver = false
  #failure: unknown = null
  #wake: () => void = () => {}

  /** Reads a source to its end; `take` is called as each of its messages comes, and makes what waits. */
  async readAll<Sent>(source: AsyncIterable<Sent>, take: (sent: Sent) => Message): Promise<void> {
    try {
      for await (const sent of source) this.push(take(sent))
    } catch (error) {
      this.#failure = error
    }
    this.#isOver = true
    this.#wake()
  }

  /** Behind everything that waits. */
  push(message: Message): void {
    this.#waiting.push(message)
    this.#wake()
  }

  /** Whether the source tells nothing more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Everything that waits, in its order. */
  get waiting(): readonly Message[] {
    return this.#waiting
  }

  /** What waits, without waiting for more. */
  take(): Message | undefined {
    return this.#waiting.shift()
  }

  /** The next message, when it is there; null at the end, and once the signal has fired. @throws what the source threw, after its messages. */
  async next(signal: AbortSignal): Promise<Message | null> {
    const wake = () => this.#wake()
    signal.addEventListener('abort', wake)
    try {
      for (;;) {
        if (signal.aborted) return null
        const message = this.#waiting.shift()
        if (message !== undefined) return message
        if (this.#failure !== null) throw this.#failure
        if (this.#isOver) return null
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }
}
