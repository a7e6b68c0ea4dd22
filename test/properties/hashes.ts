// Prints the state hashes of a few fixed runs: what `replay.test.ts` compares between processes.

import fc from 'fast-check'
import { aProgram } from '../../src/testing/index.ts'
import { run } from './runs.ts'

export async function hashes(seed: number): Promise<string[]> {
  const found: string[] = []
  for (const program of fc.sample(aProgram(150, 150), { seed, numRuns: 3 })) {
    const { engine } = await run(program, { laws: [] })
    found.push(`${engine.head} ${engine.stateHash()}`)
  }
  return found
}

const [, script, seed] = process.argv
if (script?.endsWith('hashes.ts')) console.log((await hashes(Number(seed))).join('\n'))
