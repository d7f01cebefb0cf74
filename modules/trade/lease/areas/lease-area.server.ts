import { instant, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { compare, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { checkLine } from '#modules/trade/lease/contracts/lease-lines.server.ts'
import { shareLeasesOf } from '#modules/trade/lease/contracts/share-leases.server.ts'
import { warnOfReadings } from '#modules/trade/lease/areas/area-warnings.server.ts'
import { runningLines, stockOf } from '#modules/trade/lease/leases.server.ts'
import type { Change, Fragment, RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const text = (value: unknown): string => String(value ?? '')
const two = (no: number): string => String(no).padStart(2, '0')

async function refuseStocked(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  action: string,
  owner?: string,
): Promise<void> {
  const areas = [text(row.code)]
  const warehouse = text(row.warehouse_model_inner_sn)
  const stock = await stockOf(tx, session.org.id, { warehouse, areas, ...(owner === undefined ? {} : { owner }) })
  if (isPositive(stock)) throw new BusinessError('rule', `库区仍有库存，不能${action}`)
}

async function checkArea(tx: Tx, session: Session, { id, before, after }: Change): Promise<readonly Problem[]> {
  const org = session.org.id
  const warehouse = text(after.warehouse_model_inner_sn)
  const [facts] = await tx<{ model: string | null; is_taken: boolean; let_m2: string; is_let: boolean }[]>`
    select (select model from warehouse where org_id = ${org} and id = ${warehouse}) as model,
           exists (select 1 from lease_area a where a.org_id = ${org} and a.warehouse_id = ${warehouse}
             and a.code = ${text(after.code)} and a.id is distinct from ${id}) as is_taken,
           (select coalesce(sum(l.area_m2), 0)::text from ${runningLines(tx, org)}
             and l.lease_area_id = ${id}) as let_m2,
           exists (select 1 from lease_line l where l.org_id = ${org} and l.lease_area_id = ${id}) as is_let`
  const problems: Problem[] = []
  if (facts!.model !== 'leased') problems.push({ field: 'warehouse_model_inner_sn', msg: '请选择类型为租赁库的仓库' })
  if (facts!.is_taken) problems.push({ field: 'code', msg: `库区编码${text(after.code)}已存在` })
  if (before === null) return problems
  const moved = ['warehouse_model_inner_sn', 'code', 'area_kind'].find(name => before[name] !== after[name])
  if (moved && facts!.is_let) problems.push({ field: moved, msg: '库区已有租赁明细，不能修改仓库、编码和质量分区' })
  if (before.storage_condition !== after.storage_condition) await refuseStocked(tx, session, before, '修改储存条件')
  const isShared = ['pending', 'returned'].includes(text(after.area_kind))
  if (!isShared && compare(text(after.area_m2), facts!.let_m2) < 0)
    problems.push({ field: 'area_m2', msg: '面积不能小于已租面积' })
  return problems
}

/** Shelves and places of the warehouse belong to the area of the same code. */
async function keepStoreArea(tx: Tx, session: Session, { after }: Change): Promise<void> {
  const kept = ['temperature_min', 'temperature_max', 'humidity_min', 'humidity_max'].map(
    name => (after[name] as string | null) ?? null,
  )
  await tx`
    insert into store_area (org_id, warehouse_id, code, name, area_kind, storage_condition, temperature_min,
      temperature_max, humidity_min, humidity_max)
    values (${session.org.id}, ${text(after.warehouse_model_inner_sn)}, ${text(after.code)}, ${text(after.name)},
      ${text(after.area_kind)}, ${text(after.storage_condition)}, ${kept[0]!}, ${kept[1]!}, ${kept[2]!}, ${kept[3]!})
    on conflict (org_id, warehouse_id, code) do update
      set name = excluded.name, area_kind = excluded.area_kind, storage_condition = excluded.storage_condition,
          temperature_min = excluded.temperature_min, temperature_max = excluded.temperature_max,
          humidity_min = excluded.humidity_min, humidity_max = excluded.humidity_max, version = store_area.version + 1`
  await tx`
    update shelf set area_kind = ${text(after.area_kind)}, storage_condition = ${text(after.storage_condition)},
      version = version + 1
     where org_id = ${session.org.id} and warehouse_id = ${text(after.warehouse_model_inner_sn)}
       and area = ${text(after.code)}`
}

const MOST_PLACES = 5000

/** 批量生成货位: shelves by their numbers, and on each layer × columns places, coded area-shelf-layer-column. */
const location: RecordAction = async (tx, session, row, _reason, answers) => {
  const asked = (name: string) => parseInteger(answers[name])
  const [first, shelves, layers, columns] = ['shelf_no', 'shelf_count', 'layers', 'columns_count'].map(asked) as [
    number,
    number,
    number,
    number,
  ]
  if (first + shelves - 1 > 99) throw new BusinessError('rule', '排号不能超过99')
  if (shelves * layers * columns > MOST_PLACES)
    throw new BusinessError('rule', `一次最多生成${MOST_PLACES}个货位，请分批生成`)
  const warehouse = text(row.warehouse_model_inner_sn)
  const codes = Array.from({ length: shelves }, (_, at) => two(first + at))
  await tx`
    insert into shelf (org_id, warehouse_id, area, area_kind, code, layers, columns_count, storage_condition)
    select a.org_id, a.warehouse_id, a.code, a.area_kind, k.code, ${layers}, ${columns}, a.storage_condition
      from lease_area a cross join unnest(${codes}::text[]) as k(code)
     where a.org_id = ${session.org.id} and a.id = ${text(row.lease_area_sn)}
    on conflict (org_id, warehouse_id, area, code) do nothing`
  const made = await tx`
    insert into shelf_place (org_id, shelf_id, warehouse_id, layer, column_no, code)
    select s.org_id, s.id, s.warehouse_id, y.no, x.no,
           concat_ws('-', s.area, s.code, lpad(y.no::text, 2, '0'), lpad(x.no::text, 2, '0'))
      from shelf s cross join generate_series(1, ${layers}) as y(no) cross join generate_series(1, ${columns}) as x(no)
     where s.org_id = ${session.org.id} and s.warehouse_id = ${warehouse} and s.area = ${text(row.code)}
       and s.code = any(${codes})
    on conflict (org_id, warehouse_id, code) do nothing returning 1`
  if (made.length === 0) throw new BusinessError('rule', '这些货位已全部生成')
}

/** 分配承租方: a lease line of the contract over this area. Stock of other owners in it does not change. */
const assign: RecordAction = async (tx, session, row, _reason, answers) => {
  const contract = text(answers.lease_contract_sn)
  const [tenant] = await tx<{ lessee_id: string }[]>`
    select lessee_id from lease_contract where org_id = ${session.org.id} and id = ${contract}`
  const others = await tx`
    select 1 from lease_stock s
     where s.org_id = ${session.org.id} and s.warehouse_id = ${text(row.warehouse_model_inner_sn)}
       and s.area_code = ${text(row.code)} and s.owner_id <> ${tenant?.lessee_id ?? '0'}
       and not exists (select 1 from ${runningLines(tx, session.org.id)}
         and l.lease_area_id = ${text(row.lease_area_sn)}
         and c.lessee_id = s.owner_id) limit 1`
  if (others.length > 0) throw new BusinessError('rule', '库区仍有库存，不能分配给其他承租方')
  const after = { ...answers, lease_area_sn: row.lease_area_sn, start_on: answers.start_on ?? today() }
  const [problem] = await checkLine(tx, session, { id: null, after })
  if (problem) throw new BusinessError('rule', problem.msg)
  await tx`
    insert into lease_line (org_id, lease_contract_id, lease_area_id, area_m2, start_on, end_on)
    values (${session.org.id}, ${contract}, ${text(row.lease_area_sn)}, ${text(answers.area_m2)},
      ${text(after.start_on)}, ${(answers.end_on as string | null) ?? null})`
}

/** 收回: the tenant's lease of this area ends today, once none of the tenant's goods are stored in it. */
const release: RecordAction = async (tx, session, row, _reason, answers) => {
  const contract = text(answers.lease_contract_sn)
  const [line] = await tx<{ id: string; lessee_id: string; start_on: string }[]>`
    select l.id, c.lessee_id, l.start_on::text from ${runningLines(tx, session.org.id)}
       and l.lease_area_id = ${text(row.lease_area_sn)} and l.lease_contract_id = ${contract} limit 1`
  if (!line) throw new BusinessError('rule', '该合同没有租用此库区，请核对')
  await refuseStocked(tx, session, row, '收回', line.lessee_id)
  await tx`update lease_line set end_on = ${today()}, version = version + 1
    where org_id = ${session.org.id} and id = ${line.id}`
}

const reading: RecordAction = async (tx, session, row, _reason, answers) => {
  const read_at = (answers.read_at as string | null) ?? instant()
  if (read_at > new Date(Date.parse(instant()) + 60_000).toISOString())
    throw new BusinessError('rule', '温湿度时间不能晚于现在')
  const out = (value: unknown, low: unknown, high: unknown) =>
    value !== null &&
    value !== undefined &&
    ((low !== null && compare(text(value), text(low)) < 0) || (high !== null && compare(text(value), text(high)) > 0))
  const isOutside =
    out(answers.temperature, row.temperature_min, row.temperature_max) ||
    out(answers.humidity, row.humidity_min, row.humidity_max)
  const [kept] = await tx`
    insert into area_reading (org_id, lease_area_id, read_at, temperature, humidity, is_outside)
    values (${session.org.id}, ${text(row.lease_area_sn)}, ${read_at}, ${text(answers.temperature)},
      ${(answers.humidity as string | null) ?? null}, ${isOutside})
    on conflict (org_id, lease_area_id, read_at) do nothing returning 1`
  if (!kept) throw new BusinessError('duplicate', '该时间的温湿度已登记')
}

const lastReading = (tx: Tx, column: Fragment): Fragment => tx`
  (select ${column} from area_reading r where r.org_id = t.org_id and r.lease_area_id = t.id
    order by r.read_at desc limit 1)`
const rangeOf = (tx: Tx, low: string, high: string): Fragment =>
  tx`nullif(concat_ws('～', trim_scale(${tx(`t.${low}`)}), trim_scale(${tx(`t.${high}`)})), '')`

const lines = (tx: Tx, session: Session): Fragment => tx`${runningLines(tx, session.org.id)} and l.lease_area_id = t.id`
const letM2 = (tx: Tx, session: Session): Fragment =>
  tx`(select coalesce(sum(l.area_m2), 0) from ${lines(tx, session)})::numeric(18,3)`
const places = (tx: Tx): Fragment => tx`
  shelf_place k join shelf s on s.org_id = k.org_id and s.id = k.shelf_id
   where k.org_id = t.org_id and s.warehouse_id = t.warehouse_id and s.area = t.code`
const used = (tx: Tx): Fragment => tx`
  ${places(tx)} and exists (select 1 from stock_balance b where b.org_id = k.org_id and b.warehouse_id = k.warehouse_id
    and b.location = k.code and b.quantity > 0)`

export const leaseAreaRules: RecordRules = {
  kind: 'leaseArea',
  table: 'lease_area',
  readFlag: 'page:/commonView/stockArea',
  columns: (tx, session) => ({
    temperature_range: rangeOf(tx, 'temperature_min', 'temperature_max'),
    humidity_range: rangeOf(tx, 'humidity_min', 'humidity_max'),
    let_m2: tx`case when t.is_rented then t.area_m2 else ${letM2(tx, session)} end`,
    free_m2: tx`case when not t.is_rented then greatest(t.area_m2 - ${letM2(tx, session)}, 0)::numeric(18,3) end`,
    place_count: tx`(select count(*)::int from ${places(tx)})`,
    used_count: tx`(select count(*)::int from ${used(tx)})`,
    usage_rate: tx`(select round((select count(*) from ${used(tx)})::numeric / nullif(count(*), 0), 4)
      from ${places(tx)})`,
    stock: tx`case when t.is_rented then (select r.stock from rented_area r where r.org_id = t.org_id and r.id = t.id)
      else (select coalesce(sum(s.quantity), 0)::numeric(18,3) from lease_stock s
        where s.org_id = t.org_id and s.warehouse_id = t.warehouse_id and s.area_code = t.code) end`,
    lessee_names: tx`case when t.is_rented then ${session.org.name}
      else (select string_agg(distinct o.name, '、') from organisation o where o.id in (
      select c.lessee_id from ${lines(tx, session)})) end`,
    let_state: tx`case when t.is_rented then 'full' when t.area_kind in ('unqualified', 'stopped') then 'none'
      when ${letM2(tx, session)} = 0 then 'free' when ${letM2(tx, session)} < t.area_m2 then 'partly' else 'full' end`,
    reading: tx`coalesce(${lastReading(
      tx,
      tx`concat_ws(' ', trim_scale(r.temperature) || '℃', trim_scale(r.humidity) || '%')`,
    )}, (select r.reading from rented_area r where r.org_id = t.org_id and r.id = t.id))`,
    is_outside: lastReading(tx, tx`r.is_outside`),
  }),
  mayWrite: (_session, _action, row) => {
    if (row?.is_rented === true) throw new BusinessError('rule', '承租的库区由出租方维护')
  },
  check: checkArea,
  saved: async (tx, session, _id, change) => keepStoreArea(tx, session, change),
  mayLeave: async (tx, session, action, row) => {
    const said = action === 'del' ? '删除' : '停用'
    await refuseStocked(tx, session, row, said)
    const [running] = await tx`
      select 1 from ${runningLines(tx, session.org.id)} and l.lease_area_id = ${text(row.lease_area_sn)} limit 1`
    if (running) throw new BusinessError('rule', `库区正在出租，不能${said}`)
    if (action !== 'del') return
    const [ever] = await tx`
      select 1 from lease_line where org_id = ${session.org.id} and lease_area_id = ${text(row.lease_area_sn)} limit 1`
    if (ever) throw new BusinessError('rule', '库区曾经出租，不能删除，可以停用')
    await tx`delete from area_reading where org_id = ${session.org.id} and lease_area_id = ${text(row.lease_area_sn)}`
  },
  actions: { location, assign, release, reading },
  afterwards: async (sql, session, action, row) => {
    if (action === 'reading') await warnOfReadings(sql, session.org.id, text(row.lease_area_sn))
    await shareLeasesOf(sql, session.org.id)
  },
}

export const rentedAreaRules: RecordRules = {
  kind: 'rentedArea',
  readFlag: ['page:/commonView/grnNotice', 'page:/commonView/odoNotice'],
}
export const leaseStockRules: RecordRules = {
  kind: 'leaseStock',
  readFlag: 'page:/commonView/stockArea',
  visible: (tx, session) =>
    session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`,
}
