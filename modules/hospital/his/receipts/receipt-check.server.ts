import { addDays, daysBetween, startOf, type Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { noteUnknown } from '#modules/hospital/his/receipts/receipt-push.server.ts'
import { allRows, connectedHis, type HisReceipt } from '#server/public/outbound.ts'
import { type ListActionHandler, type RecordRow, remoteAction } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const MOST_DAYS = 31

function daysOf(asked: Readonly<RecordRow>): { from: Day; to: Day; days: Day[] } {
  const [from, to] = [String(asked.begin_date) as Day, String(asked.end_date) as Day]
  const length = daysBetween(from, to) + 1
  if (length < 1) throw new BusinessError('invalid', '结束日期不能早于开始日期')
  if (length > MOST_DAYS) throw new BusinessError('invalid', `查询区间不能超过${MOST_DAYS}天`)
  return { from, to, days: Array.from({ length }, (_, index) => addDays(from, index)) }
}

/**
 * 获取HIS入库: reads the receipts that the HIS booked on these days; a day that is read again replaces its earlier data.
 */
export const fetchReceipts = remoteAction<readonly HisReceipt[]>({
  async asks({ tx, session, asked }) {
    const { days } = daysOf(asked)
    const his = await connectedHis(tx, session.org.id)
    if (his === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能获取HIS入库')
    return async () => {
      const receipts: HisReceipt[] = []
      for (const day of days) receipts.push(...(await allRows(his.receiptsOf(day))))
      return receipts
    }
  },
  async writes(receipts, { tx, session, asked }) {
    const { from, to } = daysOf(asked)
    await storeReceipts(tx, session.org.id, from, to, receipts)
    return { said: `已获取${receipts.length}张HIS入库单` }
  },
})

async function storeReceipts(tx: Tx, org: string, from: Day, to: Day, receipts: readonly HisReceipt[]): Promise<void> {
  await tx`
    delete from his_receipt where org_id = ${org} and booked_at >= ${startOf(from)}
      and booked_at < ${startOf(addDays(to, 1))}`
  await tx`
    insert into his_receipt (org_id, receipt_no, receipt_kind, sn, supplier_code, warehouse_code, booked_at,
      is_reversed, amount, lines)
    select distinct on (receipt_no) ${org}, receipt_no, receipt_kind, sn, supplier_code, warehouse_code, booked_at,
      is_reversed, amount, lines
      from jsonb_to_recordset(${tx.json(receipts)}) as k(receipt_no text, receipt_kind text,
        sn text, supplier_code text, warehouse_code text, booked_at timestamptz, is_reversed boolean, amount numeric,
        lines jsonb) order by receipt_no
    on conflict (org_id, receipt_no) do update set is_reversed = excluded.is_reversed, amount = excluded.amount,
      lines = excluded.lines, booked_at = excluded.booked_at, read_at = now()`
}

/** 核对: documents of these days against the receipts that were read. */
export const checkReceipts: ListActionHandler = async ({ tx, session, asked }) => {
  const { from, to } = daysOf(asked)
  const org = session.org.id
  await noteUnknown(tx, org, startOf(from), startOf(addDays(to, 1)))
  await joinReceipts(tx, org, from, to)
  const counted = await judge(tx, org, from, to)
  return { said: `已核对${counted.all}张，一致${counted.same}张，有差异${counted.all - counted.same}张` }
}

/**
 * Joins by our number, else by that of the HIS; receipts left over become rows of their own. Reversals have taken back
 * both.
 */
async function joinReceipts(tx: Tx, org: string, from: Day, to: Day): Promise<void> {
  await tx`
    update his_grn g set receipt_no = r.receipt_no, booked_at = r.booked_at,
      push_state = case when g.push_state in ('none', 'failed') then 'sent' else g.push_state end
      from his_receipt r
     where g.org_id = ${org} and r.org_id = ${org} and g.document_id is not null and g.receipt_no is null
       and not g.is_voided and r.sn = g.sn and r.receipt_kind = g.receipt_kind and not r.is_reversed
       and r.booked_at >= ${startOf(from)} and r.booked_at < ${startOf(addDays(to, 1))}`
  await tx`
    delete from his_grn g where g.org_id = ${org} and g.document_id is null and g.booked_at >= ${startOf(from)}
      and g.booked_at < ${startOf(addDays(to, 1))} and g.explanation is null`
  await tx`
    insert into his_grn (org_id, receipt_kind, sn, receipt_no, booked_at, push_state, counterparty_id, warehouse_id)
    select r.org_id, r.receipt_kind, r.sn, r.receipt_no, r.booked_at, 'none',
           (select o.id from organisation o where o.code = r.supplier_code and o.kept_by_id is null),
           (select w.id from warehouse w where w.org_id = r.org_id and w.code = r.warehouse_code)
      from his_receipt r
     where r.org_id = ${org} and not r.is_reversed and r.booked_at >= ${startOf(from)}
       and r.booked_at < ${startOf(addDays(to, 1))}
       and not exists (select 1 from his_grn g where g.org_id = r.org_id and g.receipt_no = r.receipt_no)`
}

type Counted = { readonly all: number; readonly same: number }

/** Supplier, store, lines, quantities, prices and amounts: to the cent a line. */
async function judge(tx: Tx, org: string, from: Day, to: Day): Promise<Counted> {
  const [counted] = await tx<Counted[]>`
    with asked as (
      select g.id, g.document_id, g.item_count, g.amount, r.receipt_no, r.amount as his_amount,
             r.supplier_code, r.warehouse_code, jsonb_array_length(r.lines) as his_count,
             g.counterparty_id, g.warehouse_id
        from his_grn g left join his_receipt r on r.org_id = g.org_id and r.receipt_no = g.receipt_no
          and not r.is_reversed
       where g.org_id = ${org} and not g.is_voided and g.push_state <> 'reversed'
         and coalesce(g.reviewed_at, g.booked_at) >= ${startOf(from)}
         and coalesce(g.reviewed_at, g.booked_at) < ${startOf(addDays(to, 1))}
    ), lined as (
      select a.id, bool_or(l.difference_kind in ('missing', 'extra', 'lines')) as differ,
             bool_or(l.difference_kind = 'amount') as amounts
        from asked a join his_grn_line l on l.org_id = ${org} and l.his_grn_id = a.id
       where a.document_id is not null and a.receipt_no is not null group by a.id
    ), judged as (
      update his_grn g set checked_at = now(), version = g.version + 1, his_item_count = a.his_count,
             his_amount = a.his_amount,
             check_result = case when a.document_id is null then 'extra' when a.receipt_no is null then 'missing'
               when l.differ or a.item_count <> a.his_count
                 or a.supplier_code is distinct from (select o.code from organisation o where o.id = a.counterparty_id)
                 or a.warehouse_code is distinct from (select w.code from warehouse w where w.org_id = ${org}
                   and w.id = a.warehouse_id) then 'lines'
               when l.amounts then 'amount' else 'same' end
        from asked a left join lined l on l.id = a.id
       where g.org_id = ${org} and g.id = a.id returning g.check_result
    )
    select count(*)::int as all, (count(*) filter (where check_result = 'same'))::int as same from judged`
  return counted!
}
