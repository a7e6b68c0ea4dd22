/** Work that nobody waits for: timers and feeds. */
import type { Engine } from '../engine/engine.ts'

/**
 * What it throws stops the engine, which says so to whoever asks, instead of ending the process with everything that is
 * under way in it. With an engine that has stopped, or only reads, nothing is done.
 */
export function unattended(engine: Engine, work: () => void): () => void {
  return () => {
    if (engine.failure !== null || engine.unwritable !== null) return
    try {
      work()
    } catch (error) {
      engine.stop(error)
    }
  }
}
