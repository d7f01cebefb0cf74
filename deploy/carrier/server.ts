import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type CarrierOptions = {
  readonly port?: number
  readonly host?: string
  /** Asked of everybody; empty: nobody is asked. */
  readonly token?: string
  /**
   * The time at which a parcel was taken over, in milliseconds; default six hours and a half ago: it has just been
   * handed over.
   */
  readonly takenOver?: (waybill: string) => number
  /** The clock that parcels move by. */
  readonly now?: () => number
}
export type RunningCarrier = { readonly url: string; readonly close: () => Promise<void> }

const HOUR = 3_600_000
/** The way of every parcel, an hour a step. */
const WAY = [
  { place: '上海嘉定', text: '已揽收' },
  { place: '上海转运中心', text: '已到达转运中心' },
  { place: '上海转运中心', text: '已发往下一站' },
  { place: '杭州转运中心', text: '已到达转运中心' },
  { place: '杭州滨江营业点', text: '正在派送' },
  { place: '杭州滨江营业点', text: '已签收，签收人：前台' },
] as const
const KNOWN = /^(SF|JD|YT|LL)\w{6,30}$/

/** The events of a parcel up to this moment; null: the number is unknown. */
function trackOf(waybill: string, takenOver: number, now: number) {
  if (!KNOWN.test(waybill)) return null
  const passed = WAY.map((step, hours) => ({ ...step, at: takenOver + hours * HOUR })).filter(({ at }) => at <= now)
  const isDelivered = passed.length === WAY.length
  return {
    events: passed.map(({ at, place, text: said }) => ({ at: new Date(at).toISOString(), place, text: said })),
    is_delivered: isDelivered,
    signed_by: isDelivered ? '前台' : null,
  }
}

function send(reply: ServerResponse, status: number, value: object): void {
  reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

/** Starts the stand-in of a carrier. */
export async function startCarrier(options: CarrierOptions = {}): Promise<RunningCarrier> {
  const {
    port = 0,
    host = '127.0.0.1',
    token = '',
    now = Date.now,
    takenOver = () => Date.now() - 6.5 * HOUR,
  } = options
  const server = createServer((request, reply) => {
    const answer = async () => {
      if (token !== '' && request.headers.authorization !== `Bearer ${token}`)
        return send(reply, 401, { error: '令牌不正确' })
      if (request.method !== 'POST' || request.url !== '/tracks') return send(reply, 404, { error: '没有这个地址' })
      const asked = JSON.parse(await text(request)) as { waybill_no?: unknown }
      const waybill = String(asked.waybill_no ?? '')
      return send(reply, 200, { track: trackOf(waybill, takenOver(waybill), now()) })
    }
    answer().catch(() => send(reply, 400, { error: '请求有误' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url, close }
}
