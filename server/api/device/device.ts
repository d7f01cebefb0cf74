import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { momentOf } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { DeviceHandler } from '#server/devices/device-handler.ts'
import { hooks } from '#server/registry/hooks.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type Device, type DeviceEvent, DeviceRejected } from '#server/devices/device-handler.ts'
import { ownerOfKey, secretOf } from '#server/devices/key.ts'
import { isSigned } from '#server/devices/signature.ts'
import { useAllowance } from '#server/identity/allowance.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { RateLimited } from '#server/access/overload.ts'
import { inOrganisation, withRetry } from '#server/database/transaction.ts'
import { bodyOf } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The device that signed the request; set before its body is read. */
    device: Device | null
  }
}

/** Maximum difference in seconds between a device's clock and ours. */
export const CLOCK_TOLERANCE = 300
/** Limits per minute: accepted requests of one device, refused ones of one address. */
const MOST = { accepted: 600, refused: 60 } as const
const BEAT = ['software_version', 'doors']
const MOST_EVENTS = 200
/** A whole count of a cabinet is longer than any form. Without the key of a device the body is not read further. */
const MOST_BYTES = 1024 * 1024
const access = { config: { access: 'open' }, bodyLimit: MOST_BYTES } as const

/** The API for devices. Every request is signed with the key of the device; see docs/device-api.md. */
export async function addDeviceApi(root: FastifyInstance, sql: Sql): Promise<void> {
  root.decorateRequest('device', null)
  await root.register(async app => {
    app.addHook('preParsing', async (request, _reply, payload) => {
      const body = await wholeOf(payload)
      request.device = await prove(sql, request, body)
      return Object.assign(Readable.from(body.length > 0 ? [body] : []), { receivedEncodedLength: body.length })
    })
    const as = <T>(
      request: FastifyRequest,
      work: (tx: Parameters<DeviceHandler['plan']>[0], device: Device) => Promise<T>,
    ) => {
      const device = deviceOf(request)
      return withRetry(() => inOrganisation(sql, device.org.id, '0', tx => work(tx, device)))
    }
    app.post('/v1/device/heartbeat', access, async request =>
      done({ info: await as(request, (tx, device) => hooks().deviceHandler.beat(tx, device, bodyOf(request, BEAT))) }),
    )
    app.get('/v1/device/plan', access, async request => done({ info: await as(request, hooks().deviceHandler.plan) }))
    app.post('/v1/device/events', access, async request => {
      const list = await hooks().deviceHandler.take(sql, deviceOf(request), eventsOf(bodyOf(request, ['events'])))
      return done({ list, total: list.length })
    })
  })
}

function deviceOf(request: FastifyRequest): Device {
  if (request.device === null) throw new DeviceRejected('headers', '缺少设备签名')
  return request.device
}

async function wholeOf(payload: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of payload) {
    parts.push(Buffer.from(part as Buffer))
    length += (part as Buffer).length
    if (length > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
  }
  return Buffer.concat(parts)
}

const header = (request: FastifyRequest, name: string, shape: RegExp): string => {
  const value = request.headers[name]
  if (typeof value !== 'string' || !shape.test(value))
    throw new DeviceRejected('headers', `请求头${name}缺失或格式有误`)
  return value
}

/** Checks the request: a known key, in use, a current time, the right signature, no replay. In this order. */
async function prove(sql: Sql, request: FastifyRequest, body: Buffer): Promise<Device> {
  try {
    return await proven(sql, request, body)
  } catch (error) {
    if (!(error instanceof DeviceRejected)) throw error
    const used = await useAllowance(sql, { name: `device-refused/${request.ip}`, most: MOST.refused, seconds: 60 })
    if (!used.isAllowed) throw new RateLimited(used.wait)
    throw error
  }
}

async function proven(sql: Sql, request: FastifyRequest, body: Buffer): Promise<Device> {
  const keyId = header(request, 'x-device-key', /^[\d.a-f]{1,60}$/)
  const time = header(request, 'x-device-time', /^\d{10}$/)
  const nonce = header(request, 'x-device-nonce', /^[\w-]{16,64}$/)
  const signature = header(request, 'x-device-signature', /^[0-9a-f]{64}$/)
  const owner = ownerOfKey(keyId)
  const device = owner === null ? null : await deviceNamed(sql, owner.org, owner.device, keyId)
  if (device === null) throw new DeviceRejected('key', '设备密钥不存在或已更换')
  const refuse = async (reason: DeviceRejected['reason'], why: string): Promise<never> => {
    await inOrganisation(sql, device.org.id, '0', tx => hooks().deviceHandler.suspect(tx, device, why, request.ip))
    throw new DeviceRejected(reason, why)
  }
  if (!device.isActive) return refuse('disabled', '设备密钥已停用')
  const signed = { method: request.method, target: request.url, time, nonce, body }
  if (!isSigned(secretOf(keyId), signed, signature)) return refuse('signature', '签名不正确')
  if (Math.abs(Date.now() / 1000 - parseInteger(time)) > CLOCK_TOLERANCE)
    throw new DeviceRejected('stale', '请求时间与服务器相差超过5分钟，请校准设备时钟')
  if (!(await inOrganisation(sql, device.org.id, '0', tx => hooks().deviceHandler.burn(tx, device, nonce))))
    return refuse('replayed', '请求已处理过，不能重放')
  const used = await useAllowance(sql, {
    name: `device/${device.org.id}.${device.id}`,
    most: MOST.accepted,
    seconds: 60,
  })
  if (!used.isAllowed) throw new RateLimited(used.wait)
  return device
}

async function deviceNamed(
  sql: Sql,
  org: string,
  id: string,
  keyId: string,
): Promise<(Device & { readonly isActive: boolean }) | null> {
  const key = await inOrganisation(sql, org, '0', tx => hooks().deviceHandler.keyOf(tx, id, keyId))
  if (key === null) return null
  return { org: (await systemSessionOf(sql, org)).org, id, name: key.name, isActive: key.isActive }
}

/** The events of one call, in the order in which they happened. */
function eventsOf(body: Readonly<Record<string, unknown>>): readonly DeviceEvent[] {
  const { events } = body
  if (!Array.isArray(events) || events.length === 0)
    throw new BusinessError('invalid', '请提交events：至少一个事件的列表', [{ field: 'events', msg: '缺少事件' }])
  if (events.length > MOST_EVENTS) throw new BusinessError('invalid', `一次最多提交${MOST_EVENTS}个事件，请分批上传`)
  return events.map((given, at) => eventOf(given, at + 1))
}

function eventOf(given: unknown, place: number): DeviceEvent {
  const wrong = (what: string) =>
    new BusinessError('invalid', `第${place}个事件：${what}`, [{ field: 'events', msg: what }])
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong('应为一个对象')
  const { event_id, kind, at, is_late = false, ...payload } = given as Record<string, unknown>
  if (typeof event_id !== 'string' || !/^[\w.-]{1,64}$/.test(event_id))
    throw wrong('event_id应为不超过64个字母、数字、点、横线或下划线')
  if (typeof kind !== 'string' || !/^[a-z]{1,20}$/.test(kind)) throw wrong('缺少事件类型kind')
  const moment = momentOf(at)
  if (moment === null) throw wrong('at应为带时区的时间，例如2026-11-22T08:00:00+08:00')
  if (Date.parse(moment) > Date.now() + CLOCK_TOLERANCE * 1000) throw wrong('at不能晚于当前时间')
  if (typeof is_late !== 'boolean') throw wrong('is_late应为true或false')
  return { event_id, kind, at: moment, is_late, payload }
}
