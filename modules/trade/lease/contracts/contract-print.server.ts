import { plain, type Decimal } from '#kernel/values/decimal.ts'
import { chargedBy, lessee } from '#modules/trade/lease/contracts/lessee.entity.ts'
import { storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const units: Readonly<Record<keyof typeof chargedBy, string>> = {
  area: '每㎡每月',
  pallet: '每托盘每月',
  volume: '每m³每月',
  throughput: '每件出入库',
}
const money = (value: unknown): string => (value === null || value === undefined ? '' : plain(String(value) as Decimal))

/** A contract as it is signed: its parties, terms and areas. Prices only for users who may read them in the row. */
export async function contractOf(tx: Tx, session: Session, row: RecordRow): Promise<RecordRow> {
  const lines = await tx<RecordRow[]>`
    select a.code as area_code, a.name as area_name, l.area_m2::text, l.start_on::text, l.end_on::text
      from lease_line l join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
     where l.org_id = ${session.org.id} and l.lease_contract_id = ${String(row.lease_contract_sn)}
     order by a.code, l.start_on`
  const [names] = await tx<{ lessee: string; warehouse: string }[]>`
    select (select name from organisation where id = ${String(row.lessee_sn)}) as lessee,
           (select name from warehouse where org_id = ${session.org.id}
             and id = ${String(row.warehouse_model_inner_sn)}) as warehouse`
  const by = String(row.charged_by) as keyof typeof chargedBy
  const price = money(row.price)
  return {
    sn: String(row.contract_no),
    lessor_name: session.org.name,
    lessee_name: names!.lessee,
    warehouse_name: names!.warehouse,
    social_credit_code: row.social_credit_code,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    charged_by_name: chargedBy[by],
    price_text: price === '' ? '' : `${price}（${units[by]}）`,
    deposit_text: money(row.deposit),
    settle_cycle_name: lessee.fields.settle_cycle.choices?.[String(row.settle_cycle)] ?? '',
    storage_text: ((row.storage_conditions as readonly string[] | null) ?? [])
      .map(name => (storageConditions as Readonly<Record<string, string>>)[name] ?? name)
      .join('、'),
    device_scope: row.device_scope ?? '不限',
    quality_manager: row.quality_manager,
    contact: row.contact,
    phone: row.phone,
    remark: row.remark,
    lines: lines.map((line, at) => ({ ...line, line_no: at + 1, end_on: line.end_on ?? row.valid_to })),
  }
}
