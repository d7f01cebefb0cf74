import { isDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { paymentBatch } from '#modules/payments/bank/payment-batch.doc.ts'
import { readReturn, type Sent } from '#modules/payments/bank/return-file.ts'
import { runAction } from '#server/public/actions.ts'
import type { Tx } from '#server/public/database.ts'
import { patchLines, type StoredDocument } from '#server/public/documents.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import { fileBytes } from '#server/public/files.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import { readCells } from '#server/public/sheets.ts'

const MOST_MEGABYTES = 5

type Waiting = {
  readonly payment_no: string
  readonly payee_name: string | null
  readonly payee_bank: string | null
  readonly payee_account: string | null
  readonly taxed_amount: string
}

/** Payments `d` that stand in another batch, waiting for the bank or paid by it. */
const inBatch = (tx: Tx, but: string | null) => tx`exists (
  select 1 from document b join document_line x on x.org_id = b.org_id and x.document_id = b.id
   where b.org_id = d.org_id and b.kind = 'paymentBatch' and b.role = 'own' and b.id is distinct from ${but}
     and b.state not in ('cancelled', 'deleted') and x.fields->>'payment_no' = d.sn
     and x.fields->>'transfer_result' in ('waiting', 'paid'))`

/** 生成批次: every reviewed payment by bank that is not paid, and in no other batch. */
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

/** What goes to the bank is still to be paid, and goes there once. */
async function refuseStale({ tx, session, doc }: ActionContext): Promise<void> {
  const numbers = doc.lines.map(line => String(line.payment_no))
  const good = await tx<{ sn: string }[]>`
    select d.sn from document d where d.org_id = ${session.org.id} and d.kind = 'payment' and d.role = 'own'
       and d.state = 'reviewed' and d.sn = any(${numbers}) and not ${inBatch(tx, doc.id)}`
  const stale = numbers.find(sn => !good.some(each => each.sn === sn))
  if (stale) throw new BusinessError('rule', `付款单${stale}已付款、已撤销或在其他批次中，请重新生成`)
}

const sentOf = (doc: StoredDocument): readonly Sent[] =>
  doc.lines
    .filter(line => line.transfer_result === 'waiting')
    .map(line => ({
      line_no: line.line_no,
      payment_no: String(line.payment_no),
      payee_account: String(line.payee_account ?? ''),
      taxed_amount: line.taxed_amount,
    }))

/** 读取回盘: each answer is noted; what was transferred is paid. The batch is done when the bank answered all of it. */
async function readAnswers(ctx: ActionContext): Promise<void | 'completed'> {
  const { tx, session, doc } = ctx
  const files = (doc.return_file ?? []) as readonly string[]
  const sent = sentOf(doc)
  const { bytes, name } = await fileBytes(tx, files.at(-1)!, MOST_MEGABYTES)
  const answers = readReturn(await readCells(bytes, session.userId), sent)
  if (answers === null) throw new BusinessError('rule', `文件【${name}】没有金额和状态两列，不是银行回盘文件`)
  if (answers.length === 0) throw new BusinessError('rule', `文件【${name}】没有与本批次相符的记录`)
  const patches = answers.map(({ line_no, bank_fee: _fee, ...values }) => ({ line_no, values }))
  await patchLines(tx, session, doc, patches, 'withAction')
  for (const { line_no, bank_serial_no, bank_fee } of answers.filter(answer => answer.transfer_result === 'paid')) {
    const { payment_no } = sent.find(line => line.line_no === line_no)!
    const serial = bank_serial_no ? { bank_serial_no } : {}
    const fee = bank_fee === null ? {} : { bank_fee }
    await runAction(tx, session, 'payment', payment_no, 'pay', { paid_on: today(), ...serial, ...fee })
  }
  return answers.length === sent.length ? 'completed' : undefined
}

export const paymentBatchRules: DocumentHooks = {
  kind: 'paymentBatch',
  calls: { generate },
  validate: { submit: refuseStale, review: refuseStale },
  afterAction: { readReturn: readAnswers },
}
