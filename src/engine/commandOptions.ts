/** What goes along with a command. */
import type { Caller } from '../events/command.ts'
import type { CausedBy } from '../events/commit.ts'

/** When a command happens, who asks, and who is behind it. */
export interface CommandOptions {
  /** Epoch ms; default: the engine's time. Not before that, but for an `advanceTime`, which must not end before it. */
  readonly at?: number
  /** Default: the embedding program itself, which is trusted. */
  readonly caller?: Caller
  /** Who is behind it, for the record; default: the caller. It gives no rights and changes no outcome (K10). */
  readonly by?: CausedBy
}

/** What a commit says of it; undefined for nobody in particular, null where the options say no such thing. */
export function causedBy({ by, caller }: CommandOptions): CausedBy | undefined | null {
  if (by != null) return copyOf(by)
  return caller == null
    ? undefined
    : copyOf({ type: 'user', userId: caller.userId, keyId: caller.keyId ?? null })
}

/** Takes anything: programs are not always typed, and what could not be written would stop the engine. */
function copyOf(by: CausedBy): CausedBy | null {
  if (by.type === 'operator') return typeof by.name === 'string' ? { type: 'operator', name: by.name } : null
  if (by.type !== 'user' || typeof by.userId !== 'string') return null
  const { userId, keyId } = by
  return keyId === null || typeof keyId === 'string' ? { type: 'user', userId, keyId } : null
}
