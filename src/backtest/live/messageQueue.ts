/** Messages between a stream, which goes on reading, and a strategy, which takes its time. */
export class MessageQueue<Message> {
  readonly #waiting: Message[] = []
  #isOver = false
  #failure: unknown = null
  #wake: () => void = () => {}

  /** Reads a source to its end, and tells `onMessage` of each message as it comes. */
  async readAll(source: AsyncIterable<Message>, onMessage: (message: Message) => void): Promise<void> {
    try {
      for await (const message of source) {
        onMessage(message)
        this.#waiting.push(message)
        this.#wake()
      }
    } catch (error) {
      this.#failure = error
    }
    this.#isOver = true
    this.#wake()
  }

  /** The next message, when it is there; null at the end. @throws what the source threw, after its messages. */
  async next(): Promise<Message | null> {
    for (;;) {
      const message = this.#waiting.shift()
      if (message !== undefined) return message
      if (this.#failure !== null) throw this.#failure
      if (this.#isOver) return null
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
