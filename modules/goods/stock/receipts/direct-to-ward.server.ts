import type { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { loadDocument, patchDocument, type StoredLine, type TypedLine } from '#server/public/documents.ts'
import { type Decimal, isPositive, share, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createSystemDraft, definitionOf } from '#server/public/drafts.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { inNameOf } from '#server/public/session.ts'

type Context = ContextOf<typeof purchaseGrn>
type Line = TypedLine<typeof purchaseGrn>

type Ward = { readonly order_id: string; readonly ward_id: string; readonly department_id: string | null }

/** The wards to which the orders behind the lines send their goods, by order. */
async function wardsOf({ tx, session, doc }: ActionContext): Promise<Map<string, Ward>> {
  const ids = [...new Set(doc.lines.flatMap(line => orderOf(line) ?? []))]
  if (session.org.type !== 'H' || ids.length === 0) return new Map()
  const rows = await tx<Ward[]>`
    select d.id as order_id, w.id as ward_id, w.department_id from document d
      join warehouse w on w.org_id = d.org_id and w.id = (d.fields->>'direct_ward_inner_sn')::bigint
     where d.org_id = ${session.org.id} and d.id = any(${ids}::bigint[]) and d.kind = 'purchaseOrder'
       and d.role = 'own'`
  return new Map(rows.map(row => [row.order_id, row]))
}
const orderOf = (line: StoredLine): string | null => line.order_document_id ?? line.source_document_id

/** The part of a line that came into stock fit for use, in base units. */
function goodPart(line: Line): Decimal {
  const bad = (line.unqualified_quantity as Decimal | null | undefined) ?? '0'
  return isPositive(bad)
    ? subtract(line.base_quantity, share(line.base_quantity, bad, line.quantity, 3), 3)
    : line.base_quantity
}

/**
 * 直送科室: what was received for a ward is issued to it and received there in the same action; documents and trace are
 * as usual. Users who may receive goods may send them where the order says.
 */
export async function sendToWards(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const wards = await wardsOf(ctx)
  if (wards.size === 0) return
  const organisation = inNameOf(session)
  const lines = doc.lines.filter(line => wards.has(orderOf(line) ?? '') && isPositive(goodPart(line)))
  const grants: string[] = []
  for (const [ward, mine] of Map.groupBy(lines, line => wards.get(orderOf(line)!)!.ward_id)) {
    const { department_id } = wards.get(orderOf(mine[0]!)!)!
    const sn = await createSystemDraft(
      tx,
      organisation,
      'grantOdo',
      {
        warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
        to_warehouse_model_inner_sn: ward,
        department_inner_sn: department_id,
        business_date: doc.business_date,
        remark: `直送科室：采购入库单${doc.sn}`,
      },
      mine.map(line => ({
        specification_sn: line.specification_sn,
        unit_inner_sn: line.specification_sn,
        lot_no: line.lot_no,
        lot_id: line.lot_id,
        expiry_date: line.expiry_date,
        location: line.location,
        owner_org_sn: doc.regime === 'consigned' ? doc.counterparty_sn : session.org.id,
        quantity: goodPart(line),
        unit_codes: line.unit_codes,
      })),
    )
    grants.push(sn)
    const grant = await loadDocument(tx, session.org.id, definitionOf('grantOdo'), sn)
    await patchDocument(tx, session, grant, { is_direct: true }, 'withAction')
    await submitAndReview(tx, organisation, 'grantOdo', sn)
    const [receipt] = await tx<{ sn: string }[]>`
      select sn from document where org_id = ${session.org.id} and kind = 'wardReceipt' and role = 'own'
        and source_sn = ${sn} and state = 'submitted'`
    if (receipt) await submitAndReview(tx, organisation, 'wardReceipt', receipt.sn)
  }
  const said = { direct_grants: grants.join('、') }
  await patchDocument(tx, session, doc, said, 'withAction')
}

/** Goods already at the ward have to be taken back there first. */
export async function refuseSentToWard({ tx, session, doc, spec }: Context): Promise<void> {
  const sns = String(doc.direct_grants ?? '')
    .split('、')
    .filter(sn => sn !== '')
  if (sns.length === 0) return
  const standing = await tx<{ sn: string }[]>`
    select d.sn from document d left join line_progress g on g.org_id = d.org_id and g.document_id = d.id
      and g.line_no = 0 and g.purpose = 'return'
     where d.org_id = ${session.org.id} and d.kind = 'grantOdo' and d.role = 'own' and d.sn = any(${sns})
       and d.state in ('reviewed', 'partial', 'completed') and coalesce(g.taken, 0) < d.total_quantity`
  if (standing.length > 0)
    throw new BusinessError(
      'blocked',
      `货物已直送科室（发放出库单${standing.map(row => row.sn).join('、')}），不能${spec.label}，请先由科室退库`,
    )
}
