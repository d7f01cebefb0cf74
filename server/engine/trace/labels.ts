import { today } from '#kernel/day.ts'
import { digitalLink, gs1Bracketed, type Gs1Part, UnprintableCode } from '#kernel/codes/generate.ts'
import { Refusal } from '#kernel/refusal.ts'
import { padGtin } from '#kernel/codes/check-digit.ts'
import { entities } from '#modules/registry.ts'
import { writeLog } from '#server/engine/log.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

const MOST = 500

/** The kind whose rows print labels: its flag guards them, and the log calls them by it. */
export const labelKind = (): string => entities.find(({ prints }) => prints !== undefined)!.kind
/** States of a piece whose label is printed no more, and what each is called. */
const gone: Readonly<Record<string, string>> = {
  used: '使用',
  scrapped: '报废',
  returned: '退回',
  lost: '损失',
  void: '作废',
  gone: '出链',
}

type Unit = {
  unit_sn: string
  lot_id: string
  status: string
  code: string
  udi_di: string | null
  product_name: string
  specification_name: string
  manufacturer_name: string
  registration_no: string | null
  lot_no: string
  production_date: string | null
  expiry_date: string | null
  owner_id: string | null
  supplier_name: string | null
  is_high_value: boolean
  is_cold_chain: boolean
  times: number
}

function idsOf(text: unknown): string[] {
  const ids = String(text ?? '')
    .split(',')
    .filter(id => /^\d{1,18}$/.test(id))
  if (ids.length === 0) throw new Refusal('invalid', '请先勾选表格中的复选框，再进行该操作。')
  if (ids.length > MOST) throw new Refusal('invalid', `一次最多打印${MOST}张标签`)
  return [...new Set(ids)]
}

/** Pieces that the organisation holds, in the order asked for. Units live by lot: their lots are found first. */
async function unitsOf(tx: Tx, session: Session, text: unknown): Promise<readonly Unit[]> {
  const ids = idsOf(text)
  const rows = await tx<Unit[]>`
    select u.id as unit_sn, u.lot_id, u.status, s.udi_di, p.name as product_name, s.name as specification_name, o.name as manufacturer_name, c.certificate_no as registration_no,
           l.lot_no, k.production_date, k.expiry_date, u.owner_id, w.name as supplier_name, p.is_high_value, p.is_cold_chain,
           (select x.bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id order by x.kind = 'inhouse' desc, x.kind, x.bare limit 1) as code,
           (select count(*)::int from label_print g where g.org_id = ${session.org.id} and g.lot_id = u.lot_id and g.unit_id = u.id) as times
      from unit u
      join specification s on s.id = u.specification_id
      join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id
      join lot l on l.id = u.lot_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join stock_lot k on k.org_id = ${session.org.id} and k.lot_id = u.lot_id
      left join organisation w on w.id = u.owner_id and u.owner_id <> ${session.org.id}
     where u.id = any(${ids}::bigint[]) and u.id > 0 and (u.holder_org_id = ${session.org.id} or u.use_org_id = ${session.org.id})`
  const known = new Map(rows.map(row => [row.unit_sn, row]))
  const missing = ids.find(id => !known.has(id))
  if (missing) throw new Refusal('notFound', '有标签不存在或不在本机构，请刷新后重新勾选')
  return ids.map(id => known.get(id)!)
}

/** What a GS1 carrier of the piece says: product, expiry, lot, and the code of the piece as its serial. */
function partsOf(unit: Unit): Gs1Part[] | null {
  const gtin = unit.udi_di === null ? null : padGtin(unit.udi_di)
  if (gtin === null) return null
  const day = unit.expiry_date?.replaceAll('-', '').slice(2)
  return [
    { ai: '01', value: gtin },
    ...(day ? [{ ai: '17', value: day }] : []),
    { ai: '10', value: unit.lot_no },
    // A piece that its maker coded bears the whole code; its serial is what stands behind (21).
    { ai: '21', value: /\(21\)(.+)$/.exec(unit.code)?.[1] ?? unit.code },
  ]
}

/** Null where what the goods bear cannot stand in a GS1 code: then the label has the code of the house. */
function carried(parts: Gs1Part[] | null, write: (parts: Gs1Part[]) => string): string | null {
  if (parts === null) return null
  try {
    return write(parts)
  } catch (thrown) {
    if (thrown instanceof UnprintableCode) return null
    throw thrown
  }
}

/** Everything that stands on the labels of some pieces. No price ever does. */
export async function labelsOf(tx: Tx, session: Session, text: unknown) {
  const units = await unitsOf(tx, session, text)
  return units.map(unit => {
    const parts = partsOf(unit)
    const { is_high_value, is_cold_chain, owner_id, lot_id: _lot, udi_di: _di, ...shown } = unit
    return {
      ...shown,
      gs1: carried(parts, gs1Bracketed),
      link: carried(parts, list => digitalLink(list)),
      org_name: session.org.name,
      marks: [
        ...(owner_id !== null && owner_id !== session.org.id ? ['寄'] : []),
        ...(is_high_value ? ['高'] : []),
        ...(is_cold_chain ? ['冷'] : []),
      ],
      printed_on: today(),
    }
  })
}

/** Counts the labels of some pieces as printed; again only with a reason, and never of a piece that is gone. */
export async function countLabels(
  tx: Tx,
  session: Session,
  { units: text, layout, reason }: Readonly<Record<string, unknown>>,
): Promise<{ printed: number }> {
  const units = await unitsOf(tx, session, text)
  const why = typeof reason === 'string' && reason.trim() !== '' ? reason.trim().slice(0, 200) : null
  const again = units.find(unit => unit.times > 0)
  const left = units.find(unit => unit.times > 0 && gone[unit.status] !== undefined)
  if (left) throw new Refusal('rule', `该标签已${gone[left.status]}，不能补打（${left.code}）`)
  if (again && why === null)
    throw new Refusal('invalid', '标签已打印，请填写补打原因', [{ field: 'reason', msg: '请填写补打原因' }])
  await tx`
    insert into label_print (org_id, lot_id, unit_id, seq, layout, printed_by, reason)
    select ${session.org.id}, lot, unit, times + 1, ${String(layout ?? '').slice(0, 60)}, ${session.userName}, ${why}
      from unnest(${units.map(unit => unit.lot_id)}::bigint[], ${units.map(unit => unit.unit_sn)}::bigint[], ${units.map(unit => unit.times)}::int[]) n(lot, unit, times)
    returning seq`
  await writeLog(tx, session, {
    subject: labelKind(),
    action: 'print',
    actionName: again ? '补打' : '打印',
    kind: 'print',
    name: units.length === 1 ? units[0]!.code : `${units[0]!.code}等${units.length}张`,
    after: { layout, reason: why },
    summary: `打印${units.length}张标签${why === null ? '' : `：${why}`}`.slice(0, 300),
  })
  return { printed: units.length }
}
