import { customerSigns, notedByCustomer } from '#modules/transport/logistics/customer-signs.server.ts'
import { logisticsRules } from '#modules/transport/logistics/logistics.server.ts'
import { shipmentDetail } from '#modules/transport/logistics/shipment-detail.server.ts'
import { askTracksOfAll } from '#modules/transport/tracking/waybill-tracks.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import { type BackgroundJob, hourly } from '#server/public/jobs.ts'

/** Documents of the room. */
export const transportRules: readonly DocumentHooks[] = [
  { ...logisticsRules, onPartnerAction: { sign: (tx, session, doc) => notedByCustomer(tx, session, doc) } },
]

/** A customer's arrival or receipt signs for the shipments that carried its goods. */
export const transportEffects = customerSigns

/** The data that the page of a shipment draws. */
export const transportDetail = shipmentDetail

export const transportJobs: readonly BackgroundJob[] = [
  hourly('ask_waybill_tracks', '读取承运商轨迹', ({ owner }) => askTracksOfAll(owner)),
]
