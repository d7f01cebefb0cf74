import { compare, type Decimal, negate, plain, subtract } from '#kernel/values/decimal.ts'
import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { askProvider } from '#modules/finance/invoicing/electronic/ask-provider.server.ts'
import { channelInUse, providerOf } from '#modules/finance/invoicing/electronic/channel.server.ts'
import { invoiceSourceOf } from '#modules/finance/invoicing/electronic/invoice-sources.server.ts'
import { noteConfirmation, noteResult, noteSending } from '#modules/finance/invoicing/electronic/outcome.server.ts'
import { asksOf, hasResult, type Said } from '#modules/finance/invoicing/electronic/poll.server.ts'
import {
  invoicesOf,
  linesOfInvoice,
  type StoredInvoice,
} from '#modules/finance/invoicing/electronic/stored-invoice.server.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import { patchDocument } from '#server/public/documents.ts'
import type { InvoiceQuota } from '#server/public/outbound.ts'
import { type ListActionHandler, type RecordRow, type RecordRules, remoteAction } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const refuse = (msg: string): never => {
  throw new BusinessError('rule', msg)
}

/** The ticked rows: all of them are processed, or none. */
async function ticked(tx: Tx, session: Session, keys: readonly string[]): Promise<readonly StoredInvoice[]> {
  const rows = await invoicesOf(tx, session.org.id, keys)
  if (rows.length < keys.length) throw new BusinessError('notFound', '有的记录不存在，请刷新后重新勾选')
  return rows
}
const theOne = async (tx: Tx, session: Session, keys: readonly string[]): Promise<StoredInvoice> =>
  (await ticked(tx, session, keys))[0]!

/** Requests an invoice: from here on it is being issued. */
async function send(tx: Tx, session: Session, row: StoredInvoice, isRetry: boolean): Promise<void> {
  const org = session.org.id
  const task = row.colour === 'blue' ? 'issue' : row.red_confirm_state === 'agreed' ? 'issueRed' : 'applyRed'
  const state = task === 'applyRed' ? 'redConfirming' : 'issuing'
  const [sent] = await tx<{ retries: number }[]>`
    update e_invoice set state = ${state}, retries = retries + ${isRetry ? 1 : 0}, polls = 0, fail_reason = null,
      next_poll_at = null, version = version + 1 where org_id = ${org} and id = ${row.id} returning retries`
  await patchDocument(
    tx,
    session,
    { id: row.document_id, kind: row.document_kind },
    { issue_state: 'issuing', issue_error: null },
    'derived',
  )
  await askProvider(tx, org, { task, id: row.id, sn: row.document_sn, attempt: sent!.retries })
}

const issue: ListActionHandler = async ({ tx, session, ids }) => {
  const rows = await ticked(tx, session, ids)
  for (const row of rows) {
    if (row.state !== 'pending') throw new BusinessError('duplicate', '该单据正在开票或已开票')
    if (row.colour === 'red') refuse(`红字发票${row.document_sn}须先申请红字确认单`)
  }
  for (const row of rows) await send(tx, session, row, false)
  return { said: `已提交${rows.length}张发票开票，结果稍后显示` }
}

const retry: ListActionHandler = async ({ tx, session, ids }) => {
  const rows = await ticked(tx, session, ids)
  const other = rows.find(({ state }) => state !== 'failed')
  if (other) refuse(`${other.document_sn}没有失败，不能重试`)
  for (const row of rows) await send(tx, session, row, true)
  return { said: `已重新提交${rows.length}张发票，先向开票平台查询结果，不会重复开具` }
}

/** 查询结果: the provider is asked between two transactions. */
const query = remoteAction<Said>({
  asks: async ({ tx, session, ids: keys }) => {
    const row = await theOne(tx, session, keys)
    if (row.invoice_no !== null || row.state === 'closed') refuse('该发票已有结果，不需要查询')
    if (!hasResult(row)) refuse('该发票还没有提交开票平台，请先开票')
    const provider = await providerOf(tx, session.org.id, row.channel)
    return asksOf(row, provider)
  },
  writes: async (answer, { tx, session, ids: keys }) => {
    const org = session.org.id
    const row = await theOne(tx, session, keys)
    const said =
      'confirmation' in answer
        ? await noteConfirmation(tx, org, row.id, answer.confirmation)
        : await noteResult(tx, org, row.id, answer.result)
    return { said }
  },
})

