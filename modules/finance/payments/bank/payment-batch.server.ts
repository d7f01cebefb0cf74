import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { patchLines, type TypedDocument } from '#server/public/documents.ts'
import { dayOf, isDay, today } from '#kernel/values/date.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { heldResults, paymentBatch } from '#modules/finance/payments/bank/payment-batch.doc.ts'
import type { BankWord } from '#modules/finance/payments/bank/bank-words.ts'
import type { Answered, Sent } from '#modules/finance/payments/bank/return-file.ts'
import { returnTable } from '#modules/finance/payments/bank/return-table.ts'
import { runAction } from '#server/public/actions.ts'
import type { Tx } from '#server/public/database.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import { fileReader, readForeignFiles } from '#server/public/files.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

type Context = ContextOf<typeof paymentBatch>
type PaymentBatch = TypedDocument<typeof paymentBatch>

const returnFiles = {
  table: returnTable,
  reader: fileReader<typeof import('./return-reading.server.ts').default>(
    new URL('./return-reading.server.ts', import.meta.url),
    { mostBytes: 5 * 1024 * 1024 },
  ),
}

type Waiting = {
  readonly payment_no: string
  readonly payee_name: string | null
  readonly payee_bank: string | null
  readonly payee_account: string | null
  readonly taxed_amount: string
}

/** The lines `x` of other batches `b` that wait for the bank's answer or were paid. */
const inOtherBatches = (tx: Tx, but: string | null) => tx`
  from document b join document_line x on x.org_id = b.org_id and x.document_id = b.id
   where b.kind = 'paymentBatch' and b.role = 'own' and b.id is distinct from ${but}
     and b.state not in ('cancelled', 'deleted') and x.fields->>'transfer_result' = any(${[...heldResults]})`

/** Payments `d` that are in another batch. */
const inBatch = (tx: Tx, but: string | null) => tx`exists (
  select 1 ${inOtherBatches(tx, but)} and b.org_id = d.org_id and x.fields->>'payment_no' = d.sn)`

/** 生成批次: every reviewed payment by bank that is not paid and in no other batch. */
async function generate(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const account = String(body.pay_account ?? '').trim()
  if (account === '') throw new BusinessError('invalid', undefined, [{ field: 'pay_account', msg: '请填写付款账户' }])
  const until = isDay(body.due_until) ? body.due_until : null
  const waiting = await tx<Waiting[]>`
    select d.sn as payment_no, d.fields->>'payee_name' as payee_name, d.fields->>'payee_bank' as payee_bank,
           d.fields->>'payee_account' as payee_account, d.taxed_amount
      from document d
     where d.org_id = ${session.org.id} and d.kind = 'payment' and d.role = 'own' and d.state = 'reviewed'
       and d.red_of_id is null and d.fields->>'payment_method' in ('transfer', 'online')
       and (${until}::date is null or d.business_date <= ${until}::date) and not ${inBatch(tx, null)}
     order by d.id limit 1000 for update of d`
  const ready = waiting.filter(each => each.payee_name && each.payee_account)
  if (ready.length === 0)
    throw new BusinessError(
      'rule',
      waiting.length > 0 ? '待付款的付款单缺少收款户名或账号，请补齐后再生成' : '没有待付款的电汇或网银付款单',
    )
  const lines = ready.map(each => ({ ...each, transfer_result: 'waiting' }))
  const draft = await buildDraft(tx, session, paymentBatch, { pay_account: account }, lines)
  const left = waiting.length - ready.length
  return {
    sn: await saveDraft(tx, session, paymentBatch, draft, 'draft'),
    version: 1,
    result: `已列入${ready.length}张付款单${left > 0 ? `，另有${left}张缺少收款户名或账号` : ''}`,
  }
}

/** A batch for the bank may contain only payments that are still to be paid and are in no other batch. */
async function refuseStale({ tx, session, doc }: Context): Promise<void> {
  const numbers = doc.lines.map(line => String(line.payment_no))
  const good = await tx<{ sn: string }[]>`
    select d.sn from document d where d.org_id = ${session.org.id} and d.kind = 'payment' and d.role = 'own'
       and d.state = 'reviewed' and d.sn = any(${numbers}) and not ${inBatch(tx, doc.id)}`
  const stale = numbers.find(sn => !good.some(each => each.sn === sn))
  if (stale) throw new BusinessError('rule', `付款单${stale}已付款、已撤销或在其他批次中，请重新生成`)
}

const sentOf = (doc: PaymentBatch): readonly Sent[] =>
  doc.lines.map(line => ({
    line_no: line.line_no,
    payment_no: String(line.payment_no),
    payee_account: String(line.payee_account ?? ''),
    taxed_amount: line.taxed_amount,
  }))

