/** Things by id that are never removed. One command asks for the same few again and again, so the last is remembered. */
export class Registry<T extends { readonly id: string }> extends Map<string, T> {
  #last: T | undefined

  override get(id: string): T | undefined {
    const last = this.#last
    if (last !== undefined && last.id === id) return last
    const found = super.get(id)
    if (found !== undefined) this.#last = found
    return found
  }

  /**
   * The one that has to be here.
   *
   * @throws ReferenceError where it is not.
   */
  known(id: string): T {
    const found = this.get(id)
    if (found === undefined) throw new ReferenceError(`nothing known has the id ${id}`)
    return found
  }

  override set(id: string, item: T): this {
    this.#last = undefined
    return super.set(id, item)
  }
}
