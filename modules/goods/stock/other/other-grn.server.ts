import { otherGrn } from '#modules/goods/stock/other/other-grn.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { loadLines, patchLinesOfMany, sumLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof otherGrn>

/** Kinds reserved to one type of organisation. */
const reserved: Readonly<Record<string, readonly [type: string, sentence: string]>> = {
  produce: ['V', '生产入库仅限生产厂家'],
  donation: ['H', '捐赠入库仅限医院'],
}

/** Only manufacturers produce goods, and only hospitals receive donations. */
async function refuseForeignKind({ session, doc }: Context): Promise<void> {
  const [type, sentence] = reserved[String(doc.grn_type)] ?? []
  if (type && type !== session.org.type)
    throw new BusinessError('rule', sentence, [{ field: 'grn_type', msg: sentence! }])
}

/** Goods that come in without a purchase need the same licences as bought ones. */
async function refuseExpiredCertificates(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, settings } = ctx
  // Our own goods come back whatever happened to their certificate.
  if (doc.source_type === sourceTypes.GIFT_BACK) return
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  const problems = doc.lines.flatMap(line => {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact?.certificate_valid_to || fact.certificate_valid_to >= shelfLifeDay(doc)) return []
    const msg = `第${line.line_no}行：【${fact.product_name}】注册证${fact.certificate_no}已过期，不能入库`
    return [{ field: 'specification_sn', line: line.line_no, msg }]
  })
  if (problems.length === 0) return
  if (settings.certificate_check !== 'warn') throw new BusinessError('expiredLicence', problems[0]!.msg, problems)
  ctx.warnings.push(...problems.map(({ line, msg }) => ({ rule: 'certificate', line, msg })))
}

/** Only the lots and pieces that left may come back. */
async function refuseUnknown({ tx, session, doc }: ActionContext): Promise<void> {
  if (doc.source_type !== sourceTypes.OTHER_ODO && doc.source_type !== sourceTypes.GIFT_BACK) return
  const ids = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  const out = await loadLines(tx, session.org.id, [...new Set(ids)])
  for (const line of doc.lines) {
    const from = out.get(line.source_document_id ?? '')?.find(candidate => candidate.line_no === line.source_line_no)
    const code = line.unit_codes.find(candidate => !from?.unit_codes.includes(candidate))
    const msg = !from
      ? `第${line.line_no}行：请引用原其他出库单明细`
      : (line.lot_no ?? '') !== (from.lot_no ?? '')
        ? `第${line.line_no}行：归还批号应为${from.lot_no ?? '无批号'}`
        : code
          ? `院内码${code}不在原其他出库单中`
          : null
    if (msg) throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'lot_no', msg }])
  }
}

/** A returned gift has the value it left with: its share of what the ledger took out then. */
async function withLeavingCost(tx: Tx, session: Session, sn: string): Promise<void> {
  const org = session.org.id
  const worth = await tx<{ id: string; line_no: number; price: Decimal | null; amount: Decimal }[]>`
    select l.document_id as id, l.line_no, k.amount, round(k.amount / nullif(l.quantity, 0), 4) as price
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     cross join lateral (
       select -sum(x.quantity) as quantity, -sum(x.value) as value from stock_move x
        where x.org_id = ${org} and x.document_id = l.delivery_document_id and x.line_no = l.delivery_line_no
          and x.step = 'ship' and x.quantity < 0) m
     cross join lateral (select round(m.value * l.base_quantity / m.quantity, 2) as amount) k
     where d.org_id = ${org} and d.sn = ${sn} and d.kind = 'otherGrn' and d.role = 'own'
       and d.source_type = ${sourceTypes.GIFT_BACK} and m.quantity > 0`
  const lines = worth.map(({ id, line_no, price, amount }) => {
    const untaxed = { tax_rate: 0, untaxed_amount: amount, tax_amount: '0', taxed_amount: amount }
    return { id, line_no, values: { price, ...untaxed } }
  })
  await patchLinesOfMany(tx, session, 'otherGrn', lines, 'withAction')
  await sumLines(tx, session, [...new Set(lines.map(({ id }) => id))], 'withAction')
}

export const otherGrnRules = documentHooks(otherGrn, {
  afterSave: withLeavingCost,
  validate: {
    submit: [refuseForeignKind, refuseUnknown, refuseExpiredCertificates],
    review: refuseExpiredCertificates,
  },
})
