import { reportError } from '#server/public/jobs.ts'
import type { Sql } from 'postgres'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { closeDoor } from '#modules/hospital/cabinet/device/door-closed.server.ts'
import { openDoor } from '#modules/hospital/cabinet/device/door-opened.server.ts'
import { commandDone, inventoryRead } from '#modules/hospital/cabinet/device/inventory-read.server.ts'
import { NotAllowed } from '#modules/hospital/cabinet/device/not-allowed.server.ts'
import { cabinetOf, type Working } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { deliverDocument } from '#server/public/intercompany.ts'
import type { Device, DeviceEvent, EventReply } from '#server/public/devices.ts'
import { recordIncident } from '#server/public/audit.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { inOrganisation, withRetry, type Tx } from '#server/public/database.ts'

type Work = (working: Working) => Promise<string>
const works: Readonly<Record<string, Work>> = {
  open: openDoor,
  close: closeDoor,
  inventory: inventoryRead,
  done: commandDone,
}

type Stored = { id: string; state: EventReply['state']; said: string | null; same: boolean }

/** Each event is stored before it is processed, and processed in its own transaction: a failed event is not lost. */
export async function takeEvents(
  sql: Sql,
  device: Device,
  events: readonly DeviceEvent[],
): Promise<readonly EventReply[]> {
  const replies: EventReply[] = []
  for (const event of events) {
    const { fresh, stored } = await withRetry(() =>
      inOrganisation(sql, device.org.id, '0', tx => keep(tx, device, event)),
    )
    const { event_id } = event
    if (!stored.same)
      replies.push({ event_id, state: 'refused', msg: '事件编号重复且内容不同，请换新的编号', repeated: true })
    else if (!fresh && stored.state !== 'waiting')
      replies.push({ event_id, state: stored.state, msg: stored.said ?? '', repeated: true })
    else replies.push({ event_id, ...(await work(sql, device, stored.id)), repeated: !fresh })
  }
  return replies
}

/** The same number is the same event; the same number with different content is a device error. */
async function keep(tx: Tx, device: Device, event: DeviceEvent): Promise<{ fresh: boolean; stored: Stored }> {
  const payload = tx.json(event.payload)
  const [made] = await tx<{ id: string }[]>`
    insert into cabinet_event (org_id, cabinet_id, event_id, kind, at, is_late, payload)
    values (${device.org.id}, ${device.id}, ${event.event_id}, ${event.kind}, ${event.at}, ${event.is_late}, ${payload})
    on conflict (org_id, cabinet_id, event_id) do nothing returning id`
  if (made) return { fresh: true, stored: { id: made.id, state: 'waiting', said: null, same: true } }
  const [stored] = await tx<Stored[]>`
    select id, state, said, kind = ${event.kind} and at = ${event.at} and payload = ${payload} as same
      from cabinet_event
     where org_id = ${device.org.id} and cabinet_id = ${device.id} and event_id = ${event.event_id}`
  return { fresh: false, stored: stored! }
}

type Outcome = Pick<EventReply, 'state' | 'msg'>

/**
 * Processes one stored event, one at a time per cabinet, and passes on what its documents send to other
 * organisations.
 */
async function work(sql: Sql, device: Device, id: string): Promise<Outcome> {
  const docs: string[] = []
  try {
    const outcome = await withRetry(() =>
      inOrganisation(sql, device.org.id, '0', async tx => {
        docs.length = 0
        return workOne(tx, device, id, docs)
      }),
    )
    for (const sn of docs) await deliverDocument(sql, device.org.id, sn)
    return outcome
  } catch (error) {
    const isRefusal = error instanceof BusinessError || error instanceof ConfirmationRequired
    const msg = isRefusal ? error.message : '处理失败，已登记异常，请联系管理员'
    await inOrganisation(sql, device.org.id, '0', tx => fail(tx, device, id, msg))
    if (!isRefusal) reportError('device event', error)
    return { state: 'failed', msg }
  }
}

async function workOne(tx: Tx, device: Device, id: string, docs: string[]): Promise<Outcome> {
  // Two concurrent calls of one cabinet: the second waits and finds the first one's work done.
  const cabinet = await cabinetOf(tx, device)
  const [event] = await tx<(DeviceEvent & { state: EventReply['state']; said: string | null })[]>`
    select event_id, kind, at, is_late, payload, state, said from cabinet_event
      where org_id = ${device.org.id} and id = ${id}`
  if (event!.state !== 'waiting') return { state: event!.state, msg: event!.said ?? '' }
  const does = works[event!.kind]
  if (!does) throw new BusinessError('invalid', `没有“${event!.kind}”这种事件`)
  const session = await systemSessionOf(tx, device.org.id)
  let outcome: Outcome
  try {
    const said = await does({ tx, session, device, cabinet, event: event!, documents: docs, rows: { count: 0 } })
    outcome = { state: 'done', msg: said }
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    outcome = { state: 'refused', msg: error.message }
  }
  await tx`
    update cabinet_event set state = ${outcome.state}, said = ${outcome.msg}, tries = tries + 1, done_at = now()
      where org_id = ${device.org.id} and id = ${id}`
  return outcome
}

/** The event stays as received and someone is asked to check it; 重试 processes it again. */
async function fail(tx: Tx, device: Device, id: string, msg: string): Promise<void> {
  const [event] = await tx<{ event_id: string; kind: string }[]>`
    update cabinet_event set state = 'failed', said = ${msg}, tries = tries + 1, done_at = now()
      where org_id = ${device.org.id} and id = ${id} returning event_id, kind`
  const [cabinet] = await tx<{ warehouse_id: string }[]>`
    select warehouse_id from cabinet where org_id = ${device.org.id} and id = ${device.id}`
  await recordIncident(
    tx,
    { org: device.org, userName: device.name },
    {
      kind: 'device',
      level: 'serious',
      source: '智能柜',
      description: msg,
      object: `${device.name} ${event?.event_id ?? ''}`,
      ...(cabinet ? { warehouse: cabinet.warehouse_id } : {}),
      deviceEvent: id,
    },
  )
}

const LEFT_BEHIND = '5 seconds'

/** Events stored but not processed, after a crash or by 重试, are processed in order. */
export async function workLeftBehind(app: Sql, owner: Sql): Promise<void> {
  const waiting = await owner<{ org_id: string; cabinet_id: string; id: string; name: string }[]>`
    select e.org_id, e.cabinet_id, e.id, c.name from cabinet_event e join cabinet c on c.org_id = e.org_id
      and c.id = e.cabinet_id
     where e.state = 'waiting' and e.received_at < now() - ${LEFT_BEHIND}::interval order by e.org_id, e.cabinet_id,
       e.id limit 200`
  for (const event of waiting) {
    const { org } = await systemSessionOf(owner, event.org_id)
    const { state } = await work(app, { org, id: event.cabinet_id, name: event.name }, event.id)
    if (state === 'done')
      await inOrganisation(
        app,
        org.id,
        '0',
        tx => tx`
        update error_record set state = 'done', note = '重试成功', handled_by = coalesce(handled_by, '系统'),
          handled_at = now(), version = version + 1
         where org_id = ${org.id} and cabinet_event_id = ${event.id} and state in ('waiting', 'working')`,
      )
  }
}
