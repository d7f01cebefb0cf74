import { byName, loadDocuments, patchDocument } from '#server/public/documents.ts'
import { serviceCharge } from '#modules/finance/service-charges/service-charge.doc.ts'
import { type ActionContext, type ContextOf, type DocumentHooks, documentHooks } from '#server/public/hooks.ts'
import { today } from '#kernel/values/date.ts'
import {
  compare,
  type Decimal,
  isNegative,
  isPositive,
  multiply,
  plain,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { answerOwner } from '#modules/finance/accounting/answer-owner.server.ts'
import { confirmSilent } from '#modules/finance/accounting/confirm-by-time.server.ts'
import { refuseUnnumbered } from '#modules/finance/accounting/unnumbered-invoice.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/finance/accounting/voucher-rules.server.ts'
import { settingDefaults } from '#modules/base/settings/setting-defaults.server.ts'
import {
  namedByOthers,
  settlementNos,
  settlementsOf,
  writeFigures,
} from '#modules/finance/service-charges/charge-figures.server.ts'
import { answerHospital } from '#modules/finance/service-charges/platform-bill.server.ts'
import { generate } from '#modules/finance/service-charges/generate-charges.server.ts'
import { type FeeClass, feeClasses } from '#modules/base/vocabulary/fee-classes.ts'
import { postDocument, unpostDocument } from '#server/public/actions.ts'
import type { Sql } from 'postgres'
import type { Tx } from '#server/public/database.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof serviceCharge>

/** A settlement is charged once, and only while it is in force. */
async function refuseTaken({ tx, session, doc }: Context): Promise<void> {
  // The hospital's own bill names them there.
  if (session.org.type === 'P') return
  const numbers = settlementNos(doc)
  const [taken] = await tx<{ sn: string }[]>`
    select d.sn from document d where d.org_id = ${session.org.id} and d.kind = 'settlement' and d.role = 'own'
       and d.sn = any(${[...numbers]}) and ${namedByOthers(tx, doc.id)} order by d.id limit 1`
  if (taken) throw new BusinessError('rule', `结算单${taken.sn}已在其他服务费单中，请重新生成`)
  const standing = await settlementsOf(tx, session.org.id, tx`d.sn = any(${[...numbers]})`)
  const gone = numbers.find(sn => !standing.some(each => each.sn === sn))
  if (gone) throw new BusinessError('rule', `结算单${gone}已不在有效状态，请作废本单后重新生成`)
}

/** The supplier's debt, once it agreed. */
async function bookDebt(tx: Tx, session: Session, id: string): Promise<void> {
  const [copy] = await loadDocuments(tx, session.org.id, [id])
  await patchDocument(tx, session, copy!, { confirmed_on: today() }, 'derived')
  await postDocument(tx, session, definitionOf('serviceCharge'), copy!, {
    entries: copy!.lines.map(({ line_no, taxed_amount: amount }) => ({ line_no, account: 'payable_invoiced', amount })),
  })
}

type Rest = { readonly line_no: number; readonly left: Decimal }

/** The open amounts of the lines of a bill for a purpose, in their own sign. */
const restOf = (tx: Tx, org: string, id: string, purpose: 'pay' | 'invoice' = 'pay') => tx<Rest[]>`
  select l.line_no, (l.taxed_amount - coalesce(p.taken, 0))::numeric(18,2) as left
    from document_line l left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id
      and p.line_no = l.line_no and p.purpose = ${purpose}
   where l.org_id = ${org} and l.document_id = ${id} and l.taxed_amount <> coalesce(p.taken, 0) order by l.line_no`

async function openRest({ tx, session, doc }: ActionContext): Promise<readonly Rest[]> {
  const rest = await restOf(tx, session.org.id, doc.id)
  const whole = sum(
    rest.map(line => line.left),
    2,
  )
  if (!isPositive(whole)) throw new BusinessError('rule', `${doc.sn}没有未结的服务费`)
  return rest
}

/** A draft over what is open of the bill, for a person to complete. */
const draftMoney =
  (kind: 'chargePayment' | 'chargeReceipt') =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc } = ctx
    const from = { source_sn: doc.sn, source_org_sn: doc.from_org_id }
    const lines = (await openRest(ctx)).map(({ line_no, left }) => ({
      ...from,
      source_line_no: line_no,
      taxed_amount: left,
    }))
    const header = { ...from, counterparty_sn: doc.counterparty_sn, paid_on: today() }
    const draft = await buildDraft(tx, session, definitionOf(kind), header, lines)
    await saveDraft(tx, session, definitionOf(kind), draft, 'draft', `来自服务费单${doc.sn}`)
  }