/** The payment of each answer, by its line. */
function paymentNumbers(doc: PaymentBatch): (answer: Answered) => string {
  const numbers = new Map(doc.lines.map(line => [line.line_no, String(line.payment_no)]))
  return answer => numbers.get(answer.line_no)!
}

const enteredWords = (tx: Tx, org: string) => tx<BankWord[]>`
  select bank, column_title, word, outcome from bank_word where org_id = ${org}`

/** Completes a payment that the bank transferred, and reopens one that it returned. */
async function notePayment({ tx, session }: ActionContext, payment_no: string, answer: Answered): Promise<void> {
  const [payment] = await tx<{ state: string }[]>`
    select state from document where org_id = ${session.org.id} and kind = 'payment' and role = 'own'
       and sn = ${payment_no} and state <> 'deleted'`
  const { transfer_result: result, bank_serial_no, bank_fee, fail_reason } = answer
  if (result === 'paid' && payment?.state === 'reviewed') {
    const serial = bank_serial_no ? { bank_serial_no } : {}
    const fee = bank_fee === null ? {} : { bank_fee }
    await runAction(tx, session, 'payment', payment_no, 'pay', { paid_on: today(), ...serial, ...fee })
  }
  if (result === 'returned' && payment?.state === 'completed')
    await runAction(tx, session, 'payment', payment_no, 'payReturned', { reason: fail_reason ?? '银行退汇' })
}

/** A completed transfer can only be undone by 退汇 or 冲正. */
const isNews = (doc: PaymentBatch, answer: Answered): boolean => {
  const stood = doc.lines.find(line => line.line_no === answer.line_no)!.transfer_result
  return stood === 'paid'
    ? answer.transfer_result === 'returned'
    : stood !== answer.transfer_result || stood === 'asked'
}

/**
 * The answers that belong to this batch: if a payment went to the bank again, the answer belongs to the later batch. A
 * file without answers for this batch is refused.
 */
async function ofThisBatch({ tx, session, doc }: Context, news: readonly Answered[]): Promise<Answered[]> {
  const numberOf = paymentNumbers(doc)
  const later = await tx<{ payment_no: string; batch: string }[]>`
    select x.fields->>'payment_no' as payment_no, b.sn as batch ${inOtherBatches(tx, doc.id)}
       and b.org_id = ${session.org.id} and x.fields->>'payment_no' = any(${news.map(numberOf)})`
  const own = news.filter(answer => !later.some(each => each.payment_no === numberOf(answer)))
  const [first] = later
  if (first && own.length === 0)
    throw new BusinessError(
      'rule',
      `付款单${first.payment_no}已列入批次${first.batch}，请在该批次中读取回盘文件，或先将其从该批次中移出`,
    )
  return own
}

/** 读取回盘: stores each answer. The batch is completed when the bank has decided on all of it. */
async function readAnswers(ctx: Context): Promise<void | State> {
  const { tx, session, doc } = ctx
  const files = (doc.return_file ?? []) as readonly string[]
  const sent = sentOf(doc)
  const given = {
    sent,
    account: String(doc.pay_account ?? ''),
    words: await enteredWords(tx, session.org.id),
    since: dayOf(new Date(doc.created_at)),
  }
  const [file] = await readForeignFiles(ctx, [files.at(-1)!], returnFiles, given)
  if (file!.refused) throw file!.refused
  const { read: answers, name } = file!
  if (answers.length === 0) throw new BusinessError('rule', `文件【${name}】没有与本批次相符的记录`)
  const news = await ofThisBatch(
    ctx,
    answers.filter(answer => isNews(doc, answer)),
  )
  const patches = news.map(({ line_no, bank_fee: _fee, ...values }) => ({ line_no, values }))
  await patchLines(tx, session, doc, patches, 'withAction')
  const numberOf = paymentNumbers(doc)
  for (const answer of news) await notePayment(ctx, numberOf(answer), answer)
  const open = doc.lines.filter(line => {
    const now = news.find(answer => answer.line_no === line.line_no)?.transfer_result ?? line.transfer_result
    return now === 'waiting' || now === 'accepted' || now === 'asked'
  })
  return open.length === 0 ? 'completed' : 'reviewed'
}

export const paymentBatchRules = documentHooks(paymentBatch, {
  calls: { generate },
  validate: { submit: refuseStale, review: refuseStale },
  afterAction: { readReturn: readAnswers },
})

/** A word may have only one meaning for a bank and a column. */
export const bankWordRules: RecordRules = {
  kind: 'bankWord',
  async check(tx, session, { id, after }) {
    const [other] = await tx`
      select 1 from bank_word where org_id = ${session.org.id} and id is distinct from ${id}
         and coalesce(bank, '') = ${String(after.bank ?? '')}
         and coalesce(column_title, '') = ${String(after.column_title ?? '')} and word = ${String(after.word)}`
    return other ? [{ field: 'word', msg: '该银行、列名下已有此用语，请修改原来的一行' }] : []
  },
}
