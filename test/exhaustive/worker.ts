// A process that searches one scene after the other, as it is told.

import { setImmediate } from 'node:timers/promises'
import { type SceneReport, type SceneSearch, searchScene } from './searchScene.ts'

export type WorkerAnswer =
  | { readonly known: number }
  | { readonly report: SceneReport }
  /** What must not be, and the shortest way there. */
  | { readonly broken: string }

function answer(given: WorkerAnswer): void {
  process.send?.(given)
}

process.on('message', async (search: SceneSearch) => {
  try {
    const report = await searchScene(search, async (known) => {
      answer({ known })
      // What is sent leaves between two turns of the loop.
      await setImmediate()
    })
    answer({ report })
  } catch (error) {
    answer({ broken: error instanceof Error ? error.message : String(error) })
  }
})
