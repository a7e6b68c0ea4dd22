// Says which fresh seed a run has drawn, and keeps it for every file that failed under it and not under the fixed one.

import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { FRESH_SEED, KEPT_SEEDS, keptSeeds } from './freshSeed.ts'

const FRESH = 'fresh'
/** The projects of the fixed seed. */
const FIXED = ['alone', 'answers', 'apart', 'suite', 'at length']

export default class FreshSeedReporter implements Reporter {
  onInit({ projects }: Vitest): void {
    if (projects.some(({ name }) => name === FRESH))
      console.log(`fresh seed ${FRESH_SEED} (MARGIN_CORE_FRESH_SEED=${FRESH_SEED} repeats it)`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = (project: string) =>
      modules.filter((module) => module.project.name === project && module.state() === 'failed')
    const anyway = new Set(FIXED.flatMap(failed).map(({ moduleId }) => moduleId))
    const found = failed(FRESH).filter(({ moduleId }) => !anyway.has(moduleId))
    if (found.length === 0) return
    const kept = [...keptSeeds(), ...found.map(({ relativeModuleId: file }) => ({ file, seed: FRESH_SEED }))]
    writeFileSync(KEPT_SEEDS, `${JSON.stringify(kept, null, 2)}\n`)
    for (const { file, seed } of kept.slice(-found.length))
      console.log(`seed ${seed} is kept for ${file} in test/keptSeeds.json: it runs from now on`)
  }
}
