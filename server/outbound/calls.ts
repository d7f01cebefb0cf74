import { reportError } from '#server/audit/reported-errors.ts'
import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { type Exchange, exchanging } from '#server/network/exchange.ts'
import { alarm, noteFailedCall, settleIncident } from '#server/outbound/alarms.ts'
import type { Answered } from '#server/outbound/carriers.ts'
import { carrierOf } from '#server/registry/connections.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { hooks } from '#server/registry/hooks.ts'

/** Minutes after which a failed call is retried automatically; then it waits for a person. */
export const retryMinutes = [1, 5, 30, 120, 720] as const
/** While a try runs no other process starts one; after this a crashed process loses it. */
const LEASE_SECONDS = 120
const LONGEST = 2000

/** A requested call to another system. */
export type OutboundCall = {
  /** The carrier that sends it: sms, his, invoice … */
  readonly system: string
  readonly name: string
  /** Its subject, and the document number. */
  readonly subject?: string
  readonly objectNo?: string
  /** A key is asked only once; a new one is made up where none is given. */
  readonly key?: string
  /** All that the carrier needs to send it again unchanged. */
  readonly payload: object | null
  /** The payload in readable form: no secrets, no patients. */
  readonly request: string
  /** After this time it is pointless to send it. */
  readonly expiresAt?: Date
}

