import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { addDays, today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { configNumberSql, settingsFor } from '#server/public/settings.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'
import { loadDocument, patchDocument, patchLines, stateAhead } from '#server/public/documents.ts'
import { createDraft, createSystemDraft } from '#server/public/drafts.ts'
import { storageCheck } from '#modules/goods/quality/storage-check.doc.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof storageCheck>

type Due = {
  specification_id: string
  lot_no: string
  production_date: string | null
  expiry_date: string | null
  location: string
  owner_id: string
  quality_state: string
  quantity: Decimal
}
/**
 * 生成养护计划: a draft with every lot in stock not checked within the days of its kind; key goods are perishable,
 * implanted, or new to the organisation.
 */
async function generatePlan(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { warehouse_model_inner_sn, check_type, plan_date } = body as Readonly<Record<string, string | null>>
  const settings = await settingsFor(tx, session.org.id)
  const isKey = check_type === 'key'
  const since = addDays(today(), -(isKey ? settings.care_days_key : settings.care_days))
  const near = tx`(${today()}::date + ${configNumberSql(tx, session.org.id, 'expiry_warning_days')})`
  const isNew = tx`exists (
    select 1 from document_line f join document a on a.org_id = f.org_id and a.id = f.document_id
     where f.org_id = b.org_id and f.specification_id = b.specification_id and a.kind = 'firstSellProduct'
       and a.role = 'own' and a.state = 'reviewed'
       and a.reviewed_at >= (${today()}::date - interval '1 year') at time zone 'Asia/Shanghai')`
  const key = tx`(p.is_implant or p.is_sterile or p.is_cold_chain or coalesce(k.expiry_date <= ${near}, false)
    or ${isNew})`
  const due = await tx<Due[]>`
    select b.specification_id, t.lot_no, k.production_date, k.expiry_date, b.location, b.owner_id, b.quality_state,
      b.quantity
      from stock_balance b join lot t on t.id = b.lot_id join specification s on s.id = b.specification_id
        join product p on p.id = s.product_id
      left join stock_lot k on k.org_id = b.org_id and k.lot_id = b.lot_id
     where b.org_id = ${session.org.id} and b.warehouse_id = ${warehouse_model_inner_sn ?? null}
       and ${isKey ? key : tx`not ${key}`}
       and not exists (
         select 1 from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
          where l.org_id = b.org_id and l.specification_id = b.specification_id and l.lot_no = t.lot_no
            and d.kind = 'storageCheck' and d.role = 'own'
            and d.warehouse_id = b.warehouse_id and d.state = 'reviewed'
            and d.reviewed_at >= ${since}::timestamp at time zone 'Asia/Shanghai')
     order by b.location, p.name, s.name, k.expiry_date limit 2000`
  if (due.length === 0) throw new BusinessError('rule', '没有到期需要养护的批次')
  const lines = due.map(row => ({
    specification_sn: row.specification_id,
    lot_no: row.lot_no,
    production_date: row.production_date,
    expiry_date: row.expiry_date,
    location: row.location,
    owner_org_sn: row.owner_id,
    quality_state: row.quality_state,
    quantity: row.quantity,
  }))
  const header = { warehouse_model_inner_sn, check_type, plan_date: plan_date ?? today() }
  const made = await createDraft(tx, session, storageCheck, { ...header, lines })
  // The stock when the plan was made is kept beside what is checked.
  const doc = await loadDocument(tx, session.org.id, storageCheck, made.sn)
  const there = doc.lines.map(({ line_no, quantity }) => ({ line_no, values: { stock_quantity: quantity } }))
  await patchLines(tx, session, doc, there, 'withAction')
  return { ...made, line_count: lines.length }
}

const abnormal = ({ doc }: Context) => doc.lines.filter(line => line.condition === 'abnormal')

/** Doubtful goods are blocked at once: one draft per warehouse. */
async function createBlock(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const lines = abnormal(ctx)
  await patchDocument(
    tx,
    session,
    doc,
    { abnormal_lines: lines.length, conclusion: lines.length > 0 ? 'bad' : 'good' },
    'withAction',
  )
  // Goods already unfit need no block.
  const doubted = lines.filter(line => (line.quality_state ?? 'qualified') === 'qualified')
  if (doubted.length === 0) return
  if (doc.state === 'submitted') await stateAhead(ctx, 'reviewed')
  const header = {
    source_sn: doc.sn,
    source_type: sourceTypes.STORAGE_CHECK,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    stop_reason: 'quality',
    description: `养护检查单${doc.sn}发现异常`,
  }
  const doubtful = doubted.map(line => ({
    source_line_no: line.line_no,
    quantity: line.abnormal_quantity as Decimal,
    owner_org_sn: line.owner_org_sn,
    location: line.location,
    quality_state: line.quality_state,
  }))
  await createSystemDraft(tx, session, 'stopSale', header, doubtful)
}

async function toStopSell(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (abnormal(ctx).length === 0) throw new BusinessError('rule', '没有异常的批次，不需要停售')
  const [live] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and source_document_id = ${doc.id} and kind = 'stopSale'
      and state not in ('deleted', 'cancelled') limit 1`
  if (live) throw new BusinessError('rule', `已有停售单${live.sn}`)
  await createBlock(ctx)
}

export const storageCheckRules = documentHooks(storageCheck, {
  afterAction: { review: createBlock, toStopSell },
  calls: { generatePlan },
})

/** The temperature range of each storage condition, and the humidity range for all. */
const ranges: readonly (readonly [word: string, low: number, high: number])[] = [
  ['冷藏', 2, 8],
  ['冷冻', -25, -10],
  ['阴凉', 0, 20],
]
const roomTemperature = [10, 30] as const
const humidityRange = [35, 75] as const
type Climate = {
  storage: string | null
  condition: keyof typeof storageConditions | null
  coldest: number | null
  warmest: number | null
  driest: number | null
  dampest: number | null
  area_coldest: number | null
  area_warmest: number | null
}
/**
 * An area's range comes from its degrees, its condition or its name; otherwise from the warehouse, by its degrees or
 * by its only condition.
 */
function rangeOf(area: string, store: Climate | undefined): readonly [number, number] {
  const [low, high] = wantedBy(area, store)
  return [store?.area_coldest ?? low, store?.area_warmest ?? high]
}

function wantedBy(area: string, store: Climate | undefined): readonly [number, number] {
  const shelves = store?.condition ? storageConditions[store.condition] : area
  const named = ranges.find(([word]) => area.includes(word) || shelves === word)
  if (named) return [named[1], named[2]]
  const [low, high] = ranges.find(([word]) => store?.storage === word)?.slice(1) ?? roomTemperature
  return [store?.coldest ?? inexact(low), store?.warmest ?? inexact(high)]
}
const outside = (value: number, [low, high]: readonly [number, number]) => value < low || value > high

export const temperatureLogRules: RecordRules = {
  kind: 'temperatureLog',
  async check(tx, session, { after, id }) {
    after.area = after.area || '全库'
    const [store] = await tx<Climate[]>`
      select w.storage, w.temperature_min::float8 as coldest, w.temperature_max::float8 as warmest,
        coalesce(a.humidity_min, w.humidity_min)::float8 as driest,
             coalesce(a.humidity_max, w.humidity_max)::float8 as dampest, a.temperature_min::float8 as area_coldest,
               a.temperature_max::float8 as area_warmest, a.storage_condition as condition
        from warehouse w
        left join store_area a on a.org_id = w.org_id and a.warehouse_id = w.id
          and ${String(after.area)} in (a.code, a.name)
       where w.org_id = ${session.org.id} and w.id = ${String(after.warehouse_model_inner_sn)} order by a.id limit 1`
    const air = [store?.driest ?? humidityRange[0], store?.dampest ?? humidityRange[1]] as const
    after.is_out =
      outside(inexact(after.temperature as string), rangeOf(String(after.area), store)) ||
      outside(inexact(after.humidity as string), air)
    after.recorded_by = session.userName
    const [same] = await tx`
      select 1 from temperature_log
        where org_id = ${session.org.id} and warehouse_id = ${String(after.warehouse_model_inner_sn)}
        and area = ${String(after.area)}
         and log_date = ${String(after.log_date)} and half = ${String(after.half)} and id <> ${id ?? '0'}`
    if (same) throw new BusinessError('duplicate', '该库区当前时段已登记')
    if (after.is_out !== true || after.measure) return []
    return [{ field: 'measure', msg: '温湿度超出贮存范围，请填写超标措施' }]
  },
  async saved(tx, session, _id, { after, before }) {
    if (after.is_out !== true || before !== null) return
    const [store] = await tx<{ name: string }[]>`
      select name from warehouse where org_id = ${session.org.id} and id = ${String(after.warehouse_model_inner_sn)}`
    await tx`
      insert into error_record (org_id, error_kind, level, source, description, object, operator)
      values (${session.org.id}, 'climate', 'warning', '温湿度登记', ${`【${String(after.area)}】温湿度超出贮存范围`},
        ${`${store?.name ?? ''} ${String(after.temperature)}℃ ${String(after.humidity)}%`}, ${session.userName})`
  },
}
