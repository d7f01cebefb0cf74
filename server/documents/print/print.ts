import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { minuteOf } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { nameKeyOf } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { copiesOf } from '#kernel/print/print-copy.ts'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import { sheetOf, sheetsBesides } from '#kernel/registry.ts'
import { documentRulesOf, hooks } from '#server/registry/hooks.ts'
import { logOperation } from '#server/audit/operation-log.ts'
import { documentDetail } from '#server/documents/list/detail.ts'
import { firstPrint, keepFirstPrint, templatesFor, trialTemplate } from '#server/documents/print/templates.ts'
import { relatedNumbers } from '#server/documents/print/related-numbers.ts'
import { nameOn } from '#server/organisations/organisations.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Info = Readonly<Record<string, unknown>>
type Whose = { readonly role: 'own' | 'counterparty' | null; readonly from: string | null }

/**
 * The parameters of the page besides the document: the sheet, a copy of it, the template, its current version, or a
 * trial print.
 */
type Asked = {
  readonly copy?: unknown
  readonly sheet?: unknown
  readonly template?: unknown
  readonly newest?: unknown
  readonly trial?: unknown
}

/** The matching templates, best first, and the one used for the first print, which a reprint follows. */
async function templatesOf(tx: Tx, session: Session, sheet: string, document: string, info: Info, asked: Asked) {
  const tried = trialTemplate(asked)
  const first = tried !== null ? undefined : await firstPrint(tx, session, document, sheet)
  return {
    templates: await templatesFor(tx, session, sheet, info, tried),
    ...(first === undefined ? {} : { first_template: first }),
  }
}

/**
 * A document as printed: with the names of its date, contacts on both sides, and the matching templates, best first.
 */
export async function printData(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  whose: Whose,
  asked: Asked = {},
): Promise<Info> {
  const besides = sheetsBesides(definition.kind).find(each => each.route === asked.sheet)
  const sheet = besides ?? sheetOf(definition.kind)
  const info = await readForPrint(tx, session, definition, sn, whose, sheet !== undefined)
  const day = String(info.business_date)
  const document = await rowOf(tx, session, info)
  const { printFields, contractLayout } = hooks()
  const printed = await timesPrinted(tx, session, document)
  const doc: Info = {
    ...info,
    ...inWords(definition, info),
    ...(await namedIn(tx, session, definition, info)),
    title: info.red_of_sn ? `红冲${definition.title}` : definition.title,
    red: Boolean(info.red_of_sn),
    // Both organisations' names on the document's date.
    org_name: await nameOn(tx, String(info.org_sn), day),
    ...(info.counterparty_sn ? { counterparty_name: await nameOn(tx, String(info.counterparty_sn), day) } : {}),
    ...(await relatedNumbers(tx, session, document, (info.source_sn as string | null) ?? null)),
    ...(await printFields(tx, session, definition, info)),
    receiver_name: info.to_warehouse_name ?? info.department_name ?? null,
    ...((info.taxed_amount ?? null) !== null ? { amount_in_words: chineseMoney(String(info.taxed_amount)) } : {}),
    times_printed: printed,
    ...(sheet ? await templatesOf(tx, session, sheet.route, document, info, asked) : { templates: [] }),
    printed_at: new Date().toISOString(),
    printed_by: session.userName,
  }
  const { printFields: ownFields, printTotals } = documentRulesOf(definition.kind)
  const more = await ownFields?.(tx, session, doc, sheet?.route ?? null)
  const said = { ...doc, ...more }
  const totals = (part: Info, isPart: boolean) => printTotals?.(part, sheet?.route ?? null, isPart) ?? {}
  if (asked.copy !== undefined) return copiesFor(sheet, said, asked.copy, totals)
  const whole = { ...said, ...totals(said, false) }
  return besides?.contract
    ? contractLayout(tx, session, definition.kind, besides.contract, { whole, raw: info }, asked)
    : whole
}

/** The copies of a document for another reader. They hold nothing that they do not show. */
function copiesFor(
  sheet: PrintSheet | undefined,
  info: Info,
  name: unknown,
  totals: (part: Info, isPart: boolean) => Info,
): Info {
  const copy = sheet?.copies?.find(each => each.name === name)
  if (sheet === undefined || copy === undefined)
    throw new BusinessError('invalid', undefined, [{ field: 'copy', msg: '没有这一联，请重新选择联次' }])
  const copies = copiesOf(sheet, copy, info, part => totals(part, copy.per !== undefined))
  if (copies.length === 0)
    throw new BusinessError('rule', `${String(info.sn)}没有供应商的产品，不需要${copy.label}，请选择正式联`)
  return { sn: info.sn, times_printed: info.times_printed, copies }
}

