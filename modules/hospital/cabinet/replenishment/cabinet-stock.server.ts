import { today } from '#kernel/values/date.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { onlineOf } from '#modules/hospital/cabinet/equipment/cabinet.server.ts'
import { command } from '#modules/hospital/cabinet/device/device-command.server.ts'
import { customerColumns, stockOfOthers } from '#modules/hospital/cabinet/transactions/owner-sync.server.ts'
import {
  createRefills,
  onTheWay,
  openRefill,
  proposed,
  type Wanted,
} from '#modules/hospital/cabinet/replenishment/replenishment-requests.server.ts'
import { configNumberSql } from '#server/public/settings.ts'
import type { CallContext, Fragment, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The total of a specification in its cabinet: limits apply to the specification, not to the lot. */
const whole = (tx: Tx): Fragment =>
  tx`(select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b
    where b.org_id = t.org_id and b.warehouse_id = t.warehouse_id and b.specification_id = t.specification_id
    and b.quality_state = 'qualified' and lot_is_good(b.org_id, b.lot_id))`
const proposal = (tx: Tx, session: Session): Fragment =>
  proposed(tx, {
    lower: tx`t.lower_limit`,
    upper: tx`t.upper_limit`,
    stock: whole(tx),
    coming: onTheWay(tx, session.org.id, tx`t.warehouse_id`, tx`t.specification_id`),
  })
const pieces = (tx: Tx, session: Session, what: Fragment): Fragment =>
  tx`(select ${what} from unit u where u.lot_id = t.lot_id and u.id > 0 and u.holder_org_id = ${session.org.id}
    and u.warehouse_id = t.warehouse_id and u.status = 'in_stock' and u.owner_id is not distinct from t.owner_id)`

type Row = Wanted & {
  id: string
  cabinet_id: string
  slot_id: string | null
  slot: string | null
  door_no: string | null
}

/** The selected rows with what calls decide by. */
async function rowsOf(tx: Tx, session: Session, keys: readonly string[]): Promise<Row[]> {
  const rows = await tx<Row[]>`
    select t.id, t.cabinet_id, t.slot_id, t.slot, t.door_no, t.warehouse_id, w.name as warehouse_name, t.department_id,
      w.parent_id as source_id, t.specification_id, p.name,
           ${proposal(tx, session)} as quantity,
             ${openRefill(tx, session.org.id, tx`t.warehouse_id`, tx`t.specification_id`)} as open_sn
      from cabinet_stock t join warehouse w on w.org_id = t.org_id and w.id = t.warehouse_id
        join product p on p.id = t.product_id
     where t.org_id = ${session.org.id} and t.id = any(${keys as string[]}) order by t.id`
  return [...rows]
}

/** 生成补货申领: one draft per cabinet. Lots of one specification are requested once. */
async function replenish({ tx, session, ids }: CallContext) {
  const rows = await rowsOf(tx, session, ids)
  const once = [...new Map(rows.map(row => [`${row.warehouse_id}/${row.specification_id}`, row])).values()]
  return { said: await createRefills(tx, session, once, '智能柜补货') }
}

async function limit({ tx, session, asked, ids }: CallContext) {
  const [lower, upper] = [asked.lower_limit, asked.upper_limit] as [Decimal, Decimal]
  if (compare(lower, upper) > 0) throw new BusinessError('invalid', '下限不能大于上限')
  const rows = await rowsOf(tx, session, ids)
  const loose = rows.find(row => row.slot_id === null)
  if (loose) throw new BusinessError('rule', `【${loose.name}】没有绑定货格，请先在柜门管理中维护`)
  await tx`
    update cabinet_slot set lower_limit = ${lower}, upper_limit = ${upper}, version = version + 1
     where org_id = ${session.org.id} and id = any(${rows.map(row => row.slot_id!)}::bigint[])`
  return { said: `已设置${new Set(rows.map(row => row.slot_id)).size}个货格的上下限` }
}

/** 亮灯寻货: the device lights the slots, one command per door. */
async function locate({ tx, session, ids }: CallContext) {
  const rows = await rowsOf(tx, session, ids)
  for (const mine of Map.groupBy(rows, row => `${row.cabinet_id}/${row.door_no}`).values()) {
    const slots = [...new Set(mine.flatMap(row => (row.slot === null ? [] : [row.slot])))]
    await command(tx, session, {
      cabinet: mine[0]!.cabinet_id,
      kind: 'locate',
      door: mine[0]!.door_no,
      payload: { slots },
      seconds: 60,
    })
  }
  return { said: '已通知设备亮灯' }
}

const shared = (tx: Tx): Readonly<Record<string, Fragment>> => ({
  manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
  days_left: tx`t.expiry_date - ${today()}::date`,
})

/** Columns only the organisation itself knows of its cabinets. */
const own = (tx: Tx, session: Session): Readonly<Record<string, Fragment>> => ({
  hospital_name: tx`null::text`,
  expiry_state: tx`case when t.expiry_date is null then 'none' when t.expiry_date < ${today()}::date then 'expired'
    when t.expiry_date <= ${today()}::date + ${configNumberSql(tx, session.org.id, 'expiry_warning_days')} then 'near'
    else 'normal' end`,
  stock_state: tx`case when t.lower_limit is null then 'none' when is_low(${whole(tx)}, t.lower_limit) then 'low'
    else 'normal' end`,
  unit_count: pieces(tx, session, tx`count(*)::int`),
  unit_code: pieces(
    tx,
    session,
    tx`(select string_agg(c.bare, '、' order by c.bare) from unit_code c
      where c.lot_id = t.lot_id and c.unit_id = any(array_agg(u.id)))`,
  ),
  proposed: proposal(tx, session),
  read_quantity: tx`(select r.quantity from cabinet_reading r where r.org_id = t.org_id and r.cabinet_id = t.cabinet_id
    and r.specification_id = t.specification_id and r.lot_id = t.lot_id)`,
  online: onlineOf(tx, 'to_cabinet_sn'),
  read_at: tx`${tx('to_cabinet_sn.read_at')}`,
})

const others = (tx: Tx, session: Session): Readonly<Record<string, Fragment>> => ({
  ...customerColumns(tx),
  expiry_state: own(tx, session).expiry_state!,
  stock_state: tx`null::text`,
  unit_count: tx`t.unit_count`,
  unit_code: tx`null::text`,
  proposed: tx`null::numeric`,
  read_quantity: tx`null::numeric`,
  online: tx`null::text`,
  read_at: tx`t.read_at`,
})

export const cabinetStockRules: RecordRules = {
  kind: 'cabinetStock',
  source: (tx, session) => (session.org.type === 'H' ? tx`cabinet_stock` : stockOfOthers(tx)),
  columns: (tx, session) => ({
    ...shared(tx),
    ...(session.org.type === 'H' ? own(tx, session) : others(tx, session)),
  }),
  calls: { replenish, limit, locate },
}
