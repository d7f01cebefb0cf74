import type { LiveMessage } from '#web/realtime/channel.ts'

const receivers = new Set<(message: LiveMessage) => void>()

/** Passes on every message that comes while the page is open; returns what ends it. */
export function whenMessageComes(receive: (message: LiveMessage) => void): () => void {
  receivers.add(receive)
  return () => void receivers.delete(receive)
}

/** A message came. */
export const announce = (message: LiveMessage): void => {
  for (const receive of receivers) receive(message)
}
