// The way in: one field for whatever token the reader has.
import { useState } from 'preact/hooks'
import { Refusal } from './shared/refusal.tsx'
import { keptToken } from './shared/session.ts'

interface Props {
  /** Why the last token was refused, or ended. */
  readonly refusal: string | null
  readonly isTrying: boolean
  readonly onToken: (token: string) => void
}

export function SignIn({ refusal, isTrying, onToken }: Props) {
  const [token, setToken] = useState(() => keptToken() ?? '')
  const submit = (event: Event) => {
    event.preventDefault()
    const plain = token.trim().replace(/^Bearer\s+/i, '')
    if (plain !== '') onToken(plain)
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit} aria-labelledby="sign-in-title">
        <h1 id="sign-in-title">Sign in</h1>
        <p class="hint">
          With an API key or a session token to trade, with an operator's token to operate. It is kept in this
          tab alone, until you sign out or close it.
        </p>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            name="token"
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <Refusal said={refusal} />
        <button type="submit" class="primary" disabled={isTrying || token.trim() === ''}>
          {isTrying ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  )
}