/** Requests a call in the transaction of the action: it is made exactly when the action is committed. */
export async function askOutbound(tx: Tx, org: string, call: OutboundCall): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into outbound_call (org_id, call_key, system, name, subject, object_no, payload, request, expires_at)
    values (${org}, ${call.key ?? randomUUID()}, ${call.system}, ${call.name}, ${call.subject ?? null},
            ${call.objectNo ?? null},
            ${tx.json(call.payload)}, ${call.request.slice(0, LONGEST)},
              ${call.expiresAt?.toISOString() ?? null})
    returning id`
  return row!.id
}

type Taken = {
  id: string
  call_key: string
  system: string
  name: string
  payload: unknown
  automatic: number
  tries: number
  object_no: string | null
}

/** Claims what is due: only one of several processes succeeds. */
const take = (sql: Sql, org: string, id: string) =>
  inOrganisation(
    sql,
    org,
    '0',
    tx => tx<Taken[]>`
    update outbound_call set next_at = now() + make_interval(secs => ${LEASE_SECONDS})
     where org_id = ${org} and id = ${id} and state in ('pending', 'retrying') and next_at <= now()
    returning id, call_key, system, name, payload, automatic, tries, object_no`,
  )

/** Tries a call once. `by`: the user who requested it by hand. */
export async function performOutbound(sql: Sql, org: string, id: string, by: string | null = null): Promise<boolean> {
  const [call] = await take(sql, org, id)
  if (!call) return false
  const began = Date.now()
  const { outcome, exchange } = await exchanging<Answered>(async () => {
    const beyond = await inOrganisation(sql, org, '0', tx => hooks().quotas.outboundCalls(tx, org, call.system))
    if (beyond !== null) throw new Error(beyond)
    const carrier = carrierOf(call.system)
    if (!carrier) throw new Error(`未接通${call.system}接口`)
    return carrier(call.payload, call.call_key, org)
  })
  const tried: Tried = { took: Date.now() - began, by, exchange }
  await inOrganisation(sql, org, '0', async tx => {
    if ('answered' in outcome) await noteSuccess(tx, org, call, tried, outcome.answered)
    else await noteFailure(tx, org, call, tried, outcome.thrown)
  })
  return 'answered' in outcome
}

/** How a try went: how long it took, who asked for it by hand, and what went over the wire. */
type Tried = { readonly took: number; readonly by: string | null; readonly exchange: Exchange | null }

/** The message of the last try, where there was one, else what was known of the call before. */
const exchanged = (tx: Tx, { exchange }: Tried) =>
  exchange === null
    ? tx``
    : tx`request = coalesce(${exchange.request?.slice(0, LONGEST) ?? null}, request),
      response = ${exchange.response?.slice(0, LONGEST) ?? null}, http_status = ${exchange.status},`

async function noteSuccess(tx: Tx, org: string, call: Taken, tried: Tried, answered: Answered): Promise<void> {
  const { took, by, exchange } = tried
  const { status = null, text = null } = answered ?? {}
  const message =
    exchange === null
      ? tx`http_status = ${status}, response = ${text?.slice(0, LONGEST) ?? null},`
      : exchanged(tx, tried)
  await tx`
    update outbound_call set state = 'succeeded', tries = tries + 1, took_ms = ${took}, ${message}
           payload = null, next_at = null, version = version + 1 where org_id = ${org} and id = ${call.id}`
  await tx`
    insert into outbound_attempt (org_id, outbound_call_id, attempt_no, took_ms, is_ok, http_status, by_name)
    values (${org}, ${call.id}, ${call.tries + 1}, ${took}, true, ${exchange?.status ?? status}, ${by})`
  await settleIncident(tx, org, call.id)
  await answered?.afterwards?.(tx)
}

const sentences: Readonly<Record<string, string>> = {
  TimeoutError: '对方在规定时间内没有答复',
  AbortError: '对方在规定时间内没有答复',
  TypeError: '连接不上对方服务器，请检查网络和接口地址',
}
/** The message of a failed call for people: the answer of the other side, or the error on the way to it. */
const sentenceOfFailure = (thrown: Error): string => sentences[thrown.name] ?? thrown.message

async function noteFailure(tx: Tx, org: string, call: Taken, tried: Tried, thrown: Error): Promise<void> {
  const { took, by, exchange } = tried
  const error = sentenceOfFailure(thrown).slice(0, 500)
  // A manual try uses up none of the automatic tries.
  const used = call.automatic + (by === null && call.tries > 0 ? 1 : 0)
  const minutes = retryMinutes[used]
  await tx`
    update outbound_call set tries = tries + 1, automatic = ${used}, took_ms = ${took}, error_kind = ${thrown.name},
      error = ${error}, ${exchanged(tx, tried)}
           failed_at = coalesce(failed_at, now()), version = version + 1,
           state = case when ${minutes === undefined} or expires_at < now() + make_interval(mins => ${minutes ?? 0})
             then 'waiting' else 'retrying' end,
           next_at = case when ${minutes === undefined} or expires_at < now() + make_interval(mins => ${minutes ?? 0})
             then null else now() + make_interval(mins => ${minutes ?? 0}) end
     where org_id = ${org} and id = ${call.id}`
  await tx`
    insert into outbound_attempt (org_id, outbound_call_id, attempt_no, took_ms, is_ok, http_status, error, by_name)
    values (${org}, ${call.id}, ${call.tries + 1}, ${took}, false, ${exchange?.status ?? null}, ${error}, ${by})`
  await noteFailedCall(tx, org, { ...call, error }, minutes === undefined)
  await carrierOf(call.system)?.failed?.(tx, org, call.payload, {
    error,
    cause: thrown,
    isLast: minutes === undefined,
  })
  await alarm(tx, org)
}

/** One round over what is due. */
export async function performDue(sql: Sql, owner: Sql): Promise<number> {
  const due = await owner<{ org_id: string; id: string }[]>`
    select org_id, id from outbound_call where state in ('pending', 'retrying') and next_at <= now() order by next_at
      limit 50`
  for (const { org_id: org, id } of due) await performOutbound(sql, org, id)
  return due.length
}

/** A call whose attempt is recorded for `org`, else for the platform, which owns the interface. */
type WatchedCall = Omit<OutboundCall, 'payload' | 'expiresAt'> & { readonly org?: string }

/**
 * A call that must answer at once and is not repeated: its attempt is recorded in the books of the interface's
 * owner.
 */
export async function watched<T>(sql: Sql, called: WatchedCall, call: (key: string) => Promise<T>): Promise<T> {
  const began = Date.now()
  const key = called.key ?? randomUUID()
  const { outcome, exchange } = await exchanging(() => call(key))
  const thrown = 'thrown' in outcome ? outcome.thrown : null
  await noteWatched(sql, { ...called, key }, { took: Date.now() - began, by: null, exchange }, thrown).catch(notNoted)
  if ('thrown' in outcome) throw outcome.thrown
  return outcome.answered
}

/** A call that was made is not undone because its line could not be written. */
const notNoted = (error: unknown): void => reportError('attempt of an outbound call', error)

async function platformOf(sql: Sql): Promise<string | undefined> {
  const [platform] = await sql<{ id: string }[]>`select id from organisation where system_type = 0 order by id limit 1`
  return platform?.id
}

async function noteWatched(
  sql: Sql,
  called: WatchedCall & { readonly key: string },
  { took, exchange }: Tried,
  thrown: Error | null,
): Promise<void> {
  const org = called.org ?? (await platformOf(sql))
  if (org === undefined) return
  await inOrganisation(sql, org, '0', async tx => {
    const [row] = await tx<{ id: string }[]>`
      insert into outbound_call (org_id, call_key, system, name, subject, object_no, request, tries, took_ms, state,
        next_at, failed_at, error_kind, error, response, http_status)
      values (${org}, ${called.key}, ${called.system}, ${called.name}, ${called.subject ?? null},
        ${called.objectNo ?? null}, ${(exchange?.request ?? called.request).slice(0, LONGEST)}, 1, ${took},
              ${thrown ? 'waiting' : 'succeeded'}, null, ${thrown ? new Date().toISOString() : null},
                ${thrown?.name ?? null}, ${thrown?.message.slice(0, 500) ?? null},
                ${exchange?.response?.slice(0, LONGEST) ?? null}, ${exchange?.status ?? null})
      returning id`
    await tx`
      insert into outbound_attempt (org_id, outbound_call_id, attempt_no, took_ms, is_ok, http_status, error)
      values (${org}, ${row!.id}, 1, ${took}, ${thrown === null}, ${exchange?.status ?? null},
        ${thrown?.message.slice(0, 500) ?? null})`
    if (thrown) await alarm(tx, org)
  })
}