const deliver: ListActionHandler = async ({ tx, session, asked: { email, phone }, ids }) => {
  const row = await theOne(tx, session, ids)
  if (row.invoice_no === null) refuse('发票尚未开具，不能交付')
  const to = {
    email: (email as string | null) ?? (phone ? null : row.buyer_email),
    phone: (phone as string | null) ?? (email ? null : row.buyer_phone),
  }
  if (to.email === null && to.phone === null) refuse('请填写收票邮箱或收票手机')
  const [asked] = await tx<{ count: number }[]>`
    select count(*)::int as count from outbound_call
     where org_id = ${session.org.id} and call_key like ${`einvoice:${row.id}:deliver:%`}`
  await noteSending(tx, session.org.id, row, to.email, to.phone, asked!.count)
  return { said: `已提交交付至${[to.email, to.phone].filter(Boolean).join('、')}，结果稍后显示` }
}

/** The stored PDF; if there is none yet, it is requested. */
const download: ListActionHandler = async ({ tx, session, ids }) => {
  const row = await theOne(tx, session, ids)
  if (row.invoice_no === null) refuse('发票尚未开具，没有版式文件')
  const [file] = row.pdf
  if (file) return { said: '已打开版式文件，OFD和XML在详情中', link: `/file/${file}?action=download` }
  const [asked] = await tx<{ count: number }[]>`
    select count(*)::int as count from outbound_call
     where org_id = ${session.org.id} and call_key like ${`einvoice:${row.id}:files:%`}`
  await askProvider(tx, session.org.id, { task: 'files', id: row.id, sn: row.document_sn, attempt: asked!.count })
  return { said: '已向开票平台申请版式文件，稍后再下载' }
}

/** Drafts the red document of a blue invoice: its rest, with a minus, for people to submit and review. */
async function redDraft(tx: Tx, session: Session, blue: StoredInvoice): Promise<string> {
  const { document_kind: kind, document_id: document } = blue
  const number = blue.invoice_no ?? refuse('发票尚未开具，不能红冲')
  const [open] = await tx<{ sn: string }[]>`
    select d.sn from document d left join e_invoice e on e.org_id = d.org_id and e.document_id = d.id
      and e.state = 'issued'
     where d.org_id = ${session.org.id} and d.kind = ${kind} and d.role = 'own' and e.id is null
       and d.fields->>'blue_invoice_no' = ${number} and d.state not in ('cancelled', 'deleted', 'completed') limit 1`
  if (open) refuse(`该发票已有红字发票${open.sn}，请在该单据上办理`)
  const lines = await invoiceSourceOf(kind).redLines(tx, session.org.id, { document, number })
  if (lines.length === 0) refuse('该发票已全部红冲')
  const definition = definitionOf(kind)
  const [doc] = await tx<{ counterparty_id: string }[]>`
    select counterparty_id from document where org_id = ${session.org.id} and id = ${document}`
  const header = {
    counterparty_sn: doc!.counterparty_id,
    is_red: true,
    blue_invoice_no: number,
    invoice_type: blue.invoice_type,
    ...('issue_way' in definition.header ? { issue_way: 'provider' } : {}),
  }
  const draft = await buildDraft(tx, session, definition, header, [...lines])
  return saveDraft(tx, session, definition, draft, 'draft')
}

/**
 * 申请红字确认单: on a blue invoice, its red document is drafted first, so that two people of our organisation agree to it; on
 * the reviewed red one, the provider is asked for the confirmation.
 */
