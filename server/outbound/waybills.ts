import { momentOf } from '#kernel/values/date.ts'
import { boundedFetch } from '#server/network/bounded-fetch.ts'

/** A parcel that a carrier is asked about. */
export type Waybill = { readonly carrier: string; readonly waybill_no: string }
/** A carrier's data of a parcel: events in any order, `at` in ISO 8601, and whether it was handed over. */
export type WaybillTrack = {
  readonly events: readonly { readonly at: string; readonly place: string | null; readonly text: string }[]
  readonly is_delivered: boolean
  readonly signed_by: string | null
}
/** Asks for the way of a parcel; tests use a fake. Null: the carrier does not know the number. */
export type WaybillClient = (waybill: Waybill, key: string) => Promise<WaybillTrack | null>

type Address = { readonly baseUrl: string; readonly token: string }

const PATIENCE_MS = 20_000
const MOST_EVENTS = 300
const LONGEST = 200

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, LONGEST) : null

function eventOf(row: unknown): WaybillTrack['events'][number] {
  const { at, place, text } = (row ?? {}) as Record<string, unknown>
  const said = textOf(text)
  const moment = momentOf(at)
  if (said === null || moment === null) throw new Error('承运商的答复有误：每条轨迹应有时间和说明')
  return { at: moment, place: textOf(place), text: said }
}

/** A carrier, or a service that asks all of them, over HTTP: `POST /tracks`, answered by `track`. */
export const waybillClient =
  ({ baseUrl, token }: Address): WaybillClient =>
  async (waybill, key) => {
    const reply = await boundedFetch(`${baseUrl}/tracks`, {
      // The operator configured this address and no other.
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(waybill),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!reply.ok) throw new Error(`承运商接口返回${reply.status}：${(await reply.text()).slice(0, 200)}`)
    const { track } = (await reply.json()) as { track?: Record<string, unknown> | null }
    if (track === null) return null
    if (!Array.isArray(track?.events)) throw new Error('承运商的答复有误：没有events')
    return {
      events: track.events.slice(-MOST_EVENTS).map(eventOf),
      is_delivered: track.is_delivered === true,
      signed_by: textOf(track.signed_by),
    }
  }
