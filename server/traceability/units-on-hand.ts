import { BusinessError } from '#kernel/rules/errors.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Maximum labels that one job prints or makes. */
export const MOST_LABELS = 500

/** States of a piece whose label is no longer printed or changed, and their names. */
export const goneWords: Readonly<Record<string, string>> = {
  used: '使用',
  opened: '拆包',
  scrapped: '报废',
  returned: '退回',
  lost: '损失',
  void: '作废',
  gone: '出链',
}

export type HeldUnit = {
  readonly unit_sn: string
  readonly lot_id: string
  readonly status: string
  readonly holder_org_id: string | null
  readonly code: string
  readonly udi_di: string | null
  readonly product_name: string
  readonly specification_name: string
  /** The base unit; of a pack, what it holds. */
  readonly unit_name: string
  readonly is_pack: boolean
  readonly manufacturer_name: string
  readonly registration_no: string | null
  readonly lot_no: string
  readonly production_date: string | null
  readonly expiry_date: string | null
  readonly owner_id: string | null
  readonly supplier_name: string | null
  readonly store_name: string | null
  readonly department_name: string | null
  readonly charge_code: string | null
  readonly is_high_value: boolean
  readonly is_cold_chain: boolean
  readonly times: number
  /** The code of the pack of coded pieces that it represents; its prints are counted apart from those of the piece. */
  readonly printed_as: string | null
}

/** Keys of ticked rows, comma separated; none or too many are refused. */
export function keysOf(text: unknown, shape: RegExp): string[] {
  const keys = String(text ?? '')
    .split(',')
    .filter(key => shape.test(key))
  if (keys.length === 0) throw new BusinessError('invalid', '请先勾选表格中的复选框，再进行该操作。')
  if (keys.length > MOST_LABELS) throw new BusinessError('invalid', `一次最多打印${MOST_LABELS}张标签`)
  return [...new Set(keys)]
}

/**
 * Pieces that the organisation holds or used, in the requested order, with `more` columns. `asPacks`: the first piece
 * of a pack of coded pieces represents the pack, and not itself. Units are stored by lot: their lots are found first.
 */
export async function heldUnits(
  tx: Tx,
  session: Session,
  text: unknown,
  more: Fragment = tx``,
  asPacks = false,
): Promise<readonly HeldUnit[]> {
  const ids = keysOf(text, /^\d{1,18}$/)
  const rows = await tx<HeldUnit[]>`
    select u.id as unit_sn, u.lot_id, u.status, u.holder_org_id, s.udi_di,
      coalesce(y.pack_name, p.name) as product_name,
      case when y.products > 1 then '组合包，共' || y.products || '种产品' else s.name end as specification_name,
      o.name as manufacturer_name,
      case when y.pack_code is not null then '1包=' || trim_scale(y.size) || '件'
        when u.quantity > 1 then '1包=' || trim_scale(u.quantity) || s.unit_name else s.unit_name end as unit_name,
      u.quantity > 1 or y.pack_code is not null as is_pack,
      case when y.products > 1 then null else c.certificate_no end as registration_no,
           case when y.products > 1 then '' else l.lot_no end as lot_no,
           case when y.products > 1 then null else k.production_date end as production_date,
           coalesce(y.expiry_date, k.expiry_date) as expiry_date, u.owner_id, w.name as supplier_name,
             e.name as store_name,
             t.name as department_name, h.his_charge_code as charge_code, p.is_high_value, p.is_cold_chain,
           coalesce(y.pack_code, (
             select x.bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id and x.kind <> 'rfid'
             order by x.ended is not null, x.kind = 'inhouse' desc, x.kind, x.bare desc limit 1)) as code,
           (select count(*)::int from label_print g where g.org_id = ${session.org.id} and g.lot_id = u.lot_id
             and g.unit_id = u.id and g.pack_code is not distinct from y.printed_as) as times, y.printed_as ${more}
      from unit u
      join specification s on s.id = u.specification_id
      join product p on p.id = s.product_id
      join organisation o on o.id = p.manufacturer_id
      join lot l on l.id = u.lot_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join stock_lot k on k.org_id = ${session.org.id} and k.lot_id = u.lot_id
      left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
      left join organisation w on w.id = u.owner_id and u.owner_id <> ${session.org.id}
      left join warehouse e on e.org_id = ${session.org.id} and e.id = u.warehouse_id
      left join department t on t.org_id = e.org_id and t.id = e.department_id
      -- A part of a combined pack bears the label of the whole, with the earliest expiry of what is in it.
      left join lateral (
        select m.pack_code, min(coalesce(n.name, o.name)) as pack_name,
               count(distinct q.specification_id) as products, sum(z.size) as size,
               case when m.piece_code is not null then m.pack_code end as printed_as,
               min(d.expiry_date) as expiry_date
          from pack m join pack z on z.org_id = m.org_id and z.pack_code = m.pack_code
          join unit q on q.lot_id = z.lot_id and q.id = z.unit_id
          left join pack_template n on n.org_id = m.org_id and n.id = m.template_id
          left join operation_kit o on o.org_id = m.org_id and o.id = m.kit_id
          left join stock_lot d on d.org_id = z.org_id and d.lot_id = z.lot_id
         where m.org_id = ${session.org.id} and m.lot_id = u.lot_id and m.unit_id = u.id
           and m.pack_code is not null and m.opened_at is null and (m.piece_code is null or ${asPacks})
         group by m.pack_code, m.piece_code) y on true
     where u.id = any(${ids}::bigint[]) and u.id > 0
       and (u.holder_org_id = ${session.org.id} or u.use_org_id = ${session.org.id})`
  const known = new Map(rows.map(row => [row.unit_sn, row]))
  if (ids.some(id => !known.has(id))) throw new BusinessError('notFound', '有标签不存在或不在本机构，请刷新后重新勾选')
  return ids.map(id => known.get(id)!)
}
