import { byName, loadDocuments, patchDocument, patchLines, type StoredDocument } from '#server/public/documents.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { codesOf } from '#modules/trade/lease/notices/coded-goods.server.ts'
import { type OpenRow, splitBySource } from '#modules/trade/lease/notices/split-by-source.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A line written in packs, converted to pieces: `l` is the line. */
export const inPacks = (tx: Tx) => tx`
  case when l.unit_id is not null and l.base_quantity <> 0 then json_build_object(
    'specification_sn', l.specification_id::text, 'price', round(l.taxed_amount / l.base_quantity, 4)::text)
  end as in_packs`

/** Lines of the tenant's deliveries over a notice, less the quantities that returns took already. */
const deliveredLines = (tx: Tx, org: string, sns: readonly string[]) => tx<OpenRow[]>`
  select d.sn, l.line_no, l.lot_id, (l.base_quantity - coalesce((select sum(x.base_quantity) from document_line x
           join document r on r.org_id = x.org_id and r.id = x.document_id and r.kind = 'saleReturn' and r.role = 'own'
            and r.state not in ('cancelled', 'deleted')
          where x.org_id = l.org_id and x.source_document_id = l.document_id
            and x.source_line_no = l.line_no), 0))::numeric(18,3)::text as left, l.unit_codes, ${inPacks(tx)}
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
   where d.org_id = ${org} and d.kind = 'saleOdo' and d.role = 'own' and d.sn = any(${sns as string[]})
     and d.state in ('reviewed', 'partial', 'completed')
   order by d.id, l.line_no`

/**
 * At the tenant: goods of the lessor's shipment that the customer refused are proposed as a 销售退回 of the delivery that
 * the notice became, lot by lot, coded ones by their codes.
 */
export async function noteRefused(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const [now] = await loadDocuments(tx, session.org.id, [doc.id])
  const refused = now!.lines.filter(line => isPositive((byName(line).refused_now as Decimal | null | undefined) ?? '0'))
  const sns = String(byName(now!).delivery_sn ?? '')
    .split('、')
    .filter(Boolean)
  const asked = refused.map(line => ({
    lot_id: line.lot_id,
    quantity: byName(line).refused_now as Decimal,
    codes: codesOf(line, 'refused_codes_now'),
  }))
  const parts = splitBySource(asked, await deliveredLines(tx, session.org.id, sns))
  const made: string[] = []
  for (const [source_sn, lines] of parts)
    made.push(
      await createSystemDraft(
        tx,
        session,
        'saleReturn',
        {
          source_type: sourceTypes.ODO,
          source_sn,
          return_type: 'refused',
          return_reason: byName(now!).refuse_note ?? null,
        },
        lines,
      ),
    )
  const cleared = refused.map(({ line_no }) => ({ line_no, values: { refused_now: null, refused_codes_now: null } }))
  await patchLines(tx, session, now!, cleared, 'derived')
  if (byName(now!).notice_type === 'purchase_return' && refused.length > 0)
    await sendMessage(tx, session.org.id, {
      title: '供应商拒收退回的货物',
      body:
        `出库通知${now!.sn}退回的货物被拒收（${String(byName(now!).refuse_note ?? '')}），` +
        `请与供应商核对采购退货单${String(byName(now!).purchase_return_sns ?? '')}的收货与拒收`,
      uri: 'purchaseReturn',
      objectId: String(byName(now!).purchase_return_sns ?? now!.sn).split('、')[0]!,
      kind: 'purchaseReturn',
    })
  if (made.length === 0) return
  const all = [byName(now!).return_sns, ...made].filter(Boolean).join('、').slice(0, 200)
  await patchDocument(tx, session, now!, { return_sns: all }, 'derived')
  await sendMessage(tx, session.org.id, {
    title: '收货单位拒收，已生成销售退回单',
    body: `出库通知${now!.sn}的货物被拒收（${String(byName(now!).refuse_note ?? '')}），请核对销售退回单${made.join('、')}`,
    uri: 'saleReturn',
    objectId: made[0]!,
    kind: 'saleReturn',
  })
}
