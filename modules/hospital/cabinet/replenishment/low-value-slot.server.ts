import { isLow } from '#kernel/rules/stock-limit.ts'
import { instant, today } from '#kernel/values/date.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lowMeasures } from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'
import { bookUse } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { SHORT_DAYS } from '#modules/hospital/cabinet/replenishment/low-value-slot.entity.ts'
import {
  createRefills,
  missingTo,
  onTheWay,
  openRefill,
  type Wanted,
} from '#modules/hospital/cabinet/replenishment/replenishment-requests.server.ts'
import { checkSlot } from '#modules/hospital/cabinet/equipment/slot-rules.server.ts'
import type { CallContext, Fragment, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const place = (tx: Tx) =>
  tx`from cabinet_door d join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
    join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
     left join department dp on dp.org_id = w.org_id and dp.id = w.department_id
       where d.org_id = t.org_id and d.id = t.door_id`
const store = (tx: Tx): Fragment =>
  tx`(select c.warehouse_id from cabinet_door d join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
    where d.org_id = t.org_id and d.id = t.door_id)`

/** 当前数量: what the plate counts if the slot weighs, otherwise the ledger quantity of this slot. */
const held = (tx: Tx): Fragment => tx`
  (case when t.measure = 'weight'
    then coalesce((select p.pieces from weighing_plate p where p.org_id = t.org_id and p.id = t.plate_id), 0)
        else (select coalesce(sum(b.quantity), 0) from cabinet_stock b where b.org_id = t.org_id and b.slot_id = t.id
          and b.quality_state = 'qualified' and lot_is_good(b.org_id, b.lot_id)) end)::numeric(18,3)`

/** The quantity that the department used out of the cabinet since a point in time; reversed uses are deducted. */
const usedSince = (tx: Tx, since: Fragment): Fragment => tx`
  (select coalesce(-sum(m.quantity), 0)::numeric(18,3) from stock_move m
    where m.org_id = t.org_id and m.warehouse_id = ${store(tx)} and m.specification_id = t.specification_id
    and m.step = 'use' and m.at >= ${since})`
const dawn = (tx: Tx, day: string): Fragment => tx`(${day}::date::timestamp at time zone 'Asia/Shanghai')`

const lastTake = (tx: Tx, what: Fragment): Fragment => tx`
  (select ${what} from cabinet_transaction x where x.org_id = t.org_id and x.warehouse_id = ${store(tx)}
    and x.specification_id = t.specification_id and x.operation = 'take' order by x.opened_at desc, x.id desc limit 1)`

function columns(tx: Tx, session: Session): Readonly<Record<string, Fragment>> {
  const daily = tx`round(${usedSince(tx, tx`now() - interval '30 days'`)} / 30, 3)`
  const days = tx`(${held(tx)} / nullif(${daily}, 0))::numeric(18,1)::numeric(18,3)`
  return {
    department_name: tx`(select dp.name ${place(tx)})`,
    cabinet_name: tx`(select c.name ${place(tx)})`,
    product_name: tx`(select p.name from specification x join product p on p.id = x.product_id
      where x.id = t.specification_id)`,
    quantity: held(tx),
    daily_use: daily,
    days_left: days,
    used_today: usedSince(tx, dawn(tx, today())),
    used_month: usedSince(tx, dawn(tx, `${today().slice(0, 8)}01`)),
    near_lot: tx`(select b.lot_no || coalesce(' ' || b.expiry_date, '') from cabinet_stock b
      where b.org_id = t.org_id and b.slot_id = t.id order by b.expiry_date nulls last limit 1)`,
    stock_state: tx`(case when t.specification_id is null then 'unbound' when ${held(tx)} <= 0 then 'empty'
      when is_low(${held(tx)}, t.lower_limit) then 'low' when ${days} <= ${SHORT_DAYS} then 'short'
      else 'normal' end)`,
    refill_state: tx`(case when ${openRefill(tx, session.org.id, store(tx), tx`t.specification_id`)} is null
      then 'none' else 'open' end)`,
    last_operator: lastTake(tx, tx`x.operator_name`),
    last_at: lastTake(tx, tx`x.opened_at`),
  }
}

const isLowValue = (tx: Tx) => tx`t.measure = any(${Object.keys(lowMeasures)})`
const visibleTo = (tx: Tx, session: Session) =>
  session.warehouses === 'all' ? tx`true` : tx`${store(tx)} = any(${[...session.warehouses]}::bigint[])`

/** Slots with the data needed to refill them. */
async function toRefill(
  tx: Tx,
  session: Session,
  keys: readonly string[] | null,
): Promise<
  (Wanted & {
    measure: string
    pack_quantity: Decimal | null
    lower_limit: Decimal | null
    upper_limit: Decimal | null
    stock: Decimal
    coming: Decimal
    location: string
  })[]
> {
  const chosen = keys === null ? tx`true` : tx`t.id = any(${keys.filter(key => /^\d{1,18}$/.test(key))}::bigint[])`
  return tx`
    select t.location, t.measure, t.pack_quantity, t.lower_limit, t.upper_limit, t.specification_id, p.name,
      w.id as warehouse_id, w.name as warehouse_name, w.department_id,
           coalesce(t.source_warehouse_id, w.parent_id) as source_id, ${held(tx)} as stock,
             ${onTheWay(tx, session.org.id, tx`w.id`, tx`t.specification_id`)} as coming,
           ${openRefill(tx, session.org.id, tx`w.id`, tx`t.specification_id`)} as open_sn, '0' as quantity
      from cabinet_slot t join cabinet_door d on d.org_id = t.org_id and d.id = t.door_id
        join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
      join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
        join specification s on s.id = t.specification_id join product p on p.id = s.product_id
     where t.org_id = ${session.org.id} and t.status = 'enabled' and ${isLowValue(tx)} and ${chosen}
       and ${visibleTo(tx, session)} order by t.location`
}

/** 一键补货: refills every slot at or under its refill point up to its limit; two-bin slots order exactly one pack. */
async function replenish(tx: Tx, session: Session) {
  const rows = (await toRefill(tx, session, null)).filter(
    row => row.lower_limit !== null && isLow(row.stock, row.lower_limit),
  )
  const wanted = rows.map(row => ({
    ...row,
    quantity:
      row.measure === 'two_bin' ? (row.pack_quantity ?? '0') : missingTo(row.upper_limit, row.stock, row.coming),
  }))
  return { said: await createRefills(tx, session, wanted, '低值耗材柜一键补货') }
}

/** 定数包补货: the card of an empty bin orders one pack. */
async function orderPacks({ tx, session, ids }: CallContext) {
  const rows = await toRefill(tx, session, ids)
  if (rows.length < ids.length) throw new BusinessError('rule', '所选货格未绑定产品或已停用，请取消勾选')
  const stray = rows.find(row => row.measure !== 'two_bin')
  if (stray) throw new BusinessError('rule', `货格【${stray.location}】不是双箱定数包，请用一键补货`)
  return {
    said: await createRefills(
      tx,
      session,
      rows.map(row => ({ ...row, quantity: row.pack_quantity ?? '0' })),
      '双箱定数包补货',
    ),
  }
}

/** 登记领用: used by the department, the oldest lot first; never more than is on hand. */
async function take(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  _reason: string | null,
  answers: Readonly<RecordRow>,
): Promise<void> {
  const quantity = answers.quantity as Decimal
  if (!row.specification_sn) throw new BusinessError('rule', '货格未绑定产品')
  if (row.status !== 'enabled') throw new BusinessError('rule', `货格【${String(row.location)}】已停用`)
  if (row.measure === 'weight') throw new BusinessError('rule', '称重货格的领用由托盘自动登记')
  if (compare(quantity, row.quantity as Decimal) > 0) throw new BusinessError('rule', '货格库存不足')
  const [at] = await tx<
    {
      warehouse_id: string
      department_id: string | null
      employee_id: string | null
      cabinet_id: string
      name: string
    }[]
  >`
    select c.warehouse_id, w.department_id, c.id as cabinet_id, c.name,
      (select u.employee_id from app_user u where u.id = ${session.userId}) as employee_id
      from cabinet_door d join cabinet c on c.org_id = d.org_id and c.id = d.cabinet_id
        join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
     where d.org_id = ${session.org.id} and d.id = ${String(row.door_sn)}`
  const specification_id = String(row.specification_sn)
  const sn = await bookUse(
    tx,
    session,
    {
      warehouse: at!.warehouse_id,
      department: at!.department_id,
      handler: at!.employee_id,
      used_at: instant(),
      patient: null,
      type: 'cabinet',
      remark: `${at!.name}货格${String(row.location)}登记领用`,
    },
    [{ specification_id, lot_no: null, unit_code: null, owner_id: null, quantity }],
  )
  await tx`
    insert into cabinet_transaction (org_id, serial_no, cabinet_id, door_id, warehouse_id, department_id, operation,
      user_id, operator_name, auth, opened_at, specification_id, quantity, stock_after, document_kind, document_sn,
      state)
    values (${session.org.id}, ${sn}, ${at!.cabinet_id}, ${String(row.door_sn)}, ${at!.warehouse_id},
      ${at!.department_id}, 'take', ${session.userId}, ${session.userName}, '手工登记', now(), ${specification_id},
      ${quantity},
            (select coalesce(sum(b.quantity), 0) from stock_balance b
              where b.org_id = ${session.org.id} and b.warehouse_id = ${at!.warehouse_id}
              and b.specification_id = ${specification_id}), 'departmentUse', ${sn}, 'linked')`
}

export const lowValueSlotRules: RecordRules = {
  kind: 'lowValueSlot',
  visible: (tx, session) => tx`${isLowValue(tx)} and ${visibleTo(tx, session)}`,
  columns,
  check: checkSlot,
  async mayLeave(tx, session, action, row) {
    const [full] = await tx`
      select 1 from cabinet_stock where org_id = ${session.org.id} and slot_id = ${String(row.low_value_slot_sn)}
        and quantity > 0 limit 1`
    if (full)
      throw new BusinessError(
        'blocked',
        `货格【${String(row.location)}】存在库存，不能${action === 'del' ? '删除' : '停用'}`,
      )
  },
  actions: {
    take,
    async bind(tx, session, row, _reason, { specification_sn }) {
      if (row.specification_sn) throw new BusinessError('rule', `货格已绑定【${String(row.product_name)}】`)
      const problems = await checkSlot(tx, session, {
        id: String(row.low_value_slot_sn),
        before: row,
        sent: { specification_sn },
        after: { ...row, specification_sn },
      })
      if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
      return { specification_sn }
    },
    async unbind(_tx, _session, row) {
      if (!row.specification_sn) throw new BusinessError('rule', '货格未绑定产品')
      if (compare(row.quantity as Decimal, '0') > 0) throw new BusinessError('blocked', '货格仍有库存，不能解除绑定')
      return { specification_sn: null }
    },
  },
  calls: { replenish: ({ tx, session }) => replenish(tx, session), pack: orderPacks },
}
