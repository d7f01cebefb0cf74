import {
  byName,
  patchDocument,
  replaceLines,
  type StoredLine,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { inspectionOrder } from '#modules/trade/purchasing/receiving/inspection-order.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { type Decimal, isCount, isPositive, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { disposeLines, refuseDisposed } from '#modules/trade/purchasing/receiving/disposal.server.ts'
import { noteLots } from '#modules/trade/purchasing/receiving/missing-certificates.server.ts'
import { createQualityLines } from '#modules/trade/purchasing/receiving/quality-lines.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { employeeOf } from '#server/public/organisations.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof inspectionOrder>
type InspectionOrder = TypedDocument<typeof inspectionOrder>
type Line = TypedLine<typeof inspectionOrder>

const factsOf = ({ tx, session, doc }: ActionContext) =>
  specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: doc.business_date },
  )

const refuse = (line: number, field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ line, field, msg }])
}

/** 收货员 of the arrival: the person named there; otherwise the user who submitted it. */
async function receiverOf({ tx, session, doc }: ActionContext): Promise<{ employee: string | null; user: string }> {
  const [row] = await tx<{ employee: string | null; user: string }[]>`
    select handler_id as employee, coalesce(submitted_by, created_by) as user from document
     where org_id = ${session.org.id} and id = ${doc.source_document_id}`
  return row ?? { employee: null, user: '0' }
}

/** The inspector, the user who entered the result and the receiver may not review it, whatever the settings are. */
async function refuseInvolved(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (session.userId === '0') return
  const employee = await employeeOf(tx, session)
  const isOne = (named: unknown): boolean => employee !== null && named === employee
  const entered = [doc.submitted_by, ...doc.former_authors].includes(session.userId)
  if (entered || isOne(doc.handler_inner_sn) || isOne(doc.second_inspector_inner_sn))
    throw new BusinessError('forbidden', '验收员不能复核本人验收单，请由他人复核')
  const receiver = await receiverOf(ctx)
  if (receiver.employee === null ? receiver.user === session.userId : isOne(receiver.employee))
    throw new BusinessError('forbidden', '收货员不能复核本人收货的验收单，请由他人复核')
}

/** Implants are inspected piece by piece. */
async function needsEveryPiece(ctx: ActionContext): Promise<void> {
  const facts = await factsOf(ctx)
  for (const line of ctx.doc.lines) {
    const fact = facts.get(line.specification_sn!)
    if (!fact?.is_implant || !fact.is_unit_coded || isCount(line.base_quantity, line.unit_codes.length)) continue
    refuse(
      line.line_no,
      'unit_codes',
      `植入类产品须逐件扫码验收，已扫${line.unit_codes.length}件，应扫${plain(line.base_quantity)}件`,
    )
  }
}

/**
 * Unless set otherwise, an inspection needs the sterilisation method of sterile goods, and the certificate of each lot:
 * on its line, on the document, or on file.
 */
async function needsLicences(ctx: Context): Promise<void> {
  const { tx, session, doc, settings } = ctx
  if (!settings.inspection_papers) return
  const facts = await factsOf(ctx)
  const shown = new Set(doc.lines.filter(line => ((line.lot_papers ?? []) as readonly string[]).length > 0).map(lotOf))
  const filed = await tx<{ specification_id: string; lot_no: string }[]>`
    select q.specification_id, q.lot_no from quality_certificate q
      join document_line l on l.specification_id = q.specification_id and l.lot_no = q.lot_no
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and q.certificate_type = 'conformity'
       and q.is_current and q.state <> 'refused'`
  for (const { specification_id, lot_no } of filed) shown.add(`${specification_id} ${lot_no}`)
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn!)
    if (!fact) continue
    if (fact.is_sterile && !line.sterilisation_lot_no && !line.sterilisation_date)
      refuse(
        line.line_no,
        'sterilisation_lot_no',
        `第${line.line_no}行：【${fact.product_name}】请填写灭菌批号或灭菌日期`,
      )
    if (fact.device_class !== 'I' && doc.attachments.length === 0 && !shown.has(lotOf(line)))
      refuse(line.line_no, 'lot_papers', `请上传批号${line.lot_no ?? ''}的合格证明文件`)
  }
}

const lotOf = (line: StoredLine): string => `${line.specification_sn ?? ''} ${line.lot_no ?? ''}`