const redApply: ListActionHandler = async ({ tx, session, asked: { reason }, ids }) => {
  const org = session.org.id
  const row = await theOne(tx, session, ids)
  if (row.colour === 'blue') {
    if (row.state !== 'issued') refuse(row.state === 'reversed' ? '该发票已全部红冲' : '发票尚未开具，不能红冲')
    const sn = await redDraft(tx, session, row)
    return { said: `已生成红字发票${sn}，审核并申请开票后在此申请红字确认单`, made: { kind: row.document_kind, sn } }
  }
  if (row.state !== 'pending' && row.state !== 'failed') refuse('该红字发票已申请红字确认单')
  const [blue] = await tx<{ left: Decimal }[]>`
    select (taxed_amount - reversed_amount)::numeric(18,2) as left from e_invoice
     where org_id = ${org} and id = ${row.blue_id} for update`
  if (blue && compare(negate(row.taxed_amount), blue.left) > 0)
    refuse(`红冲金额${plain(negate(row.taxed_amount))}元大于蓝字发票剩余${plain(blue.left)}元`)
  await tx`
    update e_invoice set red_reason = ${String(reason)}, red_confirm_id = null, red_confirm_no = null,
      red_confirm_state = null where org_id = ${org} and id = ${row.id}`
  await send(tx, session, { ...row, red_confirm_state: null }, row.state === 'failed')
  return { said: '已申请红字确认单，结果稍后显示' }
}

/** 红冲: the second step, once no agreement is outstanding. */
const redReverse: ListActionHandler = async ({ tx, session, ids }) => {
  const row = await theOne(tx, session, ids)
  if (row.colour === 'blue') refuse('请选择红字发票；尚无红字发票的，请先申请红字确认单')
  if (row.state !== 'redConfirming' || row.red_confirm_state !== 'agreed')
    refuse(row.red_confirm_state === 'asked' ? '红字确认单待购方确认，不能红冲' : '请先申请红字确认单')
  await send(tx, session, row, false)
  return { said: '已提交红字发票开具，结果稍后显示' }
}

const quota = remoteAction<InvoiceQuota | null>({
  asks: async ({ tx, session }) => {
    const org = session.org.id
    const provider = await providerOf(tx, org, (await channelInUse(tx, org)).channel)
    return () => provider.quota()
  },
  writes: async answer => ({
    said:
      answer === null
        ? '该通道没有提供授信额度查询'
        : `授信额度${plain(answer.limit)}元，剩余${plain(answer.left)}元，已用${plain(subtract(answer.limit, answer.left, 2))}元`,
  }),
})

const typeNames: Readonly<Record<string, string>> = {
  e_special: '电子发票（增值税专用发票）',
  e_normal: '电子发票（普通发票）',
}

/** An issued invoice for printing: the lines as they were issued, and the original files that are stored. */
async function printedInvoice(tx: Tx, session: Session, row: RecordRow): Promise<RecordRow> {
  if (!row.invoice_no) refuse(`${String(row.document_sn)}尚未开具，没有版式，请先查询开票结果`)
  const lines = await linesOfInvoice(tx, session.org.id, String(row.e_invoice_sn))
  const kept = (['pdf', 'ofd', 'xml'] as const).filter(name => (row[name] as readonly string[] | null)?.length)
  const title = typeNames[String(row.invoice_type)] ?? '电子发票'
  return {
    ...row,
    sn: row.invoice_no,
    state: row.state === 'reversed' ? 'reversed' : 'reviewed',
    sheet_title: row.channel === 'standin' ? `${title}（模拟通道，无效）` : title,
    amount_in_words: chineseMoney(String(row.taxed_amount)),
    original_files: kept.length > 0 ? `${kept.join('、').toUpperCase()} 已保存` : '尚未下载',
    lines,
  }
}

export const eInvoiceRules: RecordRules = {
  kind: 'eInvoice',
  print: printedInvoice,
  readFlag: 'page:/commonView/bwInvoice',
  mayWrite(_session, action) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '电子发票由销项发票或服务费发票申请，不能新增、修改或删除')
  },
  calls: { issue, retry, deliver, download, redApply, redReverse },
  remoteCalls: { query, quota },
}

export const eInvoiceLineRules: RecordRules = {
  kind: 'eInvoiceLine',
  readFlag: 'page:/commonView/bwInvoice',
}
