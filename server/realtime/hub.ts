import { reportError } from '#server/audit/reported-errors.ts'
import type { Sql } from 'postgres'
import { type MessageType, messageTypes } from '#server/messages/messages.ts'
import { type Listener, listenersOf, type Place, seesPlace } from '#server/realtime/audience.ts'
import { inOrganisation } from '#server/database/transaction.ts'

/** One connection, as far as the hub needs it. */
export type Line = {
  readonly send: (text: string) => void
  readonly close: (code: number, reason: string) => void
}

/** Notifications on the channel: a message was stored, or sessions ended. Everything else on it is ignored. */
type Word = { readonly org?: string; readonly message?: string; readonly ended?: boolean; readonly beat?: string }
type Update = {
  readonly id: string
  readonly user_id: string | null
  readonly kind: string | null
  readonly title: string
  readonly body: string
  readonly uri: string
  readonly objectID: string | null
  readonly extra: Readonly<Record<string, unknown>>
  readonly at: string
  readonly message_type: MessageType
  readonly needs_confirm: boolean
} & Place

const CHANNEL = 'medtrace'
/** Interval for checking ended sessions even without a notification. */
const SWEEP_MS = 15_000
/** After a break, messages are read from a little before it: what was written then may have been committed later. */
const OVERLAP_MS = 60_000
const REMEMBERED = 10_000
/** 4401: the session has ended; the page asks for the password instead of reconnecting. */
export const sessionEnded = 4401

/**
 * The realtime connections of this process. Wherever a message is stored, PostgreSQL notifies all processes, and
 * each shows it to those of its users who may see it. One database connection listens for all; after a break it is
 * reopened, and missed messages are read from the inbox.
 */
export class Hub {
  readonly #sql: Sql
  readonly #lines = new Map<Line, Listener & { readonly since: number }>()
  #listening: { unlisten: () => Promise<void> } | null = null
  #timer: NodeJS.Timeout | null = null
  #heard = true
  #closed = false
  #work: Promise<void> = Promise.resolve()
  /**
   * The time at which the listening connection last worked, and what was shown about then: catching up starts from
   * there.
   */
  #heardAt = Date.now()
  readonly #shown = new Set<string>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Number of open connections. */
  get size(): number {
    return this.#lines.size
  }

  /** Adds a connection, or closes it when its token is invalid. */
  async join(line: Line, token: string): Promise<boolean> {
    const listener = (await listenersOf(this.#sql, [token])).get(token)
    if (!listener || this.#closed) {
      line.close(sessionEnded, '登录已失效')
      return false
    }
    await this.#listen()
    this.#lines.set(line, { ...listener, since: Date.now() })
    return true
  }

  leave(line: Line): void {
    this.#lines.delete(line)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearInterval(this.#timer)
    for (const line of this.#lines.keys()) line.close(1001, '服务重启')
    this.#lines.clear()
    await this.#listening?.unlisten().catch(error => reportError('realtime end', error))
  }

  /** Opens the listening connection with the first user's connection, and starts its monitoring. */
  async #listen(): Promise<void> {
    if (this.#listening) return
    this.#listening = { unlisten: async () => {} }
    try {
      let isFirst = true
      this.#listening = await this.#sql.listen(
        CHANNEL,
        text => this.#then(() => this.#hear(text)),
        () => {
          // The driver reconnects by itself after a break, but has missed the notifications in between.
          if (!isFirst) this.#then(() => this.#catchUp())
          isFirst = false
        },
      )
    } catch (error) {
      this.#listening = null
      throw error
    }
    this.#timer ??= setInterval(() => this.#then(() => this.sweep()), SWEEP_MS)
    this.#timer.unref()
  }

  /** Processes notifications one after another, in order of arrival. */
  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(error => reportError('realtime', error))
  }

  async #hear(text: string): Promise<void> {
    const word = JSON.parse(text) as Word
    if (word.beat) this.#beat()
    if (word.ended) await this.#dropDead()
    if (word.org && word.message) await this.#show(word.org, word.message)
  }

  #beat(): void {
    this.#heard = true
    this.#heardAt = Date.now()
    if (this.#shown.size > REMEMBERED) this.#shown.clear()
  }

  /**
   * Closes ended sessions, and checks that the listening connection works: our own test notification must have come
   * back.
   */
  async sweep(): Promise<void> {
    await this.#dropDead()
    if (!this.#heard) {
      // The connection is silent: that it cannot be closed in order either is part of it, and is seen.
      await this.#listening?.unlisten().catch(error => reportError('realtime connection', error))
      this.#listening = null
      await this.#listen()
      await this.#catchUp()
    }
    this.#heard = this.#lines.size === 0
    if (this.#lines.size > 0) await this.#sql`select pg_notify(${CHANNEL}, '{"beat":"1"}')`
  }

  /**
   * Checks the sessions again, of one organisation or all: ended ones are closed, the others get their current
   * rights.
   */
  async #dropDead(org: string | null = null): Promise<void> {
    const lines = [...this.#lines].filter(([, listener]) => org === null || listener.orgId === org)
    const living = await listenersOf(this.#sql, [...new Set(lines.map(([, { rId }]) => rId))])
    for (const [line, { rId, since }] of lines) {
      // It may have disconnected during the check.
      if (!this.#lines.has(line)) continue
      const listener = living.get(rId)
      if (listener) this.#lines.set(line, { ...listener, since })
      else {
        this.#lines.delete(line)
        line.close(sessionEnded, '登录已失效')
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (const org of new Set([...this.#lines.values()].map(({ orgId }) => orgId))) await this.#show(org, null)
  }

  /** Shows one message, or all missed ones after a break, to users who may see it and were connected when it came. */
  async #show(org: string, message: string | null): Promise<void> {
    if (![...this.#lines.values()].some(({ orgId }) => orgId === org)) return
    const since = new Date(this.#heardAt - OVERLAP_MS).toISOString()
    const rows = await inOrganisation(
      this.#sql,
      org,
      '0',
      tx => tx<Update[]>`
      select id, user_id, kind, title, body, uri, object_id as "objectID", extra, at, stores, department_id,
        message_type, needs_confirm from message
       where recalled_at is null and org_id = ${org} and ${message === null ? tx`at > ${since}` : tx`id = ${message}`}
         order by id limit 200`,
    )
    await this.#dropDead(org)
    const sees = seesPlace(this.#sql)
    for (const { user_id, kind, at, stores, department_id, message_type, needs_confirm, ...notified } of rows) {
      if (this.#shown.has(notified.id)) continue
      this.#shown.add(notified.id)
      const text = JSON.stringify(notified)
      for (const [line, listener] of this.#lines)
        if (
          listener.orgId === org &&
          (message !== null || Date.parse(at) >= listener.since) &&
          maySee(listener, { user_id, kind, by: notified.extra.by }) &&
          (user_id !== null || needs_confirm || wants(listener, message_type)) &&
          (await sees(listener, { stores, department_id }))
        )
          line.send(text)
    }
  }
}

const wants = ({ wants: words }: Listener, type: MessageType): boolean =>
  words.length === 0 || words.includes(messageTypes[type])

type Audience = { readonly user_id: string | null; readonly kind: string | null; readonly by: unknown }
const maySee = (listener: Listener, { user_id: user, kind, by }: Audience): boolean =>
  !listener.mustChange &&
  by !== listener.userId &&
  (user === null || user === listener.userId) &&
  (kind === null || listener.kinds.includes(kind))
