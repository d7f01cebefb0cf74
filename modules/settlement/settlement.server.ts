import { isDay, today } from '#kernel/values/date.ts'
import { sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lastPeriod, type Period } from '#modules/settlement/period.ts'
import { settlement } from '#modules/settlement/settlement.doc.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import { priceAgain } from '#modules/settlement/settlement-lines.server.ts'
import { checkReferences, patchDocument } from '#server/public/documents.ts'
import { completeLines, saveDraft } from '#server/public/drafts.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import type { Tx } from '#server/public/database.ts'

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
  price: string | null
  tax_rate: number
  amount: string
  unit_codes: string[] | null
  used_on: string
  department_id: string | null
}

/** Uses of a supplier's goods that wait for settlement, up to and including the last day; one line per use line. */
async function openUses(tx: Tx, org: string, owner: string, until: string): Promise<Open[]> {
  return tx<Open[]>`
    select array_agg(s.id order by s.id) as ids, s.use_document_id, s.use_line_no, d.sn, s.specification_id, s.lot_id,
      t.lot_no, max(k.expiry_date) as expiry_date,
           sum(s.quantity)::numeric(18,3) as quantity, max(s.price) as price, max(s.tax_rate) as tax_rate,
             sum(s.amount)::numeric(18,2) as amount,
           array_agg(s.unit_code order by s.unit_code) filter (where s.unit_code is not null) as unit_codes,
             to_char(min(s.used_at at time zone 'Asia/Shanghai'), 'YYYY-MM-DD') as used_on,
             max(s.department_id) as department_id
      from settlement_line s join document d on d.org_id = s.org_id and d.id = s.use_document_id
        join lot t on t.id = s.lot_id
      left join stock_lot k on k.org_id = s.org_id and k.lot_id = s.lot_id
     where s.org_id = ${org} and s.owner_id = ${owner} and s.state in ('waiting', 'unpriced')
       and (s.used_at at time zone 'Asia/Shanghai')::date <= ${until}
     group by s.use_document_id, s.use_line_no, d.sn, s.specification_id, s.lot_id, t.lot_no
    having sum(s.quantity) <> 0
     order by min(s.used_at), d.sn, s.use_line_no`
}

function periodOf({ begin_date, end_date }: Readonly<Record<string, unknown>>, closes: number): Period {
  if (!begin_date && !end_date) return lastPeriod(today(), closes)
  if (!isDay(begin_date) || !isDay(end_date))
    throw new BusinessError('invalid', undefined, [
      { field: isDay(begin_date) ? 'end_date' : 'begin_date', msg: '请填写结算期间' },
    ])
  if (begin_date > end_date)
    throw new BusinessError('invalid', undefined, [{ field: 'end_date', msg: '结算期间止不能早于期间起' }])
  return { begin: begin_date, end: end_date }
}

/** The named supplier, or every supplier with uses waiting. */
async function suppliersOf(tx: Tx, org: string, named: unknown, { end }: Period): Promise<string[]> {
  const owner = String(named ?? '')
  if (owner !== '' && !/^\d{1,18}$/.test(owner))
    throw new BusinessError('invalid', undefined, [{ field: 'counterparty_sn', msg: '请选择供应商' }])
  if (owner !== '') return [owner]
  const rows = await tx<{ owner_id: string }[]>`
    select distinct owner_id from settlement_line where org_id = ${org} and state in ('waiting', 'unpriced')
      and (used_at at time zone 'Asia/Shanghai')::date <= ${end} order by 1`
  return rows.map(row => row.owner_id)
}

type Made = { readonly sn: string; readonly line_count: number; readonly taxed_amount: string }

/**
 * 生成结算单: a draft of all open uses of a supplier in a period, one per supplier if none is named. Late lines of
 * earlier periods are included.
 */
async function generate(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const period = periodOf(body, (await settingsFor(tx, session.org.id)).settlement_day)
  const settlements: (Made & { readonly counterparty_sn: string })[] = []
  for (const owner of await suppliersOf(tx, session.org.id, body.counterparty_sn, period)) {
    const made = await settle(tx, session, owner, period)
    if (made) settlements.push({ ...made, counterparty_sn: owner })
  }
  if (settlements.length === 0)
    throw new BusinessError('rule', `${body.counterparty_sn ? '该供应商在' : ''}此期间没有待结算的使用记录`)
  return { ...settlements[0], version: 1, settlements }
}