type Open = { readonly sn: string; readonly line_no: number; left: Decimal }

/** The partner's open invoices and openings that a fee may be set off against, the oldest first. */
const openItems = (tx: Tx, org: string, partner: string, kinds: readonly string[]) => tx<Open[]>`
  select x.sn, x.line_no, x.left from (
    select d.id, d.sn, l.line_no, coalesce(l.fields->>'due_date', d.fields->>'due_date', d.business_date::text) as due,
           (l.taxed_amount + l.rounding + coalesce((select sum(r.taxed_amount) from document m
             join document_line r on r.org_id = m.org_id and r.document_id = m.id
              where m.org_id = l.org_id and m.red_of_id = l.document_id and r.line_no = l.line_no), 0)
             - coalesce((select max(g.taken) from line_progress g where g.org_id = l.org_id
               and g.document_id = l.document_id and g.line_no = l.line_no
               and g.purpose in ('apply', 'pay')), 0))::numeric(18,2) as left
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = any(${[...kinds]}) and d.role = 'own' and d.red_of_id is null
       and d.counterparty_id = ${partner} and d.state in ('reviewed', 'partial')) x
   where x.left > 0 order by x.due, x.id, x.line_no limit 5000`

/** The lines of a deduction: parts of the bill spread over open items. A reversed fee frees the first item. */
export function deductionLines(charge_sn: string, rest: readonly Rest[], items: readonly Open[]) {
  const open = items.map(item => ({ ...item }))
  const lines: Record<string, unknown>[] = []
  const take = (item: Open, charge_line_no: number, amount: Decimal) => {
    item.left = subtract(item.left, amount, 2)
    const { sn: source_sn, line_no: source_line_no } = item
    lines.push({ source_sn, source_line_no, charge_sn, charge_line_no, taxed_amount: amount })
  }
  for (const { line_no, left } of rest.filter(line => isNegative(line.left))) take(open[0]!, line_no, left)
  for (const { line_no, left } of rest.filter(line => isPositive(line.left))) {
    let amount = left
    for (const item of open) {
      if (!isPositive(amount)) break
      if (!isPositive(item.left)) continue
      const part = compare(item.left, amount) < 0 ? item.left : amount
      take(item, line_no, part)
      amount = subtract(amount, part, 2)
    }
  }
  return lines
}

/** A draft that sets the open fee off against the oldest invoices, for a person to look at. */
const draftOffset =
  (kind: 'chargeDeduction' | 'chargeSetOff') =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc } = ctx
    const rest = await openRest(ctx)
    const kinds = documentOf(kind)!.sourcing.sources!.map(rule => rule.from)
    const items = await openItems(tx, session.org.id, doc.counterparty_sn!, kinds)
    if (items.length === 0) throw new BusinessError('rule', '没有可抵扣的未结发票')
    const lines = deductionLines(doc.sn, rest, items)
    const draft = await buildDraft(tx, session, definitionOf(kind), { counterparty_sn: doc.counterparty_sn }, lines)
    await saveDraft(tx, session, definitionOf(kind), draft, 'draft', `来自服务费单${doc.sn}`)
  }

/** The bills that a deduction names are this partner's, agreed to, and collected that way. */
const checkBills =
  (role: 'own' | 'counterparty') =>
  async ({ tx, session, doc }: ActionContext): Promise<void> => {
    const named = [...new Set(doc.lines.map(line => String(byName(line).charge_sn ?? '')))]
    const found = await tx<{ sn: string; state: string; confirm: string; collect: string }[]>`
      select sn, state, fields->>'confirm_state' as confirm, fields->>'collect_method' as collect from document
       where org_id = ${session.org.id} and kind = 'serviceCharge' and role = ${role} and sn = any(${named})
         and counterparty_id = ${doc.counterparty_sn} and state in ('reviewed', 'partial', 'completed')`
    for (const line of doc.lines) {
      const bill = found.find(each => each.sn === byName(line).charge_sn)
      const refuse = (msg: string): never => {
        throw new BusinessError('rule', `第${line.line_no}行：${msg}`, [
          { line: line.line_no, field: 'charge_sn', msg },
        ])
      }
      if (!bill) refuse(`没有该往来单位的服务费单${String(byName(line).charge_sn ?? '')}`)
      else if (!['2', '4'].includes(bill.confirm)) refuse(`服务费单${bill.sn}尚未经供应商确认`)
      else if (bill.collect !== 'deduct') refuse(`服务费单${bill.sn}单独收取，不从货款抵扣`)
    }
  }

