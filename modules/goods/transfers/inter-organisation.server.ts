import { transferArrival } from '#modules/goods/transfers/transfer-arrival.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import type { TypedLine } from '#server/public/documents.ts'
import { instant } from '#kernel/values/date.ts'
import { compare, type Decimal, isPositive, multiply, plain, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { packUnits } from '#server/public/drafts.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'

type Context = ContextOf<typeof transferArrival>
type Line = TypedLine<typeof transferArrival>

/**
 * Goods are transferred at cost between hospitals, or between dealers, with a live relation; otherwise they are
 * sold.
 */
export async function refuseUnknownOrganisation({ tx, session, doc }: ActionContext): Promise<void> {
  const [organisation] = await tx<{ name: string; is_live: boolean }[]>`
    select o.name, exists (
             select 1 from org_relation r where r.org_id = ${session.org.id} and r.partner_id = o.id
               and r.relation in ('HH', 'DD') and r.status = 'enabled') as is_live
      from organisation o where o.id = ${doc.counterparty_sn}`
  if (organisation?.is_live) return
  const msg = `与【${organisation?.name ?? ''}】没有有效的医院之间或经销商之间的往来关系，不能调拨；跨机构有价调拨请使用销售出库`
  throw new BusinessError('rule', msg, [{ field: 'counterparty_sn', msg }])
}

const refusedOf = (line: Line): Decimal => (line.refused_quantity as Decimal | null | undefined) ?? '0'

/** The sent lines: the quantity neither received nor refused yet, and the pieces. */
const sentLines = ({ tx, session, doc }: ActionContext) =>
  tx<{ document_id: string; line_no: number; left: Decimal; unit_codes: string[] }[]>`
    select l.document_id, l.line_no, l.unit_codes, (l.base_quantity - coalesce(sum(g.taken), 0))::numeric(18,3) as left
      from document_line l
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
        and g.purpose in ('receive', 'refuse')
     where l.org_id = ${session.org.id}
       and l.document_id = any(${[...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]}::bigint[])
     group by l.document_id, l.line_no, l.unit_codes, l.base_quantity`

/**
 * Received and refused quantity together must not exceed what is still expected, and pieces must be those that were
 * sent.
 */
async function refuseMore(ctx: Context): Promise<void> {
  const { tx, doc } = ctx
  const sent = await sentLines(ctx)
  const packs = await packUnits(
    tx,
    doc.lines.flatMap(line => (line.unit_inner_sn ? [line.unit_inner_sn] : [])),
  )
  for (const line of doc.lines) {
    const from = sent.find(row => row.document_id === line.source_document_id && row.line_no === line.source_line_no)
    if (!from) continue
    const refuse = (field: string, text: string) => {
      const msg = `第${line.line_no}行【${line.product_name ?? ''}】${text}`
      throw new BusinessError('rule', msg, [{ line: line.line_no, field, msg }])
    }
    const measure = packs.get(line.unit_inner_sn ?? '')?.base_measure ?? 1
    const whole = sum([line.base_quantity, multiply(refusedOf(line), String(measure), 3)], 3)
    if (compare(whole, from.left) > 0) refuse('refused_quantity', `实收与拒收合计不能大于待收数量${plain(from.left)}`)
    const outsider = line.unit_codes.find(code => !from.unit_codes.includes(code))
    if (outsider) refuse('unit_codes', `院内码${outsider}不在本调拨单中`)
    if (from.unit_codes.length > 0 && isPositive(line.base_quantity) && line.unit_codes.length === 0)
      refuse('unit_codes', '请扫描实际收到的院内码')
  }
}

/**
 * Goods of a third party may only be held by an organisation that trades with it: otherwise their use could not be
 * settled.
 */
async function refuseUnknownOwners({ tx, session, doc }: ActionContext): Promise<void> {
  const owners = doc.lines.flatMap(line =>
    isPositive(line.base_quantity) && line.owner_org_sn && line.owner_org_sn !== session.org.id
      ? [line.owner_org_sn]
      : [],
  )
  if (owners.length === 0) return
  const [outsider] = await tx<{ name: string }[]>`
    select o.name from organisation o
     where o.id = any(${owners}::bigint[])
       and not exists (select 1 from org_relation r where r.org_id = ${session.org.id} and r.partner_id = o.id
         and r.status = 'enabled') limit 1`
  if (outsider)
    throw new BusinessError(
      'rule',
      `寄售货物的货主【${outsider.name}】不是本机构的供应商，请拒收，或先与其建立往来关系`,
    )
}

/** The sender sees who received the goods, when, and why anything is missing. */
async function notifySender({ tx, session, doc }: Context): Promise<void> {
  const notes = doc.lines.flatMap(line => {
    const said = [
      line.difference_reason,
      isPositive(refusedOf(line)) ? `拒收${plain(refusedOf(line))}：${String(line.refuse_reason)}` : null,
    ]
    const text = said.filter(Boolean).join('，')
    return text ? [`第${line.source_line_no}行${text}`] : []
  })
  await enqueueMessage(tx, session, doc.counterparty_sn!, doc.id, {
    message: 'act',
    kind: 'transfer',
    sn: doc.source_sn!,
    action: 'receive',
    label: '调入机构已收货',
    reason: notes.length > 0 ? notes.join('；') : null,
    actor: session.userName,
    sets: { received_by: session.userName, received_at: instant() },
  })
}

/** The sender ended the remainder: received goods are sent back by a new transfer, not by undoing the receipt. */
async function refuseEnded({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const [ended] = await tx<{ sn: string }[]>`
    select sn from document
      where org_id = ${session.org.id}
      and id = any(${doc.lines.flatMap(line => line.source_document_id ?? [])}::bigint[]) and role = 'counterparty'
      and state = 'stopped' limit 1`
  if (ended)
    throw new BusinessError(
      'blocked',
      `对方已终止调拨单${ended.sn}余下的货物，不能${spec.label}；要退回货物请新增机构调拨`,
    )
}

export const transferArrivalRules = documentHooks(transferArrival, {
  validate: {
    submit: [refuseMore, refuseUnknownOwners],
    review: [refuseMore, refuseUnknownOwners],
    unreview: refuseEnded,
    redReverse: refuseEnded,
  },
  afterAction: { review: notifySender },
})
