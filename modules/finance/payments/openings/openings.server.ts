import { byName, patchLines } from '#server/public/documents.ts'
import { creditDays } from '#modules/finance/accounting/credit-days.server.ts'
import { addDays, type Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import { turnToAdvance, turnToRefund } from '#modules/finance/payments/advances/turn-to-advance.server.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const markOf = (kind: string) => `opening_closed:${kind}`

const isClosed = async (tx: Tx, org: string, kind: string): Promise<boolean> =>
  (await tx`select 1 from setting where org_id = ${org} and name = ${markOf(kind)}`).length > 0

/** After 期初关账 nothing may be added or changed. */
async function refuseIfClosed(tx: Tx, session: Session, kind: string): Promise<void> {
  if (await isClosed(tx, session.org.id, kind)) throw new BusinessError('rule', '期初已关账，不能新增或修改')
}
const refuseClosed = ({ tx, session, doc }: ActionContext): Promise<void> => refuseIfClosed(tx, session, doc.kind)

/** An invoice of a partner is entered only once, in an invoice or in an opening. */
async function refuseKnownInvoices({ tx, session, doc }: ActionContext): Promise<void> {
  const numbers = doc.lines.flatMap(line => (byName(line).invoice_no ? [String(byName(line).invoice_no)] : []))
  if (numbers.length === 0) return
  const [known] = await tx<{ no: string; sn: string }[]>`
    select l.fields->>'invoice_no' as no, d.sn from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = ${doc.kind} and d.counterparty_id = ${doc.counterparty_sn}
       and d.id <> ${doc.id} and d.state in ('submitted', 'reviewed', 'partial', 'completed') and d.red_of_id is null
       and l.fields->>'invoice_no' = any(${numbers}) order by d.id limit 1`
  if (known)
    throw new BusinessError('duplicate', `发票${known.no}已录入期初`, [
      { msg: `发票${known.no}已录入期初（${known.sn}）` },
    ])
}

/** Sets the due date of lines without one: the day of the business plus the partner's days of credit. */
async function dueByTerms(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const open = doc.lines.filter(line => !byName(line).due_date)
  if (open.length === 0) return
  const days = await creditDays(ctx)
  const due = open.map(line => ({
    line_no: line.line_no,
    values: { due_date: addDays(String(byName(line).opened_on) as Day, days) },
  }))
  await patchLines(tx, session, doc, due, 'withAction')
}

/** 期初关账: once, when every document of the kind is reviewed. */
const close = (kind: string) => async (tx: Tx, session: Session) => {
  const title = documentOf(kind)!.title
  if (await isClosed(tx, session.org.id, kind)) throw new BusinessError('rule', `${title}已关账`)
  const waiting = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${kind} and role = 'own'
      and state in ('draft', 'submitted', 'rejected') order by id`
  if (waiting.length > 0) {
    const named = waiting
      .slice(0, 5)
      .map(({ sn }) => sn)
      .join('、')
    throw new BusinessError('blocked', `还有${waiting.length}张${title}未审核（${named}），请先审核、作废或删除`)
  }
  await tx`
    insert into setting (org_id, name, value) values (${session.org.id}, ${markOf(kind)}, 'true')
    on conflict (org_id, name) do nothing`
  return { closed: true }
}

const rulesOf = (kind: 'openingReceivable' | 'openingPayable'): DocumentHooks => ({
  kind,
  calls: { close: close(kind) },
  afterSave: (tx, session) => refuseIfClosed(tx, session, kind),
  validate: {
    submit: [refuseClosed, refuseKnownInvoices],
    review: [refuseClosed, refuseKnownInvoices],
    unreview: refuseClosed,
    redReverse: refuseClosed,
  },
  afterAction: { submit: dueByTerms },
  afterState: { toAdvance: turnToAdvance, refundPaid: turnToRefund },
})

export const openingReceivableRules = rulesOf('openingReceivable')
export const openingPayableRules = rulesOf('openingPayable')