/** Back at who wrote it: nothing is owed by a bill in dispute. */
async function takeBack(tx: Tx, session: Session, doc: Context['doc']): Promise<void> {
  const definition = definitionOf('serviceCharge')
  const spec = definition.actions.unreview!
  await unpostDocument({ tx, session, doc, definition, spec } as unknown as Context)
  const [now] = await loadDocuments(tx, session.org.id, [doc.id])
  await answerHospital(tx, session, now!, '3', (byName(now!).answer_reason as string | null | undefined) ?? null)
}

/** A draft of the electronic invoice over what of the bill is not invoiced yet, for a person to complete. */
async function draftInvoice({ tx, session, doc }: ActionContext): Promise<void> {
  const rest = await restOf(tx, session.org.id, doc.id, 'invoice')
  const whole = sum(
    rest.map(line => line.left),
    2,
  )
  if (!isPositive(whole)) throw new BusinessError('rule', `${doc.sn}没有未开票的服务费`)
  const lines = rest.map(({ line_no, left }) => ({ source_sn: doc.sn, source_line_no: line_no, taxed_amount: left }))
  const definition = definitionOf('chargeInvoice')
  const header = { source_sn: doc.sn, counterparty_sn: doc.counterparty_sn }
  const draft = await buildDraft(tx, session, definition, header, lines)
  await saveDraft(tx, session, definition, draft, 'draft', `来自服务费单${doc.sn}`)
}

/** The live electronic invoice of a bill: one that is not wholly reversed, or a document over it that was reviewed. */
async function liveInvoiceOf(tx: Tx, org: string, bill: string): Promise<string | null> {
  const [found] = await tx<{ sn: string }[]>`
    select d.sn from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
      and d.kind = 'chargeInvoice' and d.role = 'own' and d.state = 'reviewed'
      and coalesce(d.fields->>'is_red', 'false') = 'false'
     where l.org_id = ${org} and l.source_document_id = ${bill}
       and d.fields->>'issue_state' is distinct from 'reversed' order by d.id limit 1`
  return found?.sn ?? null
}

/** The number of an invoice is entered by hand if there is no electronic invoice. */
async function refuseBesideElectronic({ tx, session, doc }: ActionContext): Promise<void> {
  const sn = await liveInvoiceOf(tx, session.org.id, doc.id)
  if (sn) throw new BusinessError('rule', `该服务费单已有服务费发票${sn}，请在该单据上办理`)
}

/** A bill with an invoice is reversed after its invoice. */
async function refuseInvoiced({ tx, session, doc }: Context): Promise<void> {
  const sn = await liveInvoiceOf(tx, session.org.id, doc.id)
  if (sn) throw new BusinessError('rule', `服务费单已开票（${sn}），请先在【百望电子发票】红冲该发票`)
  if (doc.invoice_request === 'issued')
    throw new BusinessError('rule', `服务费单已登记发票${String(doc.invoice_no)}，请先登记红字发票`)
}

async function noteInvoice({ tx, session, doc }: Context): Promise<void> {
  const sets = { invoice_no: String(doc.invoice_no), invoice_request: 'issued', red_invoice_no: null }
  await patchDocument(tx, session, doc, { red_invoice_no: null }, 'withAction')
  await sendUpdate(tx, session, doc, [doc.counterparty_sn!], {
    label: '收费单位已开票',
    text: '服务费发票已开具',
    sets,
  })
  await answerOwner(tx, session, doc, { action: 'collectorInvoice', label: '平台已开票', reason: null, sets })
}

/** The number that a red one took back is gone from the bill, and the fee may be invoiced anew. */
async function noteRedInvoice({ tx, session, doc }: Context): Promise<void> {
  const sets = { invoice_no: null, invoice_date: null, invoice_request: 'none' }
  await patchDocument(tx, session, doc, sets, 'withAction')
  const [label, text] = ['收费单位已红冲发票', `红字发票号${String(doc.red_invoice_no)}`] as const
  await sendUpdate(tx, session, doc, [doc.counterparty_sn!], { label, text, sets })
  await answerOwner(tx, session, doc, { action: 'collectorInvoice', label, reason: text, sets })
}

