import { instant, today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { takeFromNow } from '#modules/hospital/surgery/bookings/real-times.server.ts'
import type { TenantContext, Booking } from '#modules/hospital/surgery/bookings/booking.server.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'

/** Goods of one balance in a kit. Quantities in base units; `location` is the code of the kit. */
export type KitContent = {
  readonly kit_sn: string
  readonly kit_code: string
  readonly kit_name: string
  readonly tray: string | null
  readonly warehouse_model_inner_sn: string
  readonly location: string
  readonly specification_sn: string
  readonly product_name: string
  readonly specification_name: string
  readonly manufacturer_name: string
  readonly registration_no: string | null
  readonly lot_id: string
  readonly lot_no: string
  readonly production_date: string | null
  readonly expiry_date: string | null
  readonly owner_org_sn: string
  readonly quality_state: string
  readonly quantity: Decimal
  readonly unit_codes: readonly string[]
}

/**
 * The balances at the places of kits now, a row each, in the order of kit, tray and product; pieces with codes under
 * theirs. A kit that is empty or out has none. Three statements, however many kits and pieces.
 */
export async function kitContents(tx: Tx, session: Session, kitSns: readonly string[]): Promise<KitContent[]> {
  const rows = await tx<Omit<KitContent, 'unit_codes'>[]>`
    select k.id as kit_sn, k.code as kit_code, t.name as kit_name, l.tray,
           b.warehouse_id as warehouse_model_inner_sn, b.location, b.specification_id as specification_sn,
           p.name as product_name, s.name as specification_name, m.name as manufacturer_name,
           c.certificate_no as registration_no, b.lot_id, y.lot_no, d.production_date, d.expiry_date,
           b.owner_id as owner_org_sn, b.quality_state, b.quantity
      from implant_kit k
      join operation_kit t on t.org_id = k.org_id and t.id = k.operation_kit_id
      join stock_balance b on b.org_id = k.org_id and b.location = k.code and b.quantity > 0
      join lot y on y.id = b.lot_id
      join specification s on s.id = b.specification_id
      join product p on p.id = s.product_id
      join organisation m on m.id = p.manufacturer_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join stock_lot d on d.org_id = b.org_id and d.lot_id = b.lot_id
      left join operation_kit_line l on l.org_id = k.org_id and l.operation_kit_id = k.operation_kit_id
        and l.specification_id = b.specification_id
     where k.org_id = ${session.org.id} and k.id = any(${kitSns as string[]}::bigint[])
     order by k.code, l.tray nulls last, l.sort_no, p.name, s.name, d.expiry_date, b.lot_id`
  if (rows.length === 0) return []
  const lots = [...new Set(rows.map(row => row.lot_id))]
  const units = await tx<{ lot_id: string; id: string; place: string; owner_id: string }[]>`
    select u.lot_id, u.id, u.place, u.owner_id from unit u
     where u.lot_id = any(${lots}::bigint[]) and u.id > 0 and u.status = 'in_stock'
       and u.holder_org_id = ${session.org.id} and u.place = any(${[...new Set(rows.map(row => row.location))]})`
  const codes = await tx<{ lot_id: string; unit_id: string; bare: string }[]>`
    select distinct on (c.lot_id, c.unit_id) c.lot_id, c.unit_id, c.bare from unit_code c
     where c.lot_id = any(${lots}::bigint[]) and c.unit_id = any(${units.map(unit => unit.id)}::bigint[])
       and c.ended is null and c.kind <> 'rfid'
     order by c.lot_id, c.unit_id, c.kind = 'inhouse' desc, c.bare`
  const codeOf = new Map(codes.map(row => [`${row.lot_id}/${row.unit_id}`, row.bare]))
  const byBalance = Map.groupBy(units, unit => `${unit.place}/${unit.lot_id}/${unit.owner_id}`)
  return rows.map(row => ({
    ...row,
    unit_codes: (byBalance.get(`${row.location}/${row.lot_id}/${row.owner_org_sn}`) ?? [])
      .flatMap(unit => codeOf.get(`${unit.lot_id}/${unit.id}`) ?? [])
      .toSorted(),
  }))
}

type Unfit = {
  readonly code: string
  readonly status: string
  readonly out_sn: string | null
  readonly expired: string | null
}

/** A kit that is out, stopped, or holds a piece past its date or its certificate cannot be taken for a plan. */
export async function refuseUnfitKits(tx: Tx, session: Session, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return
  const rows = tx.json(bookings.map(({ sn, planId }) => ({ sn, plan: planId })))
  const found = await tx<Unfit[]>`
    select k.code, k.status, d.sn as out_sn, x.expired
      from jsonb_to_recordset(${rows}) r(sn bigint, plan bigint)
      join implant_kit k on k.org_id = ${session.org.id} and k.id = r.sn
      left join document d on d.org_id = k.org_id and d.id = k.out_plan_id and d.id <> r.plan
      left join lateral (
        select p.name || ' ' || s.name as expired from stock_balance b
          join specification s on s.id = b.specification_id
          join product p on p.id = s.product_id
          left join registration_certificate c on c.id = s.registration_certificate_id
          left join stock_lot y on y.org_id = b.org_id and y.lot_id = b.lot_id
         where b.org_id = k.org_id and b.location = k.code and b.quantity > 0
           and (y.expiry_date < ${today()}::date or c.valid_to < ${today()}::date)
         order by y.expiry_date, s.name limit 1) x on true
     order by k.code`
  if (found.length < bookings.length) throw new BusinessError('notFound', '套包不存在或已被删除，请刷新后重新选择')
  for (const kit of found) {
    if (kit.out_sn) throw new BusinessError('blocked', `套包【${kit.code}】已被手术${kit.out_sn}占用`)
    if (kit.status === 'disabled') throw new BusinessError('wrongState', `套包【${kit.code}】已停用，请选择其他套包`)
    if (kit.expired) throw new BusinessError('rule', `套包内${kit.expired}已过期，请先取出`)
  }
}

/** 送出: kits that were taken for the plan leave with it, until the day on which they are due back. */
export async function sendKits(
  { tx, session }: TenantContext,
  planId: string,
  kitSns: readonly string[],
): Promise<void> {
  if (kitSns.length === 0) return
  const sent = await tx`
    update implant_kit k set out_plan_id = b.plan_id, out_at = ${instant()}, version = version + 1,
           due_back_on = (upper(b.period) at time zone 'Asia/Shanghai')::date
      from surgery_booking b
     where k.org_id = ${session.org.id} and k.id = any(${kitSns as string[]}::bigint[])
       and b.org_id = k.org_id and b.subject_kind = 'kit' and b.subject_id = k.id and b.plan_id = ${planId}
       and coalesce(k.out_plan_id, b.plan_id) = b.plan_id
    returning k.id`
  if (sent.length < new Set(kitSns).size)
    throw new BusinessError('wrongState', '有套包未分配给该手术，请先备货后再送出')
  await takeFromNow({ tx, session }, 'kit', planId, kitSns)
}

/** 归还: the kits of a plan are back and free; what was used of them is missing until it is supplied. */
export async function takeBackKits(
  { tx, session }: TenantContext,
  planId: string,
  kitSns: readonly string[],
): Promise<void> {
  if (kitSns.length === 0) return
  await tx`
    update implant_kit set out_plan_id = null, out_at = null, due_back_on = null, counted_at = ${instant()},
           confirmed_shortage = null, confirmed_by = null, version = version + 1
     where org_id = ${session.org.id} and out_plan_id = ${planId}
       and id = any(${kitSns as string[]}::bigint[])`
  await tx`
    delete from surgery_booking
     where org_id = ${session.org.id} and plan_id = ${planId} and subject_kind = 'kit'
       and subject_id = any(${kitSns as string[]}::bigint[])`
}

/** 撤回送出: the kits that a presale took out are where they were, still prepared for its plan. */
export async function recallKits({ tx, session }: TenantContext, planId: string, codes: readonly string[]) {
  await tx`
    update implant_kit set out_plan_id = null, out_at = null, due_back_on = null, version = version + 1
     where org_id = ${session.org.id} and out_plan_id = ${planId} and code = any(${codes as string[]})`
}
