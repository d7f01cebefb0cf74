import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** The time after a failed try until the server is called again. */
export const RECONNECT_MS = 3_000
/** The longest time of a try. */
const TRY_MS = 5_000
/** The status codes of a proxy without a server behind it. */
const WITHOUT_SERVER = new Set([502, 503, 504])

let watching = false
let timer: ReturnType<typeof setTimeout> | undefined
let trying: Promise<boolean> | null = null

/** True if the server can be reached, as far as is known. Reads wait meanwhile and go on by themselves. */
export const isOnline = (): boolean => onlineManager.isOnline()
export const useOnline = (): boolean => useSyncExternalStore(listener => onlineManager.subscribe(listener), isOnline)

/** Asks the cheapest call there is; tries that overlap are one. */
function reaches(): Promise<boolean> {
  trying ??= fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TRY_MS) })
    .then(
      ({ status }) => !WITHOUT_SERVER.has(status),
      () => false,
    )
    .finally(() => (trying = null))
  return trying
}

async function tryAgain(): Promise<void> {
  const isReached = await reaches()
  if (!watching || isOnline()) return
  if (isReached) onlineManager.setOnline(true)
  else timer = setTimeout(() => void tryAgain(), RECONNECT_MS)
}

/**
 * Handles a call without a reply, or a closed channel: a single dropped call is an error like any other; the connection
 * counts as lost only if no other call reaches the server either. Resolves to whether the server can be reached.
 */
export async function noteDropped(): Promise<boolean> {
  if (!watching || !isOnline()) return isOnline()
  const isReached = await reaches()
  if (!isReached && watching) onlineManager.setOnline(false)
  return isReached
}

/** Knows from now on when the connection is lost, and looks for it until it is back. The returned function ends it. */
export function watchConnection(): () => void {
  watching = true
  const look = (online: boolean) => {
    clearTimeout(timer)
    if (!online) timer = setTimeout(() => void tryAgain(), RECONNECT_MS)
  }
  const forgetIt = onlineManager.subscribe(look)
  look(isOnline())
  return () => {
    watching = false
    clearTimeout(timer)
    forgetIt()
    onlineManager.setOnline(true)
  }
}