/** The answer of the supplier that reached us, by a person or by silence; the hospital behind the platform reads it. */
async function agreedAt(tx: Tx, session: Session, doc: Context['doc']): Promise<void> {
  await patchDocument(tx, session, doc, { confirmed_on: today() }, 'derived')
  await answerHospital(tx, session, doc, '2')
}

/** The sheet: who charges whom, and each rate as a percentage. */
const printedCharge: NonNullable<DocumentHooks['printFields']> = async (tx, session, info) => {
  const [own, other] = [info.org_name, info.counterparty_name]
  const isOwn = String(info.org_sn) === session.org.id && info.role !== 'counterparty'
  const lines = (info.lines as readonly Readonly<Record<string, unknown>>[]).map(line => ({
    ...line,
    fee_class_name: line.fee_class ? feeClasses[line.fee_class as FeeClass] : '调整',
    rate_percent: line.fee_rate ? plain(multiply(String(line.fee_rate), '100', 4)) : null,
  }))
  const [paid] = await tx<{ paid: Decimal }[]>`
    select coalesce(max(g.taken), 0)::numeric(18,2)::text as paid from document d
      left join line_progress g on g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0 and g.purpose = 'pay'
     where d.org_id = ${session.org.id} and d.from_org_id = ${String(info.org_sn)} and d.sn = ${String(info.sn)}`
  const paid_amount = paid?.paid ?? '0.00'
  // The platform's bill names the hospital whose settlements it is computed from.
  const hospital = info.hospital_sn ? info.hospital_name : isOwn ? own : other
  return {
    lines,
    charging_party: info.payee_name || (isOwn ? own : other),
    paying_party: isOwn ? other : own,
    hospital_name: hospital,
    ...(info.taxed_amount === undefined
      ? {}
      : { paid_amount, unpaid_amount: subtract(String(info.taxed_amount), paid_amount, 2) }),
  }
}

const booked = { record: keepVoucher }

export const serviceChargeRules: readonly DocumentHooks[] = [
  documentHooks(serviceCharge, {
    calls: { generate },
    afterSave: writeFigures,
    printFields: printedCharge,
    validate: {
      submit: refuseTaken,
      review: refuseTaken,
      redReverse: refuseInvoiced,
      issueInvoice: refuseBesideElectronic,
      unrecord: refuseClosedVoucher,
    },
    onPartnerAction: { confirm: agreedAt, dispute: takeBack },
    afterAction: {
      ...booked,
      recalc: ({ tx, session, doc }) => writeFigures(tx, session, doc.sn),
      confirm: ({ tx, session, doc }) => bookDebt(tx, session, doc.id),
      pay: draftMoney('chargePayment'),
      collect: draftMoney('chargeReceipt'),
      deduct: draftOffset('chargeDeduction'),
      setOff: draftOffset('chargeSetOff'),
      toInvoice: draftInvoice,
      issueInvoice: noteInvoice,
      redInvoice: noteRedInvoice,
    },
  }),
  ...(['chargePayment', 'chargeReceipt'] as const).map(
    (kind): DocumentHooks => ({ kind, validate: { unrecord: refuseClosedVoucher }, afterAction: booked }),
  ),
  ...(['chargeDeduction', 'chargeSetOff'] as const).map((kind): DocumentHooks => {
    const check = checkBills(kind === 'chargeSetOff' ? 'counterparty' : 'own')
    const checks = [check, refuseUnnumbered]
    return { kind, validate: { submit: checks, review: checks, unrecord: refuseClosedVoucher }, afterAction: booked }
  }),
]

/** 服务费单 that no supplier answered in the days of the hospital's rule. */
export const confirmChargesByTime = (owner: Sql): Promise<number> =>
  confirmSilent(owner, {
    kind: 'serviceCharge',
    state: 'reviewed',
    since: 'reviewed_at',
    rule: 'chargeConfirm',
    days: settingDefaults.charge_confirm_days,
    books: bookDebt,
    // The supplier answers the platform, not the hospital, about a bill that the platform collects.
    but: { field: 'collector', value: 'platform' },
    agreed: (tx, session, doc) => answerHospital(tx, session, doc, '4'),
  })
