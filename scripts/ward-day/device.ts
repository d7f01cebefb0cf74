import { createHash, createHmac, randomBytes } from 'node:crypto'

/** A raw response: HTTP status and envelope. */
export type Reply = {
  readonly status: number
  readonly code: number
  readonly msg: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a simulator knows what it asked for
  readonly info?: any
  // oxlint-disable-next-line typescript/no-explicit-any -- a simulator knows what it asked for
  readonly list?: any[]
}
export type Key = { readonly id: string; readonly secret: string }
/** A request as sent; stored so that it can be replayed. */
export type Request = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}
/** What a request can deliberately get wrong. */
export type Wrong = { readonly secret?: string; readonly time?: number }

/** Signs as docs/device-api.md specifies: five lines, HMAC-SHA256, hex. Shares no code with the server. */
export function signed(key: Key, method: string, path: string, payload: unknown, wrong: Wrong = {}): Request {
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const time = String(wrong.time ?? Math.floor(Date.now() / 1000))
  const nonce = randomBytes(16).toString('hex')
  const text = [method, path, time, nonce, createHash('sha256').update(body).digest('hex')].join('\n')
  const signature = createHmac('sha256', wrong.secret ?? key.secret)
    .update(text)
    .digest('hex')
  return {
    method,
    path,
    body,
    headers: {
      'x-device-key': key.id,
      'x-device-time': time,
      'x-device-nonce': nonce,
      'x-device-signature': signature,
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
    },
  }
}

export async function send(url: string, { method, path, headers, body }: Request): Promise<Reply> {
  const reply = await fetch(`${url}${path}`, { method, headers, ...(body === '' ? {} : { body }) })
  return { status: reply.status, ...((await reply.json()) as Omit<Reply, 'status'>) }
}

type Said = Readonly<Record<string, unknown>>
export type Event = {
  readonly event_id: string
  readonly kind: string
  readonly at: string
  readonly is_late?: boolean
} & Said

/** A networked cabinet. While offline it queues its events and sends them in order when it is back. */
export function cabinetDevice(url: string, key: Key) {
  let isCut = false
  const kept: Event[] = []
  let count = 0
  const run = randomBytes(4).toString('hex')
  const post = (path: string, body: unknown, wrong?: Wrong) => send(url, signed(key, 'POST', path, body, wrong))
  return {
    key,
    beat: (body: Said = {}) => post('/v1/device/heartbeat', { software_version: '3.2.1', ...body }),
    plan: () => send(url, signed(key, 'GET', '/v1/device/plan', undefined)),
    /** Sends one event; returns the server's result. Offline, it is queued and null is returned. */
    async report(kind: string, said: Said, at = new Date()): Promise<Said | null> {
      count += 1
      const event: Event = {
        event_id: `${run}-${count}`,
        kind,
        at: at.toISOString(),
        ...(isCut ? { is_late: true } : {}),
        ...said,
      }
      if (isCut) {
        kept.push(event)
        return null
      }
      const reply = await post('/v1/device/events', { events: [event] })
      if (reply.code !== 0) throw new Error(`${kind}: ${reply.code} ${reply.msg}`)
      const [answer] = reply.list as { state: string; msg: string }[]
      if (answer!.state === 'failed') throw new Error(`${kind}: ${answer!.msg}`)
      return answer as Said
    },
    cut: () => void (isCut = true),
    /** Back online: sends everything queued, in order. */
    async back(): Promise<readonly Said[]> {
      isCut = false
      const reply = await post('/v1/device/events', { events: kept.splice(0) })
      if (reply.code !== 0) throw new Error(`upload: ${reply.code} ${reply.msg}`)
      return reply.list as Said[]
    },
    nextSession: () => `${run}-s${count}`,
    request: (kind: string, said: Said, wrong?: Wrong): Request => {
      count += 1
      const event = { event_id: `${run}-${count}`, kind, at: new Date().toISOString(), ...said }
      return signed(key, 'POST', '/v1/device/events', { events: [event] }, wrong)
    },
    send: (request: Request) => send(url, request),
  }
}
export type CabinetDevice = ReturnType<typeof cabinetDevice>