/** One supplier's draft; null if nothing is waiting. */
async function settle(tx: Tx, session: Session, owner: string, { begin, end }: Period): Promise<Made | null> {
  const header = {
    counterparty_sn: owner,
    begin_date: begin,
    end_date: end,
    // A period that is not over yet is settled today.
    business_date: end > today() ? today() : end,
    regime: 'consigned',
    confirm_state: '1',
    source_type: settlement.sourcing.sources![0]!.sourceType,
  }
  await checkReferences(tx, session, settlement, header, [])
  await priceAgain(tx, session.org.id, owner)
  const uses = await openUses(tx, session.org.id, owner, end)
  if (uses.length === 0) return null
  const inputs = uses.map(use => ({
    specification_sn: use.specification_id,
    lot_no: use.lot_no,
    lot_id: use.lot_id,
    expiry_date: use.expiry_date,
    unit_codes: use.unit_codes ?? [],
    quantity: use.quantity,
    price: use.price ?? '0',
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
  const sn = await saveDraft(tx, session, settlement, { header, lines, sources: [] }, 'draft')
  const amounts = lines.map(line => line.taxed_amount)
  return { sn, line_count: lines.length, taxed_amount: sum(amounts, 2) }
}

/** The uses behind the document's lines, by line. */
const usesOf = ({ doc }: ActionContext) =>
  doc.lines.flatMap(line =>
    line.source_document_id && line.source_line_no !== null
      ? [{ document: line.source_document_id, line: line.source_line_no, no: line.line_no }]
      : [],
  )

/** The settlement lines on this document change state together with it. */
async function moveLines({ tx, session, doc }: ActionContext, to: string): Promise<void> {
  const leaves = to === 'waiting'
  await tx`
    update settlement_line set state = ${to} ${leaves ? tx`, settlement_id = null, settlement_line_no = null` : tx``}
     where org_id = ${session.org.id} and settlement_id = ${doc.id} and state in ('settling', 'settled')`
}

/**
 * A use without a price cannot be settled, and no use is settled twice: lines already on another document are
 * refused.
 */
async function claimLines(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const uses = tx`jsonb_to_recordset(${tx.json(usesOf(ctx))}) as k(document bigint, line int, no int)`
  await refuseUnpriced(ctx)
  await tx`
    update settlement_line s set state = 'settling', settlement_id = ${doc.id}, settlement_line_no = k.no from ${uses}
     where s.org_id = ${session.org.id} and s.use_document_id = k.document and s.use_line_no = k.line
       and s.owner_id = ${doc.counterparty_sn} and s.state = 'waiting'`
  // Another document claimed them before, or while this one waited for its lock.
  const [missed] = await tx<{ no: number; sn: string | null }[]>`
    select k.no, (select d.sn from settlement_line s join document d on d.org_id = s.org_id and d.id = s.settlement_id
                   where s.org_id = ${session.org.id} and s.use_document_id = k.document and s.use_line_no = k.line
                     order by s.id desc limit 1) as sn
      from ${uses}
     where not exists (select 1 from settlement_line s
       where s.org_id = ${session.org.id} and s.settlement_id = ${doc.id} and s.settlement_line_no = k.no)
       order by k.no limit 1`
  if (missed)
    throw new BusinessError(
      'blocked',
      missed.sn ? `记录${missed.no}已在结算单${missed.sn}中，请重新生成` : `记录${missed.no}已不在待结算中，请重新生成`,
    )
}

async function refuseUnpriced(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const [line] = await tx<{ no: number }[]>`
    select k.no from jsonb_to_recordset(${tx.json(usesOf(ctx))}) as k(document bigint, line int, no int)
      join settlement_line s on s.org_id = ${session.org.id} and s.use_document_id = k.document
        and s.use_line_no = k.line and s.state = 'unpriced' order by k.no limit 1`
  const bare = doc.lines.find(candidate => candidate.line_no === line?.no)
  if (!bare) return
  const msg = `${bare.product_name ?? ''} ${bare.specification_name ?? ''}无有效结算价`
  throw new BusinessError('rule', msg, [{ line: bare.line_no, field: 'price', msg }])
}

/** The supplier sees on its copy that its uses are settled, and since when. */
async function notifySettled({ tx, session, doc }: ActionContext, settled_on: string | null): Promise<void> {
  await patchDocument(tx, session, doc, { settled_on }, 'withAction')
  await sendUpdate(tx, session, doc, [doc.counterparty_sn!], {
    label: settled_on ? '医院已审核结算单' : '医院已反审核结算单',
    text: settled_on ? '等待结算入库' : '请留意后续处理',
    sets: { settled_on },
  })
}

export const settlementRules: DocumentHooks = {
  kind: 'settlement',
  calls: { generate },
  afterAction: {
    submit: claimLines,
    unsubmit: ctx => moveLines(ctx, 'waiting'),
    reject: ctx => moveLines(ctx, 'waiting'),
    cancel: ctx => moveLines(ctx, 'waiting'),
    review: async ctx => {
      await moveLines(ctx, 'settled')
      await notifySettled(ctx, today())
    },
    unreview: async ctx => {
      await moveLines(ctx, 'settling')
      await notifySettled(ctx, null)
    },
  },
}