/** 双人验收 of implants and cold-chain goods: a second person, who neither inspected nor received. */
async function needsSecond(ctx: Context): Promise<void> {
  const { doc, settings } = ctx
  if (!settings.double_inspection) return
  const facts = [...(await factsOf(ctx)).values()]
  if (!facts.some(fact => fact.is_implant || fact.is_cold_chain)) return
  if (!doc.second_inspector_inner_sn) throw new BusinessError('rule', '请填写第二验收员')
  const receiver = await receiverOf(ctx)
  if (receiver.employee !== null && receiver.employee === doc.second_inspector_inner_sn)
    throw new BusinessError('rule', '第二验收员与收货员不能为同一人')
}

const totalOf = (lines: readonly Line[], name: string): Decimal =>
  sum(
    lines.map(line => (byName(line)[name] as Decimal | null | undefined) ?? '0'),
    3,
  )

/** The overall conclusion of the lines, for the whole document. */
async function withConclusion({ tx, session, definition, doc }: Context): Promise<InspectionOrder> {
  const lines = doc.lines.map(line => ({
    ...line,
    qualified_quantity:
      (line.qualified_quantity as Decimal | null | undefined) ??
      (line.is_reinspected === true
        ? null
        : subtract(line.quantity, (line.unqualified_quantity as Decimal | null | undefined) ?? '0', 3)),
  })) as readonly Line[]
  const [good, bad] = [totalOf(lines, 'qualified_quantity'), totalOf(lines, 'unqualified_quantity')]
  const conclusion = !isPositive(bad) ? 'qualified' : isPositive(good) ? 'partly' : 'unqualified'
  const values = { conclusion, qualified_total: good, unqualified_total: bad }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, values, 'withAction')
  await createQualityLines(tx, session.org.id, doc.id)
  await noteLots(tx, session, doc.id)
  return { ...doc, ...values, lines } as InspectionOrder
}

/** Entries of an inspection are per lot: lots without their certificate are marked. */
async function noted(tx: Tx, session: Session, sn: string): Promise<void> {
  const [licence] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and kind = 'inspectionOrder' and role = 'own'
      and sn = ${sn}`
  if (licence) await noteLots(tx, session, licence.id)
}

/** 全部合格: every line is qualified, overwriting earlier entries. */
async function passAll({ tx, session, definition, doc }: ActionContext): Promise<void> {
  const lines = doc.lines.map(line => ({
    ...line,
    qualified_quantity: line.quantity,
    unqualified_quantity: '0.000',
    unqualified_reason: null,
    disposition: null,
  }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
}

/** 要求复检: the chosen lines go back; the first result is kept beside the next. */
async function createFirstResult({ tx, session, definition, doc }: Context): Promise<void> {
  const said = String(doc.reinspect_lines ?? '')
    .split(/[,，、 ]+/)
    .filter(no => no !== '')
    .map(parseInteger)
  const stray = said.find(no => !doc.lines.some(line => line.line_no === no))
  if (stray !== undefined)
    throw new BusinessError('invalid', `没有第${stray}行，请核对行号`, [
      { field: 'reinspect_lines', msg: `没有第${stray}行` },
    ])
  const meant = (line: Line) => said.length === 0 || said.includes(line.line_no)
  await replaceLines(
    tx,
    session.org.id,
    definition,
    doc.id,
    doc.lines.map(line =>
      meant(line)
        ? {
            ...line,
            is_reinspected: true,
            first_qualified: line.first_qualified ?? line.qualified_quantity,
            first_unqualified: line.first_unqualified ?? line.unqualified_quantity,
            first_reason: line.first_reason ?? line.unqualified_reason,
            qualified_quantity: null,
            unqualified_quantity: null,
            unqualified_reason: null,
            disposition: null,
          }
        : line,
    ),
  )
  await patchDocument(tx, session, doc, { reinspect_lines: null }, 'withAction')
}

export const inspectionOrderRules = documentHooks(inspectionOrder, {
  validate: {
    submit: async ctx => {
      if (!ctx.doc.handler_inner_sn) throw new BusinessError('rule', '请选择验收员')
      await needsEveryPiece(ctx)
      await needsLicences(ctx)
      await needsSecond(ctx)
    },
    review: atReviewOnly(refuseInvolved),
    reinspect: refuseInvolved,
    unreview: refuseDisposed,
    unrefuse: refuseDisposed,
    cancel: refuseDisposed,
  },
  prepare: { submit: withConclusion },
  afterSave: noted,
  afterAction: { passAll, reinspect: createFirstResult, dispose: disposeLines },
})
