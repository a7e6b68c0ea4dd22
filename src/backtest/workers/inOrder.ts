/** Results as they arrive, told in the order of their tasks. */
export class InOrder<Result> {
  readonly all: Result[]
  readonly #arrived: boolean[]
  readonly #onResult: ((result: Result, index: number) => void) | undefined
  #told = 0

  constructor(length: number, onResult: ((result: Result, index: number) => void) | undefined) {
    this.all = new Array<Result>(length)
    this.#arrived = new Array<boolean>(length).fill(false)
    this.#onResult = onResult
  }

  get complete(): boolean {
    return this.#told === this.all.length
  }

  has(index: number): boolean {
    return this.#arrived[index] === true
  }

  /** One that is there already stays: a task that was done twice has come to the same. */
  put(index: number, result: Result): void {
    if (this.#arrived[index]) return
    this.all[index] = result
    this.#arrived[index] = true
    for (; this.#arrived[this.#told]; this.#told++)
      this.#onResult?.(this.all[this.#told] as Result, this.#told)
  }
}
