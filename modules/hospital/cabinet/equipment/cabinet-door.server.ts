import { isAdministrator } from '#modules/base/checks/granted-rights.server.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isLate, onlineOf } from '#modules/hospital/cabinet/equipment/cabinet.server.ts'
import { command } from '#modules/hospital/cabinet/device/device-command.server.ts'
import { contentOf } from '#modules/hospital/cabinet/equipment/contents-print.server.ts'
import { checkSlot } from '#modules/hospital/cabinet/equipment/slot-rules.server.ts'
import type { Fragment, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const visibleTo = (tx: Tx, session: Session, door: Fragment): Fragment =>
  session.warehouses === 'all'
    ? tx`true`
    : tx`exists (select 1 from cabinet_door sd join cabinet sc on sc.org_id = sd.org_id and sc.id = sd.cabinet_id
                  where sd.org_id = ${session.org.id} and sd.id = ${door}
                    and sc.warehouse_id = any(${[...session.warehouses]}::bigint[]))`

const held = (tx: Tx) =>
  tx`(select coalesce(sum(b.quantity), 0)::numeric(18,3) from cabinet_stock b
    where b.org_id = t.org_id and b.door_id = t.id)`
const slots = (tx: Tx, what: Fragment, more: Fragment) =>
  tx`(select ${what} from cabinet_slot s where s.org_id = t.org_id and s.door_id = t.id ${more})`

async function holdsStock(tx: Tx, session: Session, door: string): Promise<boolean> {
  const [row] =
    await tx`select 1 from cabinet_stock where org_id = ${session.org.id} and door_id = ${door} and quantity > 0
      limit 1`
  return row !== undefined
}

/** The new door gets the slots of the old one, without goods, plates and antennas. */
async function copyDoor(tx: Tx, session: Session, row: Readonly<RecordRow>, doorNo: string): Promise<void> {
  if (!/^[\w.]+$/.test(doorNo)) throw new BusinessError('invalid', '柜门号只能用字母、数字、点和下划线')
  const made = await tx<{ id: string }[]>`
    insert into cabinet_door (org_id, cabinet_id, door_no, name, door_kind, layers, identify, open_seconds,
      temperature_min, temperature_max, remark)
    select org_id, cabinet_id, ${doorNo}, name, door_kind, layers, identify, open_seconds, temperature_min,
      temperature_max, remark
      from cabinet_door where org_id = ${session.org.id} and id = ${String(row.cupboard_sn)}
    on conflict (org_id, cabinet_id, door_no) do nothing returning id`
  if (made.length === 0) throw new BusinessError('duplicate', '柜门号已存在')
  await tx`
    insert into cabinet_slot (org_id, door_id, layer, slot_no, location, specification_id, measure, upper_limit,
      lower_limit)
    select s.org_id, ${made[0]!.id}, s.layer, s.slot_no,
      c.code || '-' || ${doorNo} || '-' || s.layer || '-' || s.slot_no, s.specification_id, s.measure, s.upper_limit,
      s.lower_limit
      from cabinet_slot s join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id
        join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
     where s.org_id = ${session.org.id} and s.door_id = ${String(row.cupboard_sn)} and s.measure <> 'weight'`
}

/** The permissions a device must know have changed: it fetches them with its next heartbeat. */
export const touchPermissions = (tx: Tx, session: Session, doors: Fragment) => tx`
  update cabinet c set permitted_at = clock_timestamp()
    where c.org_id = ${session.org.id}
    and c.id in (select d.cabinet_id from cabinet_door d where d.org_id = ${session.org.id} and d.id = ${doors})`

async function mayOpen(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  if (row.status !== 'enabled') throw new BusinessError('rule', `柜门【${String(row.door_no)}】已停用`)
  if (isAdministrator(session)) return
  // A permission that has ended or not begun opens no door, neither at the door nor remotely.
  const [allowed] = await tx`
    select 1 from cabinet_permission p join cabinet c on c.org_id = p.org_id and c.warehouse_id = p.warehouse_id
     where p.org_id = ${session.org.id} and p.user_id = ${session.userId} and c.id = ${String(row.cabinet_sn)}
       and (p.door_id is null or p.door_id = ${String(row.cupboard_sn)}) and p.may_manage
       and coalesce(p.valid_from, '-infinity') <= ${today()}::date
         and coalesce(p.valid_to, 'infinity') >= ${today()}::date limit 1`
  if (!allowed) throw new BusinessError('forbidden', '无该柜门开门权限')
}

export const cupboardRules: RecordRules = {
  kind: 'cupboard',
  visible: (tx, session) => visibleTo(tx, session, tx`t.id`),
  columns: tx => {
    const cabinet = (column: string) => tx`${tx(`to_cabinet_sn.${column}`)}`
    const store = tx`from warehouse w left join department dp on dp.org_id = w.org_id and dp.id = w.department_id
      where w.org_id = t.org_id and w.id = ${cabinet('warehouse_id')}`
    return {
      cabinet_type: cabinet('cabinet_type'),
      department_name: tx`(select dp.name ${store})`,
      warehouse_name: tx`(select w.name ${store})`,
      identify: tx`coalesce(t.identify, ${cabinet('identify')})`,
      slot_count: slots(tx, tx`count(*)::int`, tx``),
      bound_count: slots(tx, tx`count(distinct s.specification_id)::int`, tx``),
      bound_products: tx`(select string_agg(distinct p.name, '、') from cabinet_slot s
        join specification x on x.id = s.specification_id join product p on p.id = x.product_id
        where s.org_id = t.org_id and s.door_id = t.id)`,
      piece_count: held(tx),
      short_count: slots(
        tx,
        tx`count(*)::int`,
        tx`and s.status = 'enabled' and s.specification_id is not null and s.lower_limit is not null
           and s.lower_limit > (select coalesce(sum(b.quantity), 0) from cabinet_stock b
             where b.org_id = s.org_id and b.slot_id = s.id)`,
      ),
      user_count: tx`(select count(distinct p.user_id)::int from cabinet_permission p
        where p.org_id = t.org_id and p.warehouse_id = ${cabinet('warehouse_id')}
        and (p.door_id is null or p.door_id = t.id) and coalesce(p.valid_to, ${today()}::date) >= ${today()}::date)`,
      door_state: tx`case when not t.is_open then 'closed' when ${isLate(tx, 't', 'to_cabinet_sn')} then 'late'
        else 'open' end`,
      online: onlineOf(tx, 'to_cabinet_sn'),
    }
  },
  async check(tx, session, { after, before, id }) {
    const [other] = await tx`
      select 1 from cabinet_door where org_id = ${session.org.id} and cabinet_id = ${String(after.cabinet_sn)}
        and door_no = ${String(after.door_no)} and id is distinct from ${id}::bigint`
    if (other) return [{ field: 'door_no', msg: '柜门号已存在' }]
    const moved = before !== null && (before.cabinet_sn !== after.cabinet_sn || before.door_no !== after.door_no)
    if (moved && (await holdsStock(tx, session, String(id))))
      throw new BusinessError('blocked', `柜门【${String(before.door_no)}】存在库存，不能改柜体或柜门号`)
    return []
  },
  /** Slot codes follow the door's code. */
  async saved(tx, session, id, { before }) {
    await touchPermissions(tx, session, tx`${id}`)
    if (before === null) return
    await tx`
      update cabinet_slot s set location = c.code || '-' || d.door_no || '-' || s.layer || '-' || s.slot_no
        from cabinet_door d join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
       where s.org_id = ${session.org.id} and s.door_id = ${id} and d.org_id = s.org_id and d.id = s.door_id`
  },
  async mayLeave(tx, session, action, row) {
    const door = String(row.cupboard_sn)
    if (await holdsStock(tx, session, door))
      throw new BusinessError(
        'blocked',
        `柜门【${String(row.door_no)}】存在库存，不能${action === 'del' ? '删除' : '停用'}`,
      )
    if (action === 'disable') return
    const [said] =
      await tx`select 1 from cabinet_session where org_id = ${session.org.id} and door_id = ${door} limit 1`
    if (said) throw new BusinessError('blocked', `柜门【${String(row.door_no)}】已有存取记录，不能删除，只能停用`)
    await touchPermissions(tx, session, tx`${door}`)
    await tx`delete from cabinet_slot where org_id = ${session.org.id} and door_id = ${door}`
    await tx`delete from cabinet_permission where org_id = ${session.org.id} and door_id = ${door}`
  },
  asks: async (_tx, _session, action, row) =>
    action === 'remoteOpen'
      ? [{ rule: 'remoteOpen', msg: `确认远程打开柜门【${String(row.door_no)}】？开门与关门后的差异都将记录在案` }]
      : [],
  async print(tx, session, row) {
    const [cabinet] = await tx<
      RecordRow[]
    >`select id as cabinet_sn from cabinet where org_id = ${session.org.id} and id = ${String(row.cabinet_sn)}`
    return contentOf(tx, session, cabinet!, String(row.cupboard_sn))
  },
  actions: {
    async copy(tx, session, row, _reason, answers) {
      await copyDoor(tx, session, row, String(answers.door_no))
    },
    async remoteOpen(tx, session, row, reason) {
      await mayOpen(tx, session, row)
      const door = String(row.door_no)
      await command(tx, session, { cabinet: String(row.cabinet_sn), kind: 'remote_open', door, reason, seconds: 60 })
    },
    async locate(tx, session, row) {
      await command(tx, session, {
        cabinet: String(row.cabinet_sn),
        kind: 'locate',
        door: String(row.door_no),
        seconds: 60,
      })
    },
  },
}

export const cabinetSlotRules: RecordRules = {
  kind: 'cabinetSlot',
  visible: (tx, session) => visibleTo(tx, session, tx`t.door_id`),
  columns: tx => ({
    product_name: tx`(select p.name from specification x join product p on p.id = x.product_id
      where x.id = t.specification_id)`,
    quantity: tx`(select coalesce(sum(b.quantity), 0)::numeric(18,3) from cabinet_stock b
      where b.org_id = t.org_id and b.slot_id = t.id)`,
  }),
  check: checkSlot,
  async mayLeave(tx, session, action, row) {
    const [full] = await tx`select 1 from cabinet_stock
        where org_id = ${session.org.id} and slot_id = ${String(row.cabinet_slot_sn)} and quantity > 0 limit 1`
    if (full)
      throw new BusinessError(
        'blocked',
        `货格【${String(row.location)}】存在库存，不能${action === 'del' ? '删除' : '停用'}`,
      )
  },
}

/** The rights in effect at each door: those to the door, and at every door of a cabinet those to the whole cabinet. */
const rightsByDoor = (tx: Tx): Fragment => tx`
  (select p.org_id, p.id, p.version, p.user_id, p.warehouse_id, d.id as door_id, p.may_take, p.may_refill, p.may_count,
    p.may_manage, p.credential, p.credential_no, p.valid_from, p.valid_to,
          case when p.door_id is null then 'cabinet' else 'door' end as reach
     from cabinet_permission p
     join cabinet c on c.org_id = p.org_id and c.warehouse_id = p.warehouse_id
     join cabinet_door d on d.org_id = c.org_id and d.cabinet_id = c.id and (p.door_id is null or p.door_id = d.id))`

export const doorPermissionRules: RecordRules = {
  kind: 'doorPermission',
  visible: (tx, session) => visibleTo(tx, session, tx`t.door_id`),
  source: tx => rightsByDoor(tx),
  // A door is identified by its cabinet.
  columns: (tx, session) => ({
    door_name: tx`(
      select concat_ws(' ', w.name, d.door_no) from warehouse w left join cabinet_door d on d.org_id = w.org_id
        and d.id = t.door_id
       where w.org_id = ${session.org.id} and w.id = t.warehouse_id)`,
    reach: tx`t.reach`,
    has_credential: tx`t.credential_no is not null`,
  }),
  mayWrite(_session, action, row) {
    if (action !== 'add' && row?.reach === 'cabinet')
      throw new BusinessError('rule', '这是整柜权限，请在用户的开柜权限中修改，或取消整柜后逐门授权')
  },
  async check(tx, session, { after, id }) {
    const [other] = await tx`
      select 1 from cabinet_permission where org_id = ${session.org.id} and user_id = ${String(after.user_sn)}
        and door_id = ${String(after.door_sn)} and id is distinct from ${id}::bigint`
    return other ? [{ field: 'user_sn', msg: '该人员已有此柜门的权限，请直接修改' }] : []
  },
  alsoWrites: async (tx, session, { after }) => {
    const [store] = await tx<{ warehouse_id: string }[]>`
      select c.warehouse_id from cabinet_door d join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
        where d.org_id = ${session.org.id} and d.id = ${String(after.door_sn)}`
    return { warehouse_id: store!.warehouse_id }
  },
  // A permission moved to another door no longer exists at the previous one.
  async saved(tx, session, _id, { after, before }) {
    await touchPermissions(tx, session, tx`${String(after.door_sn)}`)
    if (before !== null && before.door_sn !== after.door_sn)
      await touchPermissions(tx, session, tx`${String(before.door_sn)}`)
  },
  mayLeave: async (tx, session, _action, row) => void (await touchPermissions(tx, session, tx`${String(row.door_sn)}`)),
}
