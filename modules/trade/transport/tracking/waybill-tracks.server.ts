import { byName, loadDocuments, patchDocument } from '#server/public/documents.ts'
import type { logistics } from '#modules/trade/transport/logistics/logistics.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import type { Sql } from 'postgres'
import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { eventsOf, updateCustomer, withEvents } from '#modules/trade/transport/logistics/tracking-events.server.ts'
import { runAction } from '#server/public/actions.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { askOutbound, type Carrier, carrierOf, type WaybillClient, type WaybillTrack } from '#server/public/outbound.ts'

type Context = ContextOf<typeof logistics>

const SYSTEM = 'waybill'
/** The most shipments queried in one round; the others are queried next time. */
const MOST_ASKED = 200

type Asked = { readonly document: string; readonly carrier: string; readonly waybill_no: string }

/** Refuses if no carrier is connected: people enter the tracking by hand then. */
export function needsTracking(): void {
  if (!carrierOf(SYSTEM)) throw new BusinessError('rule', '承运商轨迹接口未接通，请登记轨迹，或联系管理员配置')
}

async function ask(tx: Tx, org: string, sn: string, asked: Asked): Promise<void> {
  await askOutbound(tx, org, {
    system: SYSTEM,
    name: 'WaybillTracks',
    subject: '物流轨迹',
    objectNo: sn,
    payload: asked,
    request: JSON.stringify({ carrier: asked.carrier, waybill_no: asked.waybill_no }),
  })
}

/** 查询轨迹: queries the carrier once the action is committed; the answer is written when it comes. */
export async function askTracks({ tx, session, doc }: Context): Promise<void> {
  const asked = { document: doc.id, carrier: String(doc.carrier), waybill_no: String(doc.waybill_no) }
  await ask(tx, session.org.id, doc.sn, asked)
}

/** Every hour, where a carrier is connected: all that is on its way under a number. */
export async function askTracksOfAll(owner: Sql): Promise<void> {
  if (!carrierOf(SYSTEM)) return
  const open = await owner<(Asked & { org_id: string; sn: string })[]>`
    select d.org_id, d.sn, d.id as document, d.fields->>'carrier' as carrier, d.fields->>'waybill_no' as waybill_no
      from document d
     where d.kind = 'logistics' and d.role = 'own' and d.state in ('reviewed', 'partial') and d.fields ? 'waybill_no'
       and d.fields ? 'carrier'
       and not exists (
         select 1 from outbound_call c
          where c.org_id = d.org_id and c.system = ${SYSTEM} and c.object_no = d.sn
            and c.state in ('pending', 'retrying'))
     order by d.id limit ${MOST_ASKED}`
  for (const { org_id: org, sn, ...asked } of open) await inOrganisation(owner, org, '0', tx => ask(tx, org, sn, asked))
}

/** The events of the carrier are those of the shipment; once it was handed over it has arrived. */
async function write(tx: Tx, org: string, document: string, track: WaybillTrack): Promise<void> {
  const [doc] = await loadDocuments(tx, org, [document])
  if (!doc || !['reviewed', 'partial'].includes(doc.state)) return
  const session = { ...(await systemSessionOf(tx, org)), userName: String(byName(doc).carrier) }
  const events = track.events.map(event => ({ ...event, by: session.userName }))
  const tracking = withEvents(eventsOf(doc), events)
  if (tracking.length !== eventsOf(doc).length) {
    await patchDocument(tx, session, doc, { tracking }, 'version')
    await updateCustomer(tx, session, doc, { label: '物流轨迹更新', text: null }, { tracking })
  }
  const last =
    events
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? instant()
  const left = String(byName(doc).departed_at ?? last)
  if (track.is_delivered && doc.state === 'reviewed')
    await runAction(tx, session, 'logistics', doc.sn, 'arrive', { arrived_at: last < left ? left : last })
}

/** Queries a carrier and writes its answer; a repeated query writes the same. */
export const waybillCarrier =
  (client: WaybillClient): Carrier =>
  async (payload, key, org) => {
    const { document, ...waybill } = payload as Asked
    const track = await client(waybill, key)
    if (track === null) throw new Error(`承运商没有运单号${waybill.waybill_no}的记录，请核对承运单位和运单号`)
    return {
      text: `收到${track.events.length}条轨迹${track.is_delivered ? '，已送达' : ''}`,
      afterwards: tx => write(tx, org, document, track),
    }
  }
