// Who is signed in decides what is shown.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Operator } from './operator/operator.tsx'
import { Announcements } from './shared/announcements.tsx'
import { Frame } from './shared/frame.tsx'
import { sentenceOf } from './shared/sentences.ts'
import {
  forgetToken,
  keepToken,
  keptToken,
  recognize,
  type SignedIn,
  TokenRefused,
} from './shared/session.ts'
import { SignIn } from './signIn.tsx'
import { Trader } from './trader/trader.tsx'

export function App() {
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isTrying, setTrying] = useState(keptToken() !== null)

  const leave = useCallback((why: string | null) => {
    forgetToken()
    setSignedIn(null)
    setRefusal(why)
  }, [])

  const enter = useCallback(
    async (token: string) => {
      setTrying(true)
      try {
        setSignedIn(await recognize(token))
        keepToken(token)
        setRefusal(null)
      } catch (error) {
        // A venue that does not answer has not refused the token: it may be tried again.
        if (error instanceof TokenRefused) leave(sentenceOf(error))
        else setRefusal(sentenceOf(error))
      } finally {
        setTrying(false)
      }
    },
    [leave],
  )

  useEffect(() => {
    const kept = keptToken()
    if (kept !== null) void enter(kept)
  }, [enter])

  const View = signedIn?.role === 'operator' ? Operator : Trader
  return (
    <>
      {signedIn === null ? (
        <Frame>
          <SignIn refusal={refusal} isTrying={isTrying} onToken={enter} />
        </Frame>
      ) : (
        <View session={signedIn} onLeave={leave} />
      )}
      <Announcements />
    </>
  )
}
