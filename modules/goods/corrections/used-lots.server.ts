import type { Context, Line } from '#modules/goods/corrections/values.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { isOtherLot } from '#modules/goods/corrections/correction-posting.ts'

/** Asks a user who gives a lot an earlier expiry date about the uses after that date. */
export async function askAboutUses({ tx, session, doc, warnings }: Context): Promise<void> {
  if (doc.change_type !== 'lot') return
  const shorter = doc.lines.filter(line => !isOtherLot(line) && line.new_expiry_date && line.lot_id !== null)
  const uses = await usesOf(
    { tx, session },
    shorter.map(line => ({ lot_id: line.lot_id!, after: String(line.new_expiry_date) })),
  )
  for (const { lot_id, quantity, sns } of uses) {
    const line = shorter.find(each => each.lot_id === lot_id)!
    const msg =
      `批号${line.lot_no ?? ''}更正后有效期至${String(line.new_expiry_date)}，其中${plain(quantity)}在此之后使用（${sns}），` +
      '更正后请按过期使用处理，确认提交吗？'
    warnings.push({ rule: 'usedAfterExpiry', line: line.line_no, msg })
  }
}

type Used = { readonly lot_id: string; readonly quantity: Decimal; readonly sns: string }

/** The uses of these lots (those after a day, where one is given), with their documents. */
export const usesOf = (
  { tx, session }: Pick<ActionContext, 'tx' | 'session'>,
  lots: readonly { readonly lot_id: string; readonly after: string | null }[],
) => tx<Used[]>`
  select m.lot_id, (-sum(m.quantity))::numeric(18,3) as quantity, string_agg(distinct d.sn, '、') as sns
    from jsonb_to_recordset(${tx.json(lots)}) as k(lot_id bigint, after date)
    join stock_move m on m.org_id = ${session.org.id} and m.lot_id = k.lot_id
      and (k.after is null or (m.at at time zone 'Asia/Shanghai')::date > k.after)
     and m.step = 'use' and m.quantity < 0
    join document d on d.org_id = m.org_id and d.id = m.document_id and d.red_of_id is null
      and d.state not in ('submitted', 'reversed', 'cancelled')
   group by m.lot_id order by m.lot_id`

/** The lots whose maker, or a delivery on its way, has the dates to which these lines correct them. */
export async function saidByOthers(
  { tx, session }: Pick<Context, 'tx' | 'session'>,
  lines: readonly Line[],
): Promise<ReadonlySet<string>> {
  const asked = lines.map(line => ({
    lot_id: line.lot_id,
    until: line.new_expiry_date,
    made: line.new_production_date,
  }))
  const rows = await tx<{ lot_id: string }[]>`
    with asked as (
      select * from jsonb_to_recordset(${tx.json(asked)})
        as k(lot_id bigint, until date, made date))
    select k.lot_id from asked k join lot t on t.id = k.lot_id
      join document_line l on l.org_id = ${session.org.id} and l.lot_no = t.lot_no and l.lot_id = t.id
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'counterparty'
        and d.state in ('reviewed', 'partial')
     where coalesce(k.until, k.made) = case when k.until is null then l.production_date else l.expiry_date end
    union
    select k.lot_id from asked k join maker_lot m on m.lot_id = k.lot_id
     where coalesce(k.until, k.made) = case when k.until is null then m.production_date else m.expiry_date end`
  return new Set(rows.map(row => row.lot_id))
}
