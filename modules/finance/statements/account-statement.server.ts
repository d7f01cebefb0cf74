import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { loadDocument, patchDocument, replaceLines, sumLines, type TypedDocument } from '#server/public/documents.ts'
import { isDay } from '#kernel/values/date.ts'
import { type Decimal, isNegative, isZero, negate, subtract, sum, zero } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { accountStatement } from '#modules/finance/statements/account-statement.doc.ts'
import type { Tx } from '#server/public/database.ts'
import { completeLines } from '#server/public/drafts.ts'
import { hasAccount } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof accountStatement>
type AccountStatement = TypedDocument<typeof accountStatement>

type Moved = {
  readonly key: string
  readonly kind: string
  readonly document_no: string
  readonly invoice_no: string | null
  readonly posted_on: string
  readonly amount: Decimal
}
type Asked = { readonly partner: string; readonly direction: string; readonly begin: string; readonly end: string }

/** The line with everything before the period. */
const OPENING = '期初'
const MOST = 2000

/**
 * The entries that changed the balance with a partner: everything before the period as one row, then each document of
 * it; a reversal counts on its original. `key` is the number that both sides know: of the document that the other side
 * sent, or ours.
 */
const movedBy = (tx: Tx, org: string, { partner, direction, begin, end }: Asked) => tx<Moved[]>`
  with entry as (
    select e.amount, (e.at at time zone 'Asia/Shanghai')::date as posted_on, r.kind, r.sn,
           r.fields->>'invoice_no' as invoice_no,
           coalesce(r.fields->>'counter_payment_sn', case when r.source_org_id = e.counterparty_id then r.source_sn end,
             split_part(r.sn, '/', 1)) as key,
           e.movement = 'opening' or e.at < ${begin}::date::timestamp at time zone 'Asia/Shanghai' as is_before
      from money_entry e join document r on r.org_id = e.org_id and r.id = coalesce(e.red_of_id, e.document_id)
     where e.org_id = ${org} and e.counterparty_id = ${partner} and e.direction = ${direction}
       and e.at < (${end}::date + 1)::timestamp at time zone 'Asia/Shanghai'),
  moved as (
    select case when is_before then ${OPENING} else key end as key, case when is_before then '' else kind end as kind,
           case when is_before then '' else sn end as document_no,
           case when is_before then null else invoice_no end as invoice_no,
           case when is_before then ${begin}::date else posted_on end as posted_on, amount, is_before
      from entry)
  select key, min(kind) as kind, min(document_no) as document_no, min(invoice_no) as invoice_no,
         min(posted_on)::text as posted_on, sum(amount)::numeric(18,2) as amount
    from moved group by is_before, key having sum(amount) <> 0
   order by is_before desc, min(posted_on), key limit ${MOST + 2}`

const askedOf = (doc: AccountStatement, direction: string): Asked => ({
  partner: doc.counterparty_sn!,
  direction,
  begin: String(doc.begin_date),
  end: String(doc.end_date),
})

const nameOf = ({ kind }: Moved): string => (kind === '' ? '期初余额' : (documentOf(kind)?.title ?? kind))

/** The statement as our books have it today. */
async function writeFigures(tx: Tx, session: Session, sn: string): Promise<void> {
  const org = session.org.id
  const doc = await loadDocument(tx, org, accountStatement, sn, { lock: true })
  if (!doc.counterparty_sn || !isDay(doc.begin_date) || !isDay(doc.end_date)) return
  if (doc.begin_date > doc.end_date)
    throw new BusinessError('invalid', undefined, [{ field: 'end_date', msg: '期间止不能早于期间起' }])
  const rows = await movedBy(tx, org, askedOf(doc, String(doc.direction)))
  if (rows.length > MOST) throw new BusinessError('rule', `期间内单据超过${MOST}张，请缩短对账期间`)
  const opening = rows.find(row => row.key === OPENING)?.amount ?? '0.00'
  const moved = rows.filter(row => row.key !== OPENING)
  const first: Moved = {
    key: OPENING,
    kind: '',
    document_no: '',
    invoice_no: null,
    posted_on: doc.begin_date,
    amount: opening,
  }
  const inputs = [first, ...moved].map(row => ({
    document_name: nameOf(row),
    document_no: row.document_no,
    invoice_no: row.invoice_no,
    posted_on: row.posted_on,
    document_key: row.key,
    taxed_amount: row.amount,
  }))
  const lines = await completeLines(tx, session, accountStatement, {}, inputs, 0, doc.id)
  await replaceLines(tx, org, accountStatement, doc.id, lines)
  await sumLines(tx, session, [doc.id], 'derived')
  const total = (part: readonly Moved[]) =>
    sum(
      part.map(row => row.amount),
      2,
    )
  const values = {
    opening_amount: opening,
    raised_amount: total(moved.filter(row => !isNegative(row.amount))),
    lowered_amount: negate(total(moved.filter(row => isNegative(row.amount)))),
    closing_amount: total([first, ...moved]),
    line_count: lines.length,
  }
  await patchDocument(tx, session, doc, values, 'derived')
}

const other = (direction: unknown): string => (direction === 'payable' ? 'receivable' : 'payable')

/** Our own books beside the statement of the other side: line by line, and what we alone have. */
async function compared({ tx, session, doc }: Context): Promise<AccountStatement> {
  const rows = await movedBy(tx, session.org.id, askedOf(doc, other(doc.direction)))
  const ours = new Map(rows.map(row => [row.key, row]))
  const lines = doc.lines.map(line => {
    const their_amount = ours.get(String(line.document_key))?.amount ?? '0.00'
    const apart = subtract(line.taxed_amount, their_amount, 2)
    const known = ours.has(String(line.document_key)) || line.document_key === OPENING
    const difference_text = isZero(apart) ? '一致' : known ? `相差${apart}元` : '收函方没有此单据'
    return { ...line, their_amount, difference_text }
  })
  const alone = rows.filter(row => !doc.lines.some(line => line.document_key === row.key) && !isZero(row.amount))
  const their_balance = sum(
    rows.map(row => row.amount),
    2,
  )
  return {
    ...doc,
    lines,
    their_balance,
    difference_amount: subtract(String(doc.closing_amount ?? zero), their_balance, 2),
    missing_documents: alone
      .map(row => `${nameOf(row)}${row.document_no}：${row.amount}元`)
      .join('；')
      .slice(0, 4000),
  }
}

/** A partner with users answers by himself. */
async function refuseForOthers({ tx, doc }: ActionContext): Promise<void> {
  if (await hasAccount(tx, doc.counterparty_sn!))
    throw new BusinessError('rule', '该往来单位在平台上，请等对方确认或提出异议')
}

export const accountStatementRules = documentHooks(accountStatement, {
  afterSave: writeFigures,
  prepare: { confirm: compared, dispute: compared },
  validate: { registerReply: refuseForOthers },
  afterAction: {
    registerReply: ({ tx, session, doc }) =>
      patchDocument(
        tx,
        session,
        doc,
        { difference_amount: subtract(String(doc.closing_amount ?? zero), String(doc.their_balance ?? zero), 2) },
        'withAction',
      ),
  },
})
