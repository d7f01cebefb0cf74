import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** How long after a failed try the server is asked again. */
export const RECONNECT_MS = 3_000
/** What a proxy answers while there is no server behind it. */
const WITHOUT_SERVER = new Set([502, 503, 504])

let watching = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether the server can be reached, as far as is known. Reads wait meanwhile and go on by themselves. */
export const isOnline = (): boolean => onlineManager.isOnline()
export const useOnline = (): boolean => useSyncExternalStore(listener => onlineManager.subscribe(listener), isOnline)

async function tryAgain(): Promise<void> {
  const reached = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ status }) => !WITHOUT_SERVER.has(status),
    () => false,
  )
  if (!watching || isOnline()) return
  if (reached) onlineManager.setOnline(true)
  else timer = setTimeout(() => void tryAgain(), RECONNECT_MS)
}

/** A call got no reply: nothing can be reached until the server answers again. */
export function noteLost(): void {
  if (watching) onlineManager.setOnline(false)
}

/** Knows from now on when the connection is lost, and looks for it until it is back. The returned function ends it. */
export function watchConnection(): () => void {
  watching = true
  const forgetIt = onlineManager.subscribe(online => {
    clearTimeout(timer)
    if (!online) timer = setTimeout(() => void tryAgain(), RECONNECT_MS)
  })
  return () => {
    watching = false
    clearTimeout(timer)
    forgetIt()
    onlineManager.setOnline(true)
  }
}
