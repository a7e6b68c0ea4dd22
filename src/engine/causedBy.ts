/** Who a commit says was behind it (K10). */
import type { Caller } from '../domain/command.ts'
import type { CausedBy } from '../events/commit.ts'

/** What the options of a command say of it; undefined for nobody in particular, null where they say no such thing. */
export function causedBy(options: {
  readonly by?: CausedBy
  readonly caller?: Caller
}): CausedBy | undefined | null {
  const { by, caller } = options
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
