/** A message as the server sends it. Only messages with a body are shown. */
export type LiveMessage = {
  readonly title?: string
  readonly body?: string
  readonly uri?: string
  readonly objectID?: string
  readonly extra?: Readonly<Record<string, unknown>> | string | null
}

export const HEARTBEAT_MS = 9 * 60_000
export const RECONNECT_MS = 5_000
export const NO_WEBSOCKET = '当前浏览器版本不支持websocket特性，请更换最新版本的chrome浏览器'

type Socket = Pick<WebSocket, 'send' | 'close'> & {
  onopen: (() => void) | null
  onclose: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
}
type Options = {
  /** Token of the channel; '' when signed out. */
  readonly token: () => string
  readonly onMessage: (message: LiveMessage) => void
  /** The channel is closed from outside, whatever the reason. */
  readonly onClose?: () => void
  readonly openSocket?: (url: string) => Socket
}

/** The same host as the page, secure if the page is. */
export const channelUrl = ({ protocol, host }: Pick<Location, 'protocol' | 'host'>, token: string): string =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws?token=${encodeURIComponent(token)}`

const browserSocket = (url: string): Socket => new WebSocket(url) as unknown as Socket

function readMessage(data: unknown): LiveMessage | null {
  try {
    const message = JSON.parse(String(data)) as LiveMessage | null
    return typeof message === 'object' ? message : null
  } catch {
    return null
  }
}

/**
 * Keeps a connection to the server: a heartbeat every nine minutes, a reconnect five seconds after each close while
 * signed in. The returned function ends it.
 */
export function openChannel({ token, onMessage, onClose, openSocket = browserSocket }: Options): () => void {
  let socket: Socket | null = null
  let heart: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let ended = false
  const connect = () => {
    if (ended || token() === '') return
    socket = openSocket(channelUrl(location, token()))
    socket.onopen = () => {
      heart = setInterval(() => socket?.send(JSON.stringify({ type: 'heart_beat', msg: 'ping' })), HEARTBEAT_MS)
    }
    socket.onmessage = ({ data }) => {
      const message = readMessage(data)
      if (!ended && token() !== '' && message?.body) onMessage(message)
    }
    socket.onclose = () => {
      clearInterval(heart)
      if (ended) return
      retry = setTimeout(connect, RECONNECT_MS)
      onClose?.()
    }
  }
  connect()
  return () => {
    ended = true
    clearInterval(heart)
    clearTimeout(retry)
    socket?.close()
  }
}
