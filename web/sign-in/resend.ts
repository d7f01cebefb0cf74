import { parseInteger } from '#kernel/values/integer.ts'
import { useEffect, useState } from 'react'

/** Seconds before a code may be sent again. */
export const RESEND_SECONDS = 60
/** A stored countdown this small is not worth waiting for. */
const FORGOTTEN = 3

type Kept = { readonly left: number; readonly at: number }

/** The rest of a countdown stored by an earlier page; 0 if none is worth restoring. */
export function restoredCount(stored: string | null, now: number): number {
  if (stored === null) return 0
  try {
    const { left, at } = JSON.parse(stored) as Partial<Kept>
    const count = Math.ceil(parseInteger(left) - (now - parseInteger(at)) / 1000)
    return count > FORGOTTEN && count <= RESEND_SECONDS ? count : 0
  } catch {
    return 0
  }
}

function restore(store: string): number {
  const count = restoredCount(localStorage.getItem(store), Date.now())
  if (count === 0) localStorage.removeItem(store)
  return count === 0 ? 0 : Date.now() + count * 1000
}

/** The countdown of a resend button. It survives a page reload. */
export function useResend(store: string): {
  readonly left: number
  readonly start: () => void
  readonly stop: () => void
} {
  const [endsAt, setEndsAt] = useState(() => restore(store))
  const [now, setNow] = useState(() => Date.now())
  const left = endsAt === 0 ? 0 : Math.max(0, Math.ceil((endsAt - now) / 1000))
  useEffect(() => {
    if (endsAt === 0) return
    const keep = () => {
      const at = Date.now()
      const count = Math.ceil((endsAt - at) / 1000)
      setNow(at)
      if (count > 0) return localStorage.setItem(store, JSON.stringify({ left: count, at } satisfies Kept))
      localStorage.removeItem(store)
      setEndsAt(0)
    }
    keep()
    const timer = setInterval(keep, 1000)
    return () => clearInterval(timer)
  }, [endsAt, store])
  return {
    left,
    start: () => setEndsAt(Date.now() + RESEND_SECONDS * 1000),
    stop: () => {
      localStorage.removeItem(store)
      setEndsAt(0)
    },
  }
}
