/** Commands: a rejection leaves no trace, an acceptance one commit, a repeated key the first answer. */
import type { CommandObservation, Law } from '../law.ts'
import { same } from './same.ts'

export const rejectionsLeaveNoTrace: Law = {
  name: 'rejections leave no trace',
  statement:
    'A refused command adds nothing to the log but what fell due before its time anyway, and the state is to the last bit the fold of the log (I1, invariant 13).',
  watch: () => {
    let rejections = 0
    return {
      afterCommand({ bus, shadow, outcome, commits, headBefore, options, nowBefore }) {
        if (outcome.ok) return null
        if (bus.head !== headBefore + commits.length) return 'the head moved by itself'
        const until = options.at ?? nowBefore
        for (const { command, at } of commits) {
          if (command.type !== 'advanceTime') return `a refused command recorded ${command.type}`
          if (at > until) return `something due at ${at} happened before its time`
        }
        // Hashing costs more than everything else together, and what a rejection leaves behind stays: now and then will do.
        if (rejections++ % 4 !== 0) return null
        return bus.stateHash() === shadow.stateHash() ? null : 'the state is not the fold of the log'
      },
    }
  },
}

export const acceptancesAreOneCommit: Law = {
  name: 'an acceptance is one commit',
  statement:
    'Sequences have no gaps, time never goes back, and an accepted command adds at most one commit of its own after what fell due: that with its events (I17).',
  watch: () => {
    let last = { seq: 0, at: 0 }
    return {
      afterCommand({ bus, outcome, commits, headBefore, command }) {
        let seq = headBefore
        for (const commit of commits) {
          seq += 1
          if (commit.seq !== seq) return `commit ${commit.seq} follows ${seq - 1}`
          if (commit.at < last.at) return 'time went back'
          last = commit
        }
        if (bus.head !== seq) return 'a commit was not published'
        if (!outcome.ok || outcome.replayedFrom !== undefined) return null
        if (outcome.seq !== seq) return `answered with sequence ${outcome.seq}, not ${seq}`
        if (outcome.events.length === 0) return null
        const own = commits.at(-1)
        const isOwn = own !== undefined && same(own.command, command) && same(own.events, outcome.events)
        return isOwn ? null : 'the events are not those of the last commit'
      },
    }
  },
}

const HOUR = 3_600_000

export const keysActOnce: Law = {
  name: 'a key acts once an hour',
  statement:
    'Under one user and key at most one placement is accepted in any hour; until the hour is over the first answer is given again, field by field, and nothing else happens; rejections do not use a key up (I4, invariant 18).',
  watch: () => {
    const answers = new Map<string, { readonly at: number; readonly order: string }>()
    return {
      afterCommand({ model, command, options, outcome, commits, nowBefore }: CommandObservation) {
        if (command.type !== 'placeOrder' || command.idempotencyKey == null) return null
        const user = options.caller?.userId ?? model.accounts.get(command.accountId)?.parameters.userId
        if (user === undefined) return null
        const at = options.at ?? nowBefore
        if (at < nowBefore) return outcome.ok ? 'accepted before its time' : null
        const scope = `${user} ${command.idempotencyKey}`
        const first = answers.get(scope)
        const again = first !== undefined && at < first.at + HOUR
        if (again) {
          if (!outcome.ok) return `a retry was refused with ${outcome.error.code}`
          if (commits.length > 0) return 'a retry acted again'
          if (outcome.replayedFrom !== first.at) return 'a retry does not say when the first call was'
          return text(outcome.value) === first.order ? null : 'a retry was answered with another record'
        }
        if (!outcome.ok) return null
        if (outcome.replayedFrom !== undefined) return 'a new key was answered with an old order'
        answers.set(scope, { at, order: text(outcome.value) })
        return null
      },
    }
  },
}

/** JSON with bigints as strings. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? `${field}n` : field))
}
