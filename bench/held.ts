// For how long a piece of work holds its thread, whatever else runs on the machine.
import { readFileSync } from 'node:fs'

/**
 * Runs it, and says how long it took by the clock, ms; null where the machine gave the processor to somebody else
 * meanwhile, which says nothing of the work. Only Linux tells; elsewhere every piece counts. What a collection of garbage holds up is
 * held, what its helpers do beside is not.
 */
export function held<Result>(work: () => Result): { readonly result: Result; readonly ms: number | null } {
  const before = takenAway()
  const began = performance.now()
  const result = work()
  const ms = performance.now() - began
  return { result, ms: takenAway() === before ? ms : null }
}

/** How often the main thread lost the processor without giving it up. */
function takenAway(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/self/task/${process.pid}/status`, 'utf8')
  return /nonvoluntary_ctxt_switches:\s+(\d+)/.exec(status)?.[1]
}
