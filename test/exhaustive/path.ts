// A sequence of commands: played whole on an engine of its own, and as a text to paste.

import type { CommandOptions } from '../../src/engine/commandOptions.ts'
import type { Folded } from '../../src/engine/fold.ts'
import type { Genesis } from '../../src/engine/genesis.ts'
import type { Command } from '../../src/events/command.ts'
import { type Commit, createEngine } from '../../src/index.ts'
import { lawful } from '../../src/testing/index.ts'

export interface Step {
  readonly command: Command
  readonly options?: CommandOptions
}

/**
 * Plays a path on an engine that begins at the beginning, under every law, and compares the end with the state that the
 * search has arrived at step by step.
 *
 * @throws LawBroken
 */
export async function playWhole(genesis: Genesis, steps: readonly Step[], arrived: Folded): Promise<void> {
  const engine = createEngine(genesis)
  const history: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) history.push(commit)
  const watched = lawful(engine, history)
  for (const { command, options } of steps) watched.dispatch(command, options)
  watched.end()
  if (engine.stateHash() !== arrived.stateHash())
    throw new Error('the path leads to another state when it is played whole')
}

/** The shortest way to something that must not be. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly steps: readonly Step[]

  constructor(genesis: Genesis, steps: readonly Step[], cause: unknown) {
    super(`${cause instanceof Error ? cause.message : cause}\n\n${script(genesis, steps)}`, { cause })
    this.steps = steps
  }
}

/** Ready to paste into a test. */
function script(genesis: Genesis, steps: readonly Step[]): string {
  const commands = steps.map(({ command, options }) =>
    options === undefined
      ? `engine.dispatch(${literal(command)})`
      : `engine.dispatch(${literal(command)}, ${literal(options)})`,
  )
  return [`const engine = createEngine(${literal(genesis)})`, ...commands].join('\n')
}

function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  return `{ ${Object.entries(value)
    .map(([name, field]) => `${name}: ${literal(field)}`)
    .join(', ')} }`
}
