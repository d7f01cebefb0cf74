import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { logOperation } from '#server/public/audit.ts'
import { parseList, requirePermission, scopeSql, type Session } from '#server/public/session.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'
import { asks, bodyOf, changing, done, reading } from '#server/public/routes.ts'

const EVERY_DOOR = '*'
type Door = { readonly warehouse_model_inner_sn: string; readonly door: string }
type Given = { readonly warehouse: string; readonly door_id: string | null }

/** 开柜权限: which doors of which cabinets a user may open; read and saved in full by one call. */
export function addCabinetPermissions(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<{ Querystring: { sn?: unknown } }>('/v1/business/user/cabinetPermission', asks('sn'), request =>
    reading(sql, request, async (tx, session) => {
      const user = await userOf(tx, session, request.query.sn)
      const list = await tx`
        select c.warehouse_id as warehouse_model_inner_sn, c.name, d.name as department_name,
               coalesce((select array_agg(o.door_no order by o.door_no) from cabinet_door o
                 where o.org_id = c.org_id and o.cabinet_id = c.id and o.status = 'enabled'), '{}') as all_doors,
               coalesce((select array_agg(coalesce(o.door_no, ${EVERY_DOOR}) order by o.door_no)
                 from cabinet_permission p left join cabinet_door o on o.org_id = p.org_id and o.id = p.door_id
                          where p.org_id = c.org_id and p.warehouse_id = c.warehouse_id and p.user_id = ${user}),
                            '{}') as doors
          from cabinet c join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id left
            join department d on d.org_id = w.org_id and d.id = w.department_id
         where c.org_id = ${session.org.id} and c.status = 'enabled' and ${seen(tx, session, tx`c.warehouse_id`)}
          order by c.code`
      return done({ list, total: list.length })
    }),
  )
  app.post('/v1/business/user/saveCabinetPermission', request =>
    changing(sql, request, async (tx, session) => {
      requirePermission(session, 'user.edit')
      const body = bodyOf(request, ['sn', 'doors'])
      const user = await userOf(tx, session, body.sn)
      const doors = doorsOf(body.doors)
      const before = await savePermissions(tx, session, user, await mustBeDoors(tx, session, doors))
      await logOperation(tx, session, {
        subject: 'user',
        action: 'cabinet',
        actionName: '开柜权限',
        kind: 'permission',
        key: user,
        before: { doors: before },
        after: { doors },
      })
      return done({ info: { sn: user, count: doors.length } })
    }),
  )
}

/** Doors that remain keep their settings: days, card, purpose. Returns the previous doors. */
async function savePermissions(tx: Tx, session: Session, user: string, given: readonly Given[]): Promise<Door[]> {
  const org = session.org.id
  const before = await tx<Door[]>`
    select p.warehouse_id as warehouse_model_inner_sn, coalesce(o.door_no, ${EVERY_DOOR}) as door
      from cabinet_permission p left join cabinet_door o on o.org_id = p.org_id and o.id = p.door_id
     where p.org_id = ${org} and p.user_id = ${user} and ${seen(tx, session, tx`p.warehouse_id`)}`
  const rows = tx.json(given)
  await tx`
    delete from cabinet_permission p where p.org_id = ${org} and p.user_id = ${user}
       and ${seen(tx, session, tx`p.warehouse_id`)}
       and not exists (select 1 from jsonb_to_recordset(${rows}) k(warehouse bigint, door_id bigint)
         where k.warehouse = p.warehouse_id and k.door_id is not distinct from p.door_id)`
  await tx`
    insert into cabinet_permission (org_id, user_id, warehouse_id, door_id)
    select ${org}, ${user}, k.warehouse, k.door_id from jsonb_to_recordset(${rows}) k(warehouse bigint, door_id bigint)
    on conflict (org_id, user_id, warehouse_id, door_id) do nothing`
  const touched = [...before.map(door => door.warehouse_model_inner_sn), ...given.map(door => door.warehouse)]
  await tx`
    update cabinet set permitted_at = clock_timestamp()
      where org_id = ${org} and warehouse_id = any(${[...new Set(touched)]}::bigint[])`
  return [...before]
}

/** The cabinets of the stores that the user may see. Cabinets of other stores cannot be shown, opened or refilled. */
const seen = (tx: Tx, session: Session, store: Fragment) =>
  scopeSql(tx, session, { stores: [store], department: null, people: [] })

async function userOf(tx: Tx, session: Session, sn: unknown): Promise<string> {
  requirePermission(session, 'user.edit')
  const id = typeof sn === 'string' && /^\d{1,18}$/.test(sn) ? sn : '0'
  const [user] = await tx<{ id: string }[]>`select id from app_user where org_id = ${session.org.id} and id = ${id}`
  if (!user) throw new BusinessError('notFound', '用户不存在或已被删除')
  return user.id
}

/** A list of cabinets and doors, or its JSON text; a cabinet without a door means every door. */
function doorsOf(given: unknown): readonly Door[] {
  const wrong = () => new BusinessError('invalid', '开柜权限格式有误', [{ field: 'doors', msg: '开柜权限格式有误' }])
  const list = parseList(given)
  if (list === null || list.length > 1000) throw wrong()
  return list.map(one => {
    const { warehouse_model_inner_sn: cabinet, door = EVERY_DOOR } = (one ?? {}) as Record<string, unknown>
    if (typeof cabinet !== 'string' || !/^\d{1,18}$/.test(cabinet) || typeof door !== 'string' || door.length > 40)
      throw wrong()
    return { warehouse_model_inner_sn: cabinet, door: door.trim() || EVERY_DOOR }
  })
}

/** Every cabinet must be one that its giver sees, and every door must exist. */
async function mustBeDoors(tx: Tx, session: Session, doors: readonly Door[]): Promise<Given[]> {
  const ids = [...new Set(doors.map(door => door.warehouse_model_inner_sn))]
  const rows = await tx<{ warehouse: string; doors: Record<string, string> }[]>`
    select c.warehouse_id as warehouse,
      coalesce((select jsonb_object_agg(d.door_no, d.id::text) from cabinet_door d
      where d.org_id = c.org_id and d.cabinet_id = c.id), '{}') as doors
      from cabinet c where c.org_id = ${session.org.id} and c.warehouse_id = any(${ids}::bigint[])
       and ${seen(tx, session, tx`c.warehouse_id`)}`
  if (rows.length !== ids.length)
    throw new BusinessError('invalid', '所选耗材柜不存在，请重新选择', [
      { field: 'doors', msg: '所选耗材柜不存在，请重新选择' },
    ])
  const known = new Map(rows.map(row => [row.warehouse, row.doors]))
  return doors.map(({ warehouse_model_inner_sn: warehouse, door }) => {
    if (door === EVERY_DOOR) return { warehouse, door_id: null }
    const door_id = known.get(warehouse)?.[door]
    if (door_id !== undefined) return { warehouse, door_id }
    const msg = `柜门【${door}】不存在，请重新选择`
    throw new BusinessError('invalid', msg, [{ field: 'doors', msg }])
  })
}
