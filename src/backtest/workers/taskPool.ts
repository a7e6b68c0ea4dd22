/** What does tasks, and where. */

/** Where tasks are done. */
export interface WorkOptions {
  /** Threads, this one included. Default: one per core. The result does not depend on it. */
  readonly workers?: number
  /**
   * A PostgreSQL database at which every `margin-core worker` does a part of the work, as a connection URL. Default: this
   * machine does all of it. The result does not depend on it.
   */
  readonly postgres?: string
  /** Told what a person should know of other machines: one that takes no part, and why. */
  readonly onNotice?: (notice: string) => void
}

/** The part of options that says where the work is done. */
export function workOf({ workers, postgres, onNotice }: WorkOptions): WorkOptions {
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(postgres === undefined ? {} : { postgres }),
    ...(onNotice === undefined ? {} : { onNotice }),
  }
}

/** Whoever does tasks, batch after batch, until it is closed. */
export interface TaskPool {
  /**
   * @returns the results in the order of the tasks.
   * @throws what the first failing task threw, with its name and message; the pool can only be closed then.
   */
  run<Task, Result>(
    tasks: readonly Task[],
    onResult?: (result: Result, index: number) => void,
  ): Promise<Result[]>
  close(): Promise<void>
}

/** An error as another thread or machine told it. */
export function failureOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  const error = new Error(message)
  error.name = name
  return error
}
