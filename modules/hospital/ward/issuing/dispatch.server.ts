import { dispatch } from '#modules/hospital/ward/issuing/dispatch.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { pickOrder } from '#modules/hospital/ward/issuing/pick-route.server.ts'
import { checkDelivery, takeOverDue } from '#modules/hospital/ward/requisition/requisition-deadline.server.ts'
import { noLaterLot } from '#modules/hospital/ward/issuing/lot-substitution.server.ts'
import { wave } from '#modules/hospital/ward/issuing/wave.server.ts'
import { bindSignature } from '#modules/hospital/signatures/signature.server.ts'
import { patchDocument } from '#server/public/documents.ts'
import { serialsByCode } from '#server/public/stock.ts'

type Context = ContextOf<typeof dispatch>

/** One picking list serves one department from one warehouse. */
async function oneDepartment({ tx, session, doc }: ActionContext): Promise<void> {
  const sources = [...new Set(doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : [])))]
  const [found] = await tx<{ departments: number; stores: number }[]>`
    select count(distinct department_id)::int as departments, count(distinct warehouse_id)::int as stores from document
     where org_id = ${session.org.id} and id = any(${sources}::bigint[])`
  if (found!.departments > 1) throw new BusinessError('rule', '一张配送单只能配送一个科室，请按科室分别生成')
  if (found!.stores > 1) throw new BusinessError('rule', '一张配送单只能由一个仓库供货，请按供货仓库分别生成')
}

/** Pieces of another lot than allocated may be picked only if they do not expire later. */
async function refuseLater({ tx, session, doc }: ActionContext): Promise<void> {
  const known = await serialsByCode(
    tx,
    session.org.id,
    doc.lines.flatMap(line => line.unit_codes),
  )
  const strays = doc.lines.flatMap(line =>
    line.unit_codes.flatMap(code => {
      const unit = known.get(code)
      return unit && unit.lot_id !== line.lot_id ? [{ line, code, lot: unit.lot_id }] : []
    }),
  )
  if (strays.length === 0) return
  const dates = await tx<{ lot_id: string; expiry_date: string | null }[]>`
    select lot_id, expiry_date from stock_lot
      where org_id = ${session.org.id} and lot_id = any(${strays.map(stray => stray.lot)}::bigint[])`
  for (const { line, code, lot } of strays) {
    const expiry = dates.find(row => row.lot_id === lot)?.expiry_date ?? '9999'
    if (expiry <= (line.expiry_date ?? '9999')) continue
    const msg = `第${line.line_no}行：院内码${code}效期较远，请优先拣选近效期批次${line.lot_no ?? ''}`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
}

/** 登记送达, with the signature of who took it where one was given. */
async function delivered(ctx: Context): Promise<void> {
  await checkDelivery(ctx)
  const { tx, session, doc } = ctx
  if (!doc.signature_sn) return
  const { name } = await bindSignature(ctx, { role: 'receiver', name: doc.delivered_to as string | null })
  if (!doc.delivered_to) await patchDocument(tx, session, doc, { delivered_to: name }, 'withAction')
}

export const dispatchRules = documentHooks(dispatch, {
  calls: { wave },
  validate: { submit: oneDepartment, review: atReviewOnly(refuseLater) },
  afterAction: { swapLot: noLaterLot, submit: takeOverDue, deliver: delivered },
  printFields: pickOrder,
})
