import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { Refusal } from '#kernel/refusal.ts'
import { writeLog } from '#server/engine/log.ts'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { bodyOf, changing, reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

const EVERY_DOOR = '*'
type Door = { readonly warehouse_model_inner_sn: string; readonly door: string }

/** 开柜权限: which doors of which cabinets a user may open; the whole of it in one call, there and back. */
export function addCabinetPermissions(app: FastifyInstance, sql: Sql): void {
  app.get<{ Querystring: { sn?: unknown } }>('/v1/business/user/cabinetPermission', request =>
    reading(sql, request, async (tx, session) => {
      const user = await userOf(tx, session, request.query.sn)
      const list = await tx`
        select w.id as warehouse_model_inner_sn, w.name, d.name as department_name, w.doors as all_doors,
               coalesce((select array_agg(p.door order by p.door) from cabinet_permission p where p.org_id = w.org_id and p.warehouse_id = w.id and p.user_id = ${user}), '{}') as doors
          from warehouse w left join department d on d.org_id = w.org_id and d.id = w.department_id
         where w.org_id = ${session.org.id} and w.model = 'cabinet' and w.status = 'enabled' order by w.id`
      return done({ list, total: list.length })
    }),
  )
  app.post('/v1/business/user/saveCabinetPermission', request =>
    changing(sql, request, async (tx, session) => {
      const body = bodyOf(request)
      const user = await userOf(tx, session, body.sn)
      const doors = doorsOf(body.doors)
      await mustBeDoors(tx, session, doors)
      const before = await tx<Door[]>`
        delete from cabinet_permission where org_id = ${session.org.id} and user_id = ${user} returning warehouse_id as warehouse_model_inner_sn, door`
      for (const { warehouse_model_inner_sn: cabinet, door } of doors)
        await tx`insert into cabinet_permission (org_id, user_id, warehouse_id, door) values (${session.org.id}, ${user}, ${cabinet}, ${door}) on conflict do nothing`
      await writeLog(tx, session, {
        subject: 'user',
        action: 'cabinet',
        actionName: '开柜权限',
        kind: 'permission',
        key: user,
        before: { doors: [...before] },
        after: { doors },
      })
      return done({ info: { sn: user, count: doors.length } })
    }),
  )
}

async function userOf(tx: Tx, session: Session, sn: unknown): Promise<string> {
  mustBeAllowed(session, 'user.edit')
  const id = typeof sn === 'string' && /^\d{1,18}$/.test(sn) ? sn : '0'
  const [user] = await tx<{ id: string }[]>`select id from app_user where org_id = ${session.org.id} and id = ${id}`
  if (!user) throw new Refusal('notFound', '用户不存在或已被删除')
  return user.id
}

/** A list of cabinets and doors, or its JSON text; a cabinet without a door means every door. */
function doorsOf(given: unknown): readonly Door[] {
  const wrong = () => new Refusal('invalid', '开柜权限格式有误', [{ field: 'doors', msg: '开柜权限格式有误' }])
  let list: unknown = given
  try {
    if (typeof given === 'string') list = JSON.parse(given)
  } catch {
    throw wrong()
  }
  if (!Array.isArray(list) || list.length > 1000) throw wrong()
  return list.map(one => {
    const { warehouse_model_inner_sn: cabinet, door = EVERY_DOOR } = (one ?? {}) as Record<string, unknown>
    if (typeof cabinet !== 'string' || !/^\d{1,18}$/.test(cabinet) || typeof door !== 'string' || door.length > 40)
      throw wrong()
    return { warehouse_model_inner_sn: cabinet, door: door.trim() || EVERY_DOOR }
  })
}

/** Every cabinet is ours, and every door one of its own. */
async function mustBeDoors(tx: Tx, session: Session, doors: readonly Door[]): Promise<void> {
  const ids = [...new Set(doors.map(door => door.warehouse_model_inner_sn))]
  const rows = await tx<{ id: string; doors: string[] }[]>`
    select id, doors from warehouse where org_id = ${session.org.id} and model = 'cabinet' and id = any(${ids}::bigint[])`
  if (rows.length !== ids.length)
    throw new Refusal('invalid', '所选耗材柜不存在，请重新选择', [
      { field: 'doors', msg: '所选耗材柜不存在，请重新选择' },
    ])
  const known = new Map(rows.map(row => [row.id, new Set([EVERY_DOOR, ...row.doors])]))
  const strange = doors.find(one => !known.get(one.warehouse_model_inner_sn)?.has(one.door))
  if (strange === undefined) return
  const msg = `柜门【${strange.door}】不存在，请重新选择`
  throw new Refusal('invalid', msg, [{ field: 'doors', msg }])
}
