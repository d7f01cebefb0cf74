import { useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import type { Session } from '#web/engine/session/session.ts'

/** One sign-in attempt: busy while it runs, and the server's message if it fails. */
export function useSigning(onSignedIn: (session: Session) => void) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const sign = async (attempt: () => Promise<Session>) => {
    setBusy(true)
    setFailure(null)
    try {
      onSignedIn(await attempt())
    } catch (thrown) {
      if (!isSilent(thrown)) setFailure(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, sign }
}
