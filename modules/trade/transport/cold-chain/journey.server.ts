import { byName, type StoredDocument } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { boundsOfGoods, readRecorderFiles } from '#modules/trade/transport/cold-chain/temperature.server.ts'
import { boundsText, judged } from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** Files that a recorder may have written; a scan or a picture is for people to read. */
const RECORDED = /\.(csv|xlsx?)$/

/** The shipments that brought the arriving goods, with the temperatures of their recorders. */
const shipmentsBehind = ({ tx, session, doc }: ActionContext) => tx<
  { sn: string; temperature_range: string; abnormal_note: string | null; is_outside: boolean }[]
>`
  select distinct split_part(d.sn, '/', 1) as sn, d.fields->>'temperature_range' as temperature_range,
         d.fields->>'abnormal_note' as abnormal_note, d.fields->>'abnormal_type' = 'temperature' as is_outside
    from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
   where l.org_id = ${session.org.id} and d.kind = 'logistics' and d.role = 'counterparty' and d.state <> 'cancelled'
     and l.source_document_id = any(${doc.lines.flatMap(line => line.delivery_document_id ?? [])}::bigint[])
     and (d.fields ? 'temperature_range' or d.fields->>'abnormal_type' = 'temperature')
   order by sn`

/**
 * The number of the shipment, as the temperature record of an arrival that names none: the recorder's file came with
 * the shipment.
 */
export async function withShipmentRecord(ctx: ActionContext): Promise<string | null> {
  if (byName(ctx.doc).temperature_record_no) return null
  const known = (await shipmentsBehind(ctx)).filter(({ temperature_range }) => temperature_range !== null)
  return known.length === 0
    ? null
    : known
        .map(({ sn }) => sn)
        .join('、')
        .slice(0, 60)
}

/**
 * The reason that goods travelled too warm or too cold: by the recorder's files on the document itself, or by those of
 * the shipments that brought them. Null: nothing is known against them.
 */
export async function outsideOnTheWay(ctx: ActionContext, goods: StoredDocument['lines']): Promise<string | null> {
  const behind = (await shipmentsBehind(ctx)).find(({ is_outside }) => is_outside)
  if (behind) return `物流单${behind.sn}：${behind.abnormal_note ?? '在途温度超标'}`
  const files = ((byName(ctx.doc).temperature_record ?? []) as readonly string[]).filter(name => RECORDED.test(name))
  const bounds = files.length === 0 ? null : await boundsOfGoods(ctx.tx, goods)
  if (bounds === null) return null
  for (const read of await readRecorderFiles(ctx, files)) {
    if ('refused' in read)
      throw new BusinessError('rule', read.refused, [{ field: 'temperature_record', msg: read.refused }])
    const { outside, low, high } = judged(read.readings, bounds)
    if (outside.length > 0) return `记录仪超出${boundsText(bounds)}共${outside.length}次，最低${low}℃，最高${high}℃`
  }
  return null
}
