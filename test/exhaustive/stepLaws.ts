// Every law that speaks about a state or a step, on one step from a state that is known only as a state.

import type { CommandOptions } from '../../src/engine/commandOptions.ts'
import type { Outcome } from '../../src/engine/outcome.ts'
import type { Command } from '../../src/events/command.ts'
import {
  type CommandObservation,
  type EventObservation,
  LAWS,
  type Law,
  LawBroken,
  type Model,
  type Watch,
  type Witness,
} from '../../src/testing/index.ts'
import type { Live } from './state.ts'

/**
 * Laws about whole runs, which need to have seen everything before: they are checked on whole paths. That rejections
 * leave no trace is checked on every one of them, by the state itself.
 */
const OF_RUNS = ['rejections leave no trace', 'a key acts once an hour', 'the log is the truth']

const STEP_LAWS = LAWS.filter(({ name }) => !OF_RUNS.includes(name))

export interface Given {
  readonly command: Command
  readonly options: CommandOptions
  readonly outcome: Outcome<Command>
}

type Look = (watch: Watch) => string | null | undefined

const HOOKS = ['beforeEvent', 'afterEvent', 'afterCommit', 'afterCommand'] as const
type Hook = (typeof HOOKS)[number]

/** By hook, the places of the laws that use it: most use one or two. */
const USERS = Object.fromEntries(
  HOOKS.map((hook) => [
    hook,
    [...STEP_LAWS.keys()].filter((law) => STEP_LAWS[law]?.watch()[hook] !== undefined),
  ]),
) as Record<Hook, number[]>

/**
 * Checks what a command did. `model` stands as before the command, and after it where it was accepted.
 *
 * @throws LawBroken
 */
export function checkStep(model: Model, live: Live, given: Given, witness: Witness): void {
  // A watch begins when it is first called: of what is refused most see nothing.
  const watches: (Watch | undefined)[] = []
  const check = (hook: Hook, look: Look) => {
    for (const place of USERS[hook]) {
      const law = STEP_LAWS[place] as Law
      watches[place] ??= law.watch()
      const found = look(watches[place])
      if (found != null) throw new LawBroken(law.name, found)
    }
  }
  const [headBefore, nowBefore] = [model.seq, model.now]
  const { engine, folded, commits } = live
  for (const commit of commits) {
    for (const event of commit.events) {
      const observation: EventObservation = { model, commit, event, at: commit.at }
      check('beforeEvent', (watch) => watch.beforeEvent?.(observation))
      witness.beforeEvent?.(observation)
      model.fold(event, commit.at)
      check('afterEvent', (watch) => watch.afterEvent?.(observation))
    }
    model.seq = commit.seq
    model.now = commit.at
    const event = commit.events.at(-1)
    const observation = event && { model, commit, event, at: commit.at }
    if (observation !== undefined) check('afterCommit', (watch) => watch.afterCommit?.(observation))
  }
  const told = { bus: engine, model, shadow: folded, commits, headBefore, nowBefore }
  const observation: CommandObservation = { ...told, ...given }
  check('afterCommand', (watch) => watch.afterCommand?.(observation))
  witness.afterCommand?.(observation)
}
