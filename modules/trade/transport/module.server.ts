import type { ModuleHooks } from '#server/public/hooks.ts'
import { customerSigns, notedByCustomer } from '#modules/trade/transport/logistics/customer-signs.server.ts'
import { logisticsRules } from '#modules/trade/transport/logistics/logistics.server.ts'
import { shipmentDetail } from '#modules/trade/transport/logistics/shipment-detail.server.ts'
import { askTracksOfAll } from '#modules/trade/transport/tracking/waybill-tracks.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const transportHooks: ModuleHooks = {
  documents: [
    { ...logisticsRules, onPartnerAction: { sign: (tx, session, doc) => notedByCustomer(tx, session, doc) } },
  ],
  effects: [customerSigns],
  detailFields: [shipmentDetail],
  jobs: [hourly('ask_waybill_tracks', '读取承运商轨迹', ({ owner }) => askTracksOfAll(owner))],
}