/** The document, for users who may print it. When printing several, the refused one is named. */
async function readForPrint(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  whose: Whose,
  isPrinted: boolean,
): Promise<Info> {
  try {
    if (isPrinted) requirePermission(session, `${definition.kind}.print`)
    return await documentDetail(tx, session, definition, sn, whose)
  } catch (thrown) {
    const isHidden = thrown instanceof BusinessError && ['notFound', 'forbidden'].includes(thrown.reason)
    throw isHidden ? new BusinessError(thrown.reason, `单据${sn.slice(0, 64)}不存在或无权限`) : thrown
  }
}

/** Choices and timestamps in readable form. */
const inWords = (definition: AnyDocument, info: Info): Info =>
  Object.fromEntries(
    Object.entries(definition.header).flatMap(([name, field]) => {
      const moment = field.as === 'instant' && typeof info[name] === 'string' ? new Date(info[name]) : null
      const word =
        moment === null ? (field.as === 'pick' ? field.choices?.[String(info[name])] : undefined) : minuteOf(moment)
      return word === undefined ? [] : [[name, word]]
    }),
  )

/** Names for references in own fields: counters, receivers, the company or product under approval. */
async function namedIn(tx: Tx, session: Session, definition: AnyDocument, info: Info): Promise<Info> {
  const lists = {
    employee: (ids: string[]) =>
      tx`select id, name from employee where org_id = ${session.org.id} and id = any(${ids}::bigint[])`,
    organisation: (ids: string[]) => tx`select id, name from organisation where id = any(${ids}::bigint[])`,
    product: (ids: string[]) => tx`select id, name from product where id = any(${ids}::bigint[])`,
  }
  const named: Record<string, unknown> = {}
  for (const [target, read] of Object.entries(lists)) {
    const fields = Object.entries(definition.header).filter(
      ([name, field]) => field.target === target && info[name] && !info[nameKeyOf(name)],
    )
    if (fields.length === 0) continue
    const names = new Map((await read(fields.map(([name]) => String(info[name])))).map(row => [row.id, row.name]))
    for (const [name] of fields) named[nameKeyOf(name)] = names.get(String(info[name])) ?? null
  }
  return named
}

/** The row of a loaded document: two organisations may have used the same number. */
async function rowOf(tx: Tx, session: Session, { sn, org_sn: from }: Info): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and from_org_id = ${String(from)} and sn = ${String(sn)}`
  if (!row) throw new BusinessError('notFound', `单据${String(sn)}不存在或无权限`)
  return row.id
}

async function timesPrinted(tx: Tx, session: Session, id: string): Promise<number> {
  const [row] = await tx<{ times: number }[]>`
    select times from document_print where org_id = ${session.org.id} and document_id = ${id}`
  return row?.times ?? 0
}

/**
 * `printed`: it was sent to a printer; returns the print count. From the second print on the sheet says so, and uses
 * the template of the first, kept as it was; a `copy` for another reader has none.
 */
export async function countPrint(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  whose: Whose,
  notified: Info = {},
): Promise<{ times: number }> {
  requirePermission(session, `${definition.kind}.print`)
  const info = await documentDetail(tx, session, definition, sn, whose)
  const id = await rowOf(tx, session, info)
  const besides = sheetsBesides(definition.kind).find(each => each.route === notified.sheet)
  const { route: sheet, asksWhyAgain } = besides ?? sheetOf(definition.kind)!
  const reason = typeof notified.reason === 'string' ? notified.reason.trim().slice(0, 200) : ''
  if (asksWhyAgain && (await timesPrinted(tx, session, id)) > 0) {
    if (reason === '')
      throw new BusinessError('invalid', '请填写补打原因', [{ field: 'reason', msg: '请填写补打原因' }])
    await logOperation(tx, session, {
      subject: definition.kind,
      action: 'reprint',
      actionName: '补打',
      key: sn,
      after: { reason },
      summary: `补打：${reason}`,
    })
  }
  if (!notified.copy)
    await keepFirstPrint(tx, session, id, info, { sheet, template: notified.template, revision: notified.revision })
  const [row] = await tx<{ times: number }[]>`
    insert into document_print (org_id, document_id, times, last_by)
      values (${session.org.id}, ${id}, 1, ${session.userName})
    on conflict (org_id, document_id) do update set times = document_print.times + 1, last_by = excluded.last_by,
      last_at = now()
    returning times`
  return row!
}
