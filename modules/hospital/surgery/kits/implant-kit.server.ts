import { addDays, instant, today } from '#kernel/values/date.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import {
  type Asked,
  fill,
  load,
  lockedKit,
  missingOf,
  takeAllOut,
  takeOut,
} from '#modules/hospital/surgery/kits/kit-goods.server.ts'
import { takeBackKits } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { assignToPlan } from '#modules/hospital/surgery/bookings/plan-of-kit.server.ts'
import { openPresales } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { implantKitSheetOf } from '#modules/hospital/surgery/kits/kit-sheets.server.ts'
import { runAction } from '#server/public/actions.ts'
import { fullSets } from '#modules/goods/packs/kits/full-sets.server.ts'
import type {
  Change,
  Fragment,
  ListActionHandler,
  RecordAction,
  RecordRow,
  RecordRules,
  Sign,
} from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Days before an operation within which a piece counts as 近效期. */
export const NEAR_EXPIRY_DAYS = 30

/** The kits of the stores that a session sees. */
const visibleKits = (tx: Tx, session: Session): Fragment =>
  session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`

/** The balances at the place of the kit: `t` is the kit, `b` a balance. */
const contents = (tx: Tx) => tx`from stock_balance b where b.org_id = t.org_id and b.location = t.code`
const missing = (tx: Tx) => tx`(select coalesce(sum(greatest(l.quantity - coalesce(b.held, 0), 0)), 0)::numeric(18,3)
  from operation_kit_line l
  left join lateral (select sum(x.quantity) as held from stock_balance x
    where x.org_id = l.org_id and x.location = t.code and x.specification_id = l.specification_id) b on true
 where l.org_id = t.org_id and l.operation_kit_id = t.operation_kit_id)`
const nextBooking = (tx: Tx, column: Fragment) => tx`(select ${column} from surgery_booking k
  join document d on d.org_id = k.org_id and d.id = k.plan_id
 where k.org_id = t.org_id and k.subject_kind = 'kit' and k.subject_id = t.id and upper(k.period) > ${instant()}
 order by lower(k.period) limit 1)`
const outDocument = (tx: Tx, column: Fragment) => tx`(select ${column} from document d
  left join organisation h on h.id = d.counterparty_id
 where d.org_id = t.org_id and d.id = t.out_plan_id)`
/** The operation that the kit goes to, else today: pieces count as near their date before that day + 30. */
const lastSafeDay = (tx: Tx) =>
  tx`coalesce(${nextBooking(
    tx,
    tx`(lower(k.period) at time zone 'Asia/Shanghai')::date`,
  )}, ${today()}::date) + ${NEAR_EXPIRY_DAYS}::int`
const expiring = (tx: Tx, such: Fragment) => tx`(select coalesce(sum(b.quantity), 0)::numeric(18,3)
  from stock_balance b join stock_lot y on y.org_id = b.org_id and y.lot_id = b.lot_id
 where b.org_id = t.org_id and b.location = t.code and ${such})`
const near = (tx: Tx) => expiring(tx, tx`y.expiry_date >= ${today()}::date and y.expiry_date < ${lastSafeDay(tx)}`)

/** The organisation's sale price of a specification: its own price, else the catalogue's. */
const priceOf = (tx: Tx, specification: Fragment) => tx`(select coalesce(nullif(h.sale_price, 0), s.price)
  from specification s left join dealer_product h on h.org_id = t.org_id and h.specification_id = s.id
 where s.id = ${specification})`

const columns: RecordRules['columns'] = (tx, session) => {
  const short = missing(tx)
  return {
    state: tx`case when t.status = 'disabled' then 'stopped' when t.out_plan_id is not null then 'out'
      when ${nextBooking(tx, tx`true`)} then 'booked'
      when ${short} > coalesce(t.confirmed_shortage, 0) then 'refill' else 'ready' end`,
    is_out: tx`t.out_plan_id is not null`,
    is_overdue: tx`coalesce(t.due_back_on < ${today()}::date, false)`,
    standard_quantity: tx`(select coalesce(sum(l.quantity), 0)::numeric(18,3) from operation_kit_line l
      where l.org_id = t.org_id and l.operation_kit_id = t.operation_kit_id)`,
    held_quantity: tx`(select coalesce(sum(b.quantity), 0)::numeric(18,3) ${contents(tx)})`,
    missing_quantity: short,
    is_short: tx`(${short} > 0)`,
    near_expiry_quantity: near(tx),
    has_near_expiry: tx`(${near(tx)} > 0)`,
    has_expired: tx`(${expiring(tx, tx`y.expiry_date < ${today()}::date`)} > 0)`,
    amount: tx`(select coalesce(sum(round(b.quantity * ${priceOf(tx, tx`b.specification_id`)}, 2)), 0)::numeric(18,2)
      ${contents(tx)})`,
    current_place: tx`case when t.out_plan_id is not null then ${outDocument(tx, tx`coalesce(h.name, d.sn)`)}
      else (select concat_ws(' ', w.name, t.place) from warehouse w
        where w.org_id = t.org_id and w.id = t.warehouse_id) end`,
    plan_no: tx`coalesce(${outDocument(tx, tx`d.sn`)}, ${nextBooking(tx, tx`d.sn`)})`,
    full_sets: fullSets(tx, session, tx`t.operation_kit_id`),
  }
}

/** A kit that holds goods, or is out, keeps its number and its store: the ledger knows them by both. */
async function refuseMoved(tx: Tx, session: Session, { before, after }: Change): Promise<Problem[]> {
  if (before === null) return []
  const changed = (['code', 'warehouse_model_inner_sn'] as const).find(name => before[name] !== after[name])
  if (!changed) return []
  const [held] = await tx`
    select 1 from stock_balance where org_id = ${session.org.id} and location = ${String(before.code)}
      and quantity > 0 limit 1`
  return held || before.out_at !== null
    ? [{ field: changed, msg: `套包内有产品或已送出，请先拆包再改${changed === 'code' ? '套包编号' : '所属仓库'}` }]
    : []
}

async function check(tx: Tx, session: Session, change: Change): Promise<readonly Problem[]> {
  const { after, id } = change
  const [found] = await tx<{ place: boolean; lines: boolean; name: string; current: boolean; taken: boolean }[]>`
    select exists (select from shelf_place s where s.org_id = t.org_id and s.code = ${String(after.code)}) as place,
           exists (select from operation_kit_line l where l.org_id = t.org_id and l.operation_kit_id = t.id) as lines,
           exists (select from stock_balance b where b.org_id = t.org_id and b.location = ${String(after.code)}
             and b.quantity > 0) and ${id === null} as taken,
           t.name, t.is_current and t.status = 'enabled' as current
      from operation_kit t where t.org_id = ${session.org.id} and t.id = ${String(after.operation_kit_sn)}`
  if (!found) return [{ field: 'operation_kit_sn', msg: '套包模板不存在，请重新选择' }]
  if (found.place || found.taken)
    return [{ field: 'code', msg: `套包编号${String(after.code)}与货位编码重复，请换一个` }]
  if (id === null && !found.current)
    return [{ field: 'operation_kit_sn', msg: `套包模板【${found.name}】已停用或不是当前版本，请重新选择` }]
  if (!found.lines) return [{ field: 'operation_kit_sn', msg: `套包模板【${found.name}】没有产品，请先维护明细` }]
  return refuseMoved(tx, session, change)
}

/** Actions by what a kit is doing: what would be refused is not offered. */
function mayWrite(_session: Session, action: string, row: Readonly<RecordRow> | null): void {
  if (row === null) return
  const code = String(row.code)
  if (row.state === 'out' && !['edit', 'confirmShortage'].includes(action))
    throw new BusinessError('wrongState', `套包【${code}】已送出，请先归还清点`)
  if (action === 'del' && row.held_quantity !== '0.000')
    throw new BusinessError('blocked', `套包【${code}】内还有产品，请先拆包`)
  if (action === 'unpack' && !['ready', 'refill'].includes(String(row.state)))
    throw new BusinessError('wrongState', `套包【${code}】${row.state === 'booked' ? '已占用' : '已停用'}，不能拆包`)
  if (row.state === 'stopped' && ['supply', 'scan'].includes(action))
    throw new BusinessError('wrongState', `套包【${code}】已停用，不能装入`)
}

/** A change of the kit's contents clears the confirmation of its shortage, which must be confirmed again. */
const notConfirmed = { confirmed_shortage: null, confirmed_by: null } as const
const asked = (answers: Readonly<RecordRow>): Asked => answers as Asked
const placeOf = (answers: Readonly<RecordRow>, kit: { readonly place: string | null }): string =>
  (answers.to_location as string | null) ?? kit.place ?? ''

const supply: RecordAction = async (tx, session, row, _reason, answers) => {
  const kit = await lockedKit(tx, session, row.implant_kit_sn)
  await fill(tx, session, kit, answers.takes_what_is_there === true)
  return notConfirmed
}

const scan: RecordAction = async (tx, session, row, _reason, answers) => {
  await load(tx, session, await lockedKit(tx, session, row.implant_kit_sn), asked(answers))
  return notConfirmed
}

const takeOutOf: RecordAction = async (tx, session, row, _reason, answers) => {
  const kit = await lockedKit(tx, session, row.implant_kit_sn)
  await takeOut(tx, session, kit, asked(answers), placeOf(answers, kit))
  return notConfirmed
}

const unpack: RecordAction = async (tx, session, row, _reason, answers) => {
  const kit = await lockedKit(tx, session, row.implant_kit_sn)
  await takeAllOut(tx, session, kit, placeOf(answers, kit))
  return notConfirmed
}

/** 确认缺件: the kit may go as it is; the missing goods are named, with a reason. */
const confirmShortage: RecordAction = async (tx, session, row) => {
  const lacking = await missingOf(tx, session, String(row.implant_kit_sn))
  if (lacking.length === 0) throw new BusinessError('rule', `套包【${String(row.code)}】没有缺件，不需要确认`)
  return { confirmed_shortage: row.missing_quantity, confirmed_by: session.userName }
}

/** 分配手术: the kit is prepared for the plan; the plan's own action books it, and refuses what cannot be. */
const assign: RecordAction = async (tx, session, row, _reason, answers) => {
  const kit = await lockedKit(tx, session, row.implant_kit_sn)
  await assignToPlan({ tx, session }, answers.plan_no, { kit: kit.code })
}

/**
 * 归还清点: what the operation did not use comes back by a 骨科退回单, counted piece by piece; the kit is home once nothing
 * of its plan is out. A kit that went with nothing of its own comes home at once.
 */
const giveBack: ListActionHandler = async ({ tx, session, ids }) => {
  const [kit] = await tx<{ code: string; plan_id: string | null; plan: string | null }[]>`
    select k.code, k.out_plan_id as plan_id, d.sn as plan from implant_kit k
      left join document d on d.org_id = k.org_id and d.id = k.out_plan_id
     where k.org_id = ${session.org.id} and k.id::text = ${ids[0] ?? ''} for update of k`
  if (!kit?.plan_id || !kit.plan)
    throw new BusinessError('wrongState', `套包【${kit?.code ?? ''}】没有送出，不需要归还清点`)
  const open = await openPresales(tx, session.org.id, kit.plan_id)
  if (open.length === 0) {
    await takeBackKits({ tx, session }, kit.plan_id, [String(ids[0])])
    return { said: `套包【${kit.code}】已归还` }
  }
  await runAction(tx, session, 'bonePlan', kit.plan, 'toBack')
  const [made] = await tx<{ sn: string }[]>`
    select d.sn from document d where d.org_id = ${session.org.id} and d.kind = 'boneBack' and d.role = 'own'
      and d.state = 'draft' and d.source_sn = any(${open.map(presale => presale.sn)}) order by d.id desc limit 1`
  if (!made) throw new BusinessError('rule', '没有未退回的货物')
  return { said: `已生成骨科退回单${made.sn}，清点后审核`, made: { kind: 'boneBack', sn: made.sn } }
}

async function mayLeave(tx: Tx, session: Session, action: 'del' | 'disable', row: Readonly<RecordRow>): Promise<void> {
  const id = String(row.implant_kit_sn)
  const [used] = await tx<{ plan: string | null; held: boolean; moved: boolean }[]>`
    select (select d.sn from surgery_booking b join document d on d.org_id = b.org_id and d.id = b.plan_id
             where b.org_id = k.org_id and b.subject_kind = 'kit' and b.subject_id = k.id
               and upper(b.period) > ${instant()} limit 1) as plan,
           exists (select from stock_balance b where b.org_id = k.org_id and b.location = k.code and b.quantity > 0)
             as held,
           exists (select from document d where d.org_id = k.org_id and d.kind = 'kitLoading'
             and d.fields->>'kit_sn' = k.id::text) as moved
      from implant_kit k where k.org_id = ${session.org.id} and k.id = ${id}`
  const code = String(row.code)
  if (used?.plan) throw new BusinessError('blocked', `套包【${code}】已被手术${used.plan}占用`)
  if (action === 'disable') return
  if (used?.held) throw new BusinessError('blocked', `套包【${code}】内还有产品，请先拆包`)
  if (used?.moved) throw new BusinessError('blocked', `套包【${code}】已有装取记录，不能删除，可以停用`)
}

export const implantKitRules: RecordRules = {
  kind: 'implantKit',
  visible: visibleKits,
  print: implantKitSheetOf,
  columns,
  check,
  mayWrite,
  mayLeave,
  /** 组包: puts the goods of the list into the kit as it is made; refuses where the store has too little. */
  async saved(tx, session, id, { before, after }) {
    if (before !== null || after.packed_by !== 'list') return
    await fill(tx, session, await lockedKit(tx, session, id), false)
  },
  signs: (tx, session, keys) => tx<Sign[]>`
    select t.id as key, coalesce(t.label_code, t.code) as code, jsonb_build_array(
             jsonb_build_array('套包', o.name), jsonb_build_array('编号', t.code),
             jsonb_build_array('术式', o.surgery_name), jsonb_build_array('机构', ${session.org.name}::text)) as facts
      from implant_kit t join operation_kit o on o.org_id = t.org_id and o.id = t.operation_kit_id
     where t.org_id = ${session.org.id} and t.id = any(${keys as string[]}::bigint[])
       and ${visibleKits(tx, session)}`,
  actions: { supply, scan, takeOut: takeOutOf, unpack, assign, confirmShortage },
  calls: { giveBack },
}

export const implantKitLineRules: RecordRules = {
  kind: 'implantKitLine',
  visible: (tx, session) => tx`t.implant_kit_id in (
    select t.id from implant_kit t where t.org_id = ${session.org.id} and ${visibleKits(tx, session)})`,
  columns: (tx, session) => {
    const product = (column: Fragment) => tx`(select ${column} from specification s
      join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
      left join registration_certificate c on c.id = s.registration_certificate_id
     where s.id = t.specification_id)`
    const lot = (column: Fragment) => tx`(select ${column} from lot l
      left join stock_lot y on y.org_id = ${session.org.id} and y.lot_id = l.id where l.id = t.lot_id)`
    const lacks = tx`greatest(t.standard_quantity - (select coalesce(sum(b.quantity), 0) from stock_balance b
      join implant_kit k on k.org_id = b.org_id and k.code = b.location
     where b.org_id = ${session.org.id} and k.id = t.implant_kit_id
       and b.specification_id = t.specification_id), 0)::numeric(18,3)`
    const until = addDays(today(), NEAR_EXPIRY_DAYS)
    return {
      product_name: product(tx`p.name`),
      manufacturer_name: product(tx`o.name`),
      registration_no: product(tx`c.certificate_no`),
      missing_quantity: lacks,
      is_short: tx`(${lacks} > 0)`,
      lot_no: lot(tx`l.lot_no`),
      expiry_date: lot(tx`y.expiry_date`),
      is_near_expiry: tx`coalesce(${lot(tx`y.expiry_date`)} between ${today()}::date and ${until}::date, false)`,
      is_expired: tx`coalesce(${lot(tx`y.expiry_date`)} < ${today()}::date, false)`,
      price: priceOf(tx, tx`t.specification_id`),
      unit_codes: tx`(select coalesce(array_agg(c.bare order by c.bare), '{}') from unit u
        join implant_kit k on k.org_id = ${session.org.id} and k.id = t.implant_kit_id and k.code = u.place
        join lateral (select x.bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id
          and x.ended is null and x.kind <> 'rfid' order by x.kind = 'inhouse' desc, x.bare limit 1) c on true
       where u.lot_id = t.lot_id and u.id > 0 and u.owner_id = t.owner_id and u.status = 'in_stock'
         and u.holder_org_id = ${session.org.id})`,
    }
  },
}

export const kitRecords: readonly RecordRules[] = [implantKitRules, implantKitLineRules]
