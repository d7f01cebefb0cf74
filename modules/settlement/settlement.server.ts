import { isDay } from '#kernel/day.ts'
import { sum } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { settlement } from '#modules/settlement/settlement.doc.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { checkReferences } from '#server/engine/documents/references.ts'
import { completeLines } from '#server/engine/documents/complete.ts'
import { storeDraft } from '#server/engine/documents/draft.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

type Open = {
  ids: string[]
  use_document_id: string
  use_line_no: number
  sn: string
  specification_id: string
  lot_id: string
  lot_no: string
  expiry_date: string | null
  quantity: string
  price: string
  tax_rate: number
  amount: string
  unit_codes: string[] | null
  used_on: string
  department_id: string | null
}

/** Uses of a supplier's goods that wait for settlement, up to and including the last day; one line per use line. */
async function openUses(tx: Tx, org: string, owner: string, until: string): Promise<Open[]> {
  return tx<Open[]>`
    select array_agg(s.id order by s.id) as ids, s.use_document_id, s.use_line_no, d.sn, s.specification_id, s.lot_id, t.lot_no, max(k.expiry_date) as expiry_date,
           sum(s.quantity)::numeric(18,3) as quantity, max(s.price) as price, max(s.tax_rate) as tax_rate, sum(s.amount)::numeric(18,2) as amount,
           array_agg(s.unit_code order by s.unit_code) filter (where s.unit_code is not null) as unit_codes, to_char(min(s.used_at at time zone 'Asia/Shanghai'), 'YYYY-MM-DD') as used_on, max(s.department_id) as department_id
      from settlement_line s join document d on d.org_id = s.org_id and d.id = s.use_document_id join lot t on t.id = s.lot_id
      left join stock_lot k on k.org_id = s.org_id and k.lot_id = s.lot_id
     where s.org_id = ${org} and s.owner_id = ${owner} and s.state = 'waiting' and (s.used_at at time zone 'Asia/Shanghai')::date <= ${until}
     group by s.use_document_id, s.use_line_no, d.sn, s.specification_id, s.lot_id, t.lot_no
    having sum(s.quantity) <> 0
     order by min(s.used_at), d.sn, s.use_line_no`
}

/** 生成结算单: a draft of all open uses of a supplier in a period. Late lines of earlier periods come with it. */
async function generate(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const owner = String(body.counterparty_sn ?? '')
  if (!/^\d{1,18}$/.test(owner))
    throw new Refusal('invalid', undefined, [{ field: 'counterparty_sn', msg: '请选择供应商' }])
  const { begin_date, end_date } = body
  if (!isDay(begin_date) || !isDay(end_date))
    throw new Refusal('invalid', undefined, [
      { field: isDay(begin_date) ? 'end_date' : 'begin_date', msg: '请填写结算期间' },
    ])
  if (begin_date > end_date)
    throw new Refusal('invalid', undefined, [{ field: 'end_date', msg: '结算期间止不能早于期间起' }])
  const header = {
    counterparty_sn: owner,
    begin_date,
    end_date,
    business_date: end_date,
    regime: 'consigned',
    source_type: settlement.takes![0]!.sourceType,
  }
  await checkReferences(tx, session, settlement, header, [])
  const uses = await openUses(tx, session.org.id, owner, end_date)
  if (uses.length === 0) throw new Refusal('rule', '该供应商在此期间没有待结算的使用记录')
  const inputs = uses.map(use => ({
    specification_sn: use.specification_id,
    lot_no: use.lot_no,
    lot_id: use.lot_id,
    expiry_date: use.expiry_date,
    unit_codes: use.unit_codes ?? [],
    quantity: use.quantity,
    price: use.price,
    tax_rate: use.tax_rate,
    rest_amount: use.amount,
    used_on: use.used_on,
    use_department_inner_sn: use.department_id,
    source_document_id: use.use_document_id,
    source_sn: use.sn,
    source_org_sn: session.org.id,
    source_line_no: use.use_line_no,
  }))
  const lines = await completeLines(tx, session, settlement, header, inputs, 0)
  const sn = await storeDraft(tx, session, settlement, { header, lines, sources: [] }, 'draft')
  return {
    sn,
    version: 1,
    line_count: lines.length,
    taxed_amount: sum(
      lines.map(line => line.taxed_amount),
      2,
    ),
  }
}

/** The settlement lines behind the paper's lines change state together with it. */
async function moveLines(acting: Acting, from: readonly string[], to: string, bind: boolean): Promise<void> {
  const { tx, session, doc } = acting
  const uses = doc.lines.flatMap(line =>
    line.source_document_id && line.source_line_no !== null
      ? [{ document: line.source_document_id, line: line.source_line_no, no: line.line_no }]
      : [],
  )
  await tx`
    update settlement_line s set state = ${to}, settlement_id = ${bind ? doc.id : null}, settlement_line_no = ${bind ? tx`k.no` : null}
      from jsonb_to_recordset(${tx.json(uses)}) as k(document bigint, line int, no int)
     where s.org_id = ${session.org.id} and s.use_document_id = k.document and s.use_line_no = k.line and s.owner_id = ${doc.counterparty_sn} and s.state = any(${from as string[]})`
}

/** Nobody settles a use twice: lines already on another paper refuse. */
async function claimLines(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const [taken] = await tx<{ sn: string }[]>`
    select d.sn from document_line l join settlement_line s on s.org_id = l.org_id and s.use_document_id = l.source_document_id and s.use_line_no = l.source_line_no
      join document d on d.org_id = s.org_id and d.id = s.settlement_id
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and s.settlement_id is not null and s.settlement_id <> ${doc.id} limit 1`
  if (taken) throw new Refusal('blocked', `明细已在结算单${taken.sn}中结算，请重新生成`)
  await moveLines(acting, ['waiting'], 'settling', true)
  // Another paper may have claimed them while this one waited for its lock.
  const [missed] = await tx`
    select 1 from document_line l where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and l.source_document_id is not null
       and not exists (select 1 from settlement_line s where s.org_id = ${session.org.id} and s.settlement_id = ${doc.id} and s.settlement_line_no = l.line_no) limit 1`
  if (missed) throw new Refusal('blocked', '明细已在其他结算单中结算，请重新生成')
}

export const settlementRules: DocumentRules = {
  kind: 'settlement',
  calls: { generate },
  after: {
    submit: claimLines,
    unsubmit: acting => moveLines(acting, ['settling'], 'waiting', false),
    reject: acting => moveLines(acting, ['settling'], 'waiting', false),
    cancel: acting => moveLines(acting, ['settling'], 'waiting', false),
    review: acting => moveLines(acting, ['settling'], 'settled', true),
    unreview: acting => moveLines(acting, ['settled'], 'settling', true),
  },
}

/** The lines of the settlement behind a 结算入库 become 已入库 with it. */
async function moveReceived(acting: Acting, from: string, to: string): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    update settlement_line s set state = ${to} from document_line l
     where s.org_id = ${session.org.id} and l.org_id = ${session.org.id} and l.document_id = ${doc.id}
       and s.settlement_id = l.source_document_id and s.settlement_line_no = l.source_line_no and s.state = ${from}`
}

export const settlementGrnRules: DocumentRules = {
  kind: 'settlementGrn',
  after: {
    review: acting => moveReceived(acting, 'settled', 'received'),
    unreview: acting => moveReceived(acting, 'received', 'settled'),
    redReverse: acting => moveReceived(acting, 'received', 'settled'),
  },
}
