import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { instant, minuteOf } from '#kernel/values/date.ts'
import { add, compare, type Decimal, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { toolsKitContents } from '#modules/hospital/surgery/tools/tools-contents.server.ts'
import { kitsAsRead } from '#modules/hospital/surgery/kits/kit-prices.server.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The printed sheets of kits and sets: list, contents and gaps, with who confirmed how many of them. */

type Counted = { readonly standard_quantity: Decimal; readonly held_quantity: Decimal }

/** A quantity above that of the list is no gap. */
const gapOf = ({ standard_quantity, held_quantity }: Counted): Decimal =>
  compare(held_quantity, standard_quantity) < 0 ? subtract(standard_quantity, held_quantity, 3) : '0.000'

function totalsOf(lines: readonly Counted[], confirmed: unknown, confirmed_by: unknown) {
  const total = (amounts: readonly Decimal[]): string => plain(sum(amounts, 3))
  return {
    standard_total: total(lines.map(line => line.standard_quantity)),
    held_total: total(lines.map(line => line.held_quantity)),
    missing_total: total(lines.map(gapOf)),
    confirmed_total: confirmed ? plain(String(confirmed) as Decimal) : '0',
    confirmed_by: confirmed ? String(confirmed_by ?? '') : '',
  }
}

const headOf = (session: Session, row: RecordRow, title: string) => ({
  sn: String(row.code),
  title: `${session.org.name}${title}`,
  kit_name: row.kit_name ?? row.template_name ?? null,
  surgery_name: row.surgery_name ?? null,
  warehouse_name: row.warehouse_name ?? null,
  plan_no: row.plan_no ?? null,
  counted_on: row.counted_at ? minuteOf(new Date(String(row.counted_at))) : '',
  printed_moment: minuteOf(new Date()),
})

/** 工具包清点单. */
export async function toolsKitSheetOf(tx: Tx, session: Session, row: RecordRow): Promise<RecordRow> {
  const contents = await toolsKitContents(tx, session, [String(row.tools_kit_sn)])
  const lines = contents.map((item, at) => {
    const counted = { standard_quantity: `${item.quantity}.000`, held_quantity: `${item.held}.000` } as const
    return {
      line_no: at + 1,
      tray: item.tray,
      tool_code: item.tool_code,
      item_name: item.name,
      model: item.model,
      key_mark: item.is_key ? '★' : '',
      codes_text: item.codes.join('、'),
      ...counted,
      missing_quantity: gapOf(counted),
    }
  })
  return {
    ...headOf(session, row, '工具包清点单'),
    lines,
    ...totalsOf(lines, row.confirmed_gaps, row.confirmed_by),
  }
}

type Listed = {
  readonly specification_sn: string
  readonly tray: string | null
  readonly product_name: string
  readonly specification_name: string
  readonly unit_name: string
  readonly standard_quantity: Decimal
  readonly lots: readonly { readonly lot_no: string; readonly expiry_date: string | null; readonly quantity: Decimal }[]
}

/** The customer for whose operation the kit is out, or booked next; null if there is none. */
async function customerOf(tx: Tx, session: Session, kit: unknown): Promise<string | null> {
  const [plan] = await tx<{ customer: string | null }[]>`
    select d.counterparty_id as customer from implant_kit k
      join document d on d.org_id = k.org_id and d.id = coalesce(k.out_plan_id, (
        select b.plan_id from surgery_booking b
         where b.org_id = k.org_id and b.subject_kind = 'kit' and b.subject_id = k.id and upper(b.period) > ${instant()}
         order by lower(b.period) limit 1))
     where k.org_id = ${session.org.id} and k.id = ${String(kit)}`
  return plan?.customer ?? null
}

/**
 * 套包清单: each product of the list, and the goods in the kit that are not on it. Who may read prices reads them, as
 * agreed with the hospital that has the kit or gets it next.
 */
export async function implantKitSheetOf(tx: Tx, session: Session, row: RecordRow): Promise<RecordRow> {
  const listed = await tx<Listed[]>`
    with kit as (select k.* from implant_kit k
                  where k.org_id = ${session.org.id} and k.id = ${String(row.implant_kit_sn)}),
    wanted as (
      select l.specification_id, l.tray, l.sort_no, l.quantity from operation_kit_line l
        join kit k on k.org_id = l.org_id and k.operation_kit_id = l.operation_kit_id),
    held as (
      select b.specification_id, y.lot_no, d.expiry_date, sum(b.quantity)::numeric(18,3) as quantity
        from kit k join stock_balance b on b.org_id = k.org_id and b.location = k.code and b.quantity > 0
        join lot y on y.id = b.lot_id left join stock_lot d on d.org_id = b.org_id and d.lot_id = b.lot_id
       group by b.specification_id, y.lot_no, d.expiry_date)
    select s.id as specification_sn, w.tray, p.name as product_name, s.name as specification_name, s.unit_name,
           coalesce(w.quantity, 0)::numeric(18,3)::text as standard_quantity,
           coalesce((select jsonb_agg(jsonb_build_object('lot_no', h.lot_no, 'expiry_date', h.expiry_date,
             'quantity', h.quantity::text) order by h.expiry_date, h.lot_no)
             from held h where h.specification_id = s.id), '[]') as lots
      from (select specification_id from wanted union select specification_id from held) x
      join specification s on s.id = x.specification_id join product p on p.id = s.product_id
      left join wanted w on w.specification_id = s.id
     order by w.tray nulls last, w.sort_no, p.name, s.name`
  const lines = listed.map(({ lots, ...item }, at) => {
    const held_quantity = lots.reduce<Decimal>((all, lot) => add(all, lot.quantity, 3), '0.000')
    return {
      line_no: at + 1,
      ...item,
      lot_no: lots
        .map(lot => `${lot.lot_no}${lot.expiry_date ? `（${lot.expiry_date}）` : ''}×${plain(lot.quantity)}`)
        .join('、'),
      held_quantity,
      missing_quantity: gapOf({ standard_quantity: item.standard_quantity, held_quantity }),
      quantity: held_quantity,
    }
  })
  const customer = await customerOf(tx, session, row.implant_kit_sn)
  const { goods, total } = await kitsAsRead(tx, session, lines, { customer })
  return {
    ...headOf(session, row, '套包清单'),
    lines: goods,
    ...(total === undefined ? {} : { taxed_amount: total, amount_in_words: chineseMoney(total) }),
    ...totalsOf(lines, row.confirmed_shortage, row.confirmed_by),
  }
}
