import { compare, type Decimal, wholePieces } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Label } from '#kernel/print/label-data.ts'
import { documentScopeSql } from '#server/access/data-scope.ts'
import { type Asker, type Goods, labelOf, pricesIn, unitLabels } from '#server/traceability/label-of.ts'
import { keysOf, MOST_LABELS } from '#server/traceability/units-on-hand.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Labels, and the keys of the pieces among them, whose prints are counted; null where there is none. */
export type LineLabels = { readonly labels: Label[]; readonly pieces: string | null }

type Line = Goods & {
  readonly sn: string
  readonly line_no: number
  readonly lot_id: string
  readonly code: string
  readonly di: string | null
  readonly unit_codes: readonly string[]
  /** In the unit that the line shows. */
  readonly quantity: Decimal
}

/** One label for each unit that the line counts; a part of a unit has one as well. */
function unitsOf(quantity: Decimal): number {
  const whole = wholePieces(quantity)
  return Math.max(1, compare(quantity, String(whole)) > 0 ? whole + 1 : whole)
}

/**
 * Labels of the lines of own documents, in their order: a coded line has those of its pieces, which the organisation
 * holds or used; any other that of its lot, once a line or (`each` = unit) once for each unit that it counts. Documents
 * that the reader does not see answer like ones that are not there.
 */
export async function lineLabels(
  tx: Tx,
  asker: Asker,
  kind: string,
  text: unknown,
  each: unknown,
): Promise<LineLabels> {
  const sns = keysOf(text, /^[^,]{1,60}$/)
  if (each !== undefined && each !== '' && each !== 'line' && each !== 'unit')
    throw new BusinessError('invalid', '每行张数请选【每行一张】或【按数量】')
  const rows = await tx<Line[]>`
    select d.sn, l.line_no, l.lot_id, l.lot_no as code, l.lot_no, l.unit_codes, abs(l.quantity) as quantity,
           case when k.id is null then s.udi_di else k.udi_di end as di, p.name as product_name,
           s.name as specification_name, coalesce(k.name || '（' || k.base_measure || s.unit_name || '）', s.unit_name)
             as unit_name, o.name as manufacturer_name, c.certificate_no as registration_no,
           coalesce(l.production_date, y.production_date) as production_date,
           coalesce(l.expiry_date, y.expiry_date) as expiry_date, l.owner_org_id as owner_id, w.name as supplier_name,
           e.name as store_name, nullif(l.location, '') as location, t.name as department_name,
           h.his_charge_code as charge_code, p.is_high_value, p.is_cold_chain ${pricesIn(tx, asker, tx`l.lot_id`)}
      from document d
      left join document_line l on l.org_id = d.org_id and l.document_id = d.id and coalesce(l.lot_no, '') <> ''
      left join specification s on s.id = l.specification_id
      left join product p on p.id = s.product_id
      left join organisation o on o.id = p.manufacturer_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join pack_unit k on k.id = l.unit_id and k.base_measure > 1
      left join stock_lot y on y.org_id = d.org_id and y.lot_id = l.lot_id
      left join hospital_product h on h.org_id = d.org_id and h.specification_id = s.id
      left join organisation w on w.id = l.owner_org_id and l.owner_org_id <> d.org_id
      left join warehouse e on e.org_id = d.org_id and e.id = d.warehouse_id
      left join department t on t.org_id = e.org_id and t.id = e.department_id
     where d.org_id = ${asker.org.id} and d.kind = ${kind} and d.role = 'own' and d.state <> 'deleted'
       and d.sn = any(${sns}) and ${documentScopeSql(tx, asker)}
     order by array_position(${sns}::text[], d.sn), l.line_no`
  const gone = sns.find(sn => !rows.some(row => row.sn === sn))
  if (gone) throw new BusinessError('notFound', '有记录不存在或已变化，请刷新后重新勾选')
  const lines = rows.filter(row => row.line_no !== null)
  if (lines.length === 0) throw new BusinessError('rule', '所选单据的明细还没有批号，请填写批号后再打印标签')
  const units = await piecesOf(tx, lines)
  const pieces = lines.flatMap(line =>
    line.unit_codes.map(code => units.get(nameOf(line, code)) ?? missing(line, code)),
  )
  const held = pieces.length === 0 ? [] : await unitLabels(tx, asker, pieces.join(','), false)
  const labelled = new Map(held.map(label => [label.key, label]))
  const labels = lines.flatMap(line => {
    if (line.unit_codes.length > 0)
      return line.unit_codes.flatMap(code => labelled.get(units.get(nameOf(line, code))!) ?? [])
    const { sn, line_no, code, di } = line
    const label = labelOf(asker, { key: `${sn}/${line_no}`, type: 'lot', code, di }, goodsOf(line))
    return Array.from({ length: Math.min(each === 'unit' ? unitsOf(line.quantity) : 1, MOST_LABELS + 1) }, () => label)
  })
  if (labels.length > MOST_LABELS)
    throw new BusinessError('invalid', `一次最多打印${MOST_LABELS}张标签，请减少勾选或选【每行一张】`)
  return { labels, pieces: pieces.length === 0 ? null : pieces.join(',') }
}

const goodsOf = ({
  sn: _sn,
  line_no: _no,
  lot_id: _lot,
  code: _code,
  di: _di,
  unit_codes: _codes,
  quantity: _n,
  ...goods
}: Line) => goods

const nameOf = ({ lot_id }: Pick<Line, 'lot_id'>, code: string): string => `${lot_id}/${code}`

function missing({ line_no }: Line, code: string): never {
  const msg = `第${line_no}行的码${code}还没有入库或不是单件的码，不能打印标签`
  throw new BusinessError('rule', msg, [{ line: line_no, field: 'unit_codes', msg }])
}

/** The keys of pieces by lot and code. */
async function piecesOf(tx: Tx, lines: readonly Line[]): Promise<ReadonlyMap<string, string>> {
  const codes = lines.flatMap(line => line.unit_codes)
  if (codes.length === 0) return new Map()
  const rows = await tx<{ lot_id: string; unit_id: string; bare: string }[]>`
    select lot_id, unit_id, bare from unit_code
     where bare = any(${codes}) and lot_id = any(${lines.flatMap(line => line.lot_id ?? [])}::bigint[]) and unit_id > 0`
  return new Map(rows.map(row => [nameOf(row, row.bare), row.unit_id]))
}
