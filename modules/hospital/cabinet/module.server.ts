import type { ModuleHooks } from '#server/public/hooks.ts'
import { watchCabinets } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { workLeftBehind } from '#modules/hospital/cabinet/device/device-events.server.ts'
import { cabinetDeviceHandler } from '#modules/hospital/cabinet/device/device-handler.server.ts'
import {
  cabinetSlotRules,
  cupboardRules,
  doorPermissionRules,
} from '#modules/hospital/cabinet/equipment/cabinet-door.server.ts'
import { cabinetRules } from '#modules/hospital/cabinet/equipment/cabinet.server.ts'
import { addCabinetPermissions } from '#modules/hospital/cabinet/equipment/door-permission-routes.server.ts'
import { cabinetStockRules } from '#modules/hospital/cabinet/replenishment/cabinet-stock.server.ts'
import { lowValueSlotRules } from '#modules/hospital/cabinet/replenishment/low-value-slot.server.ts'
import { cabinetComparisonRules } from '#modules/hospital/cabinet/stock-check/cabinet-comparison.server.ts'
import { cabinetTransactionRules } from '#modules/hospital/cabinet/transactions/cabinet-transaction.server.ts'
import { shareCabinets } from '#modules/hospital/cabinet/transactions/owner-sync.server.ts'
import { weighingPlateRules, weighingRules } from '#modules/hospital/cabinet/weighing/weighing.server.ts'
import { frequent } from '#server/public/jobs.ts'

export const cabinetHooks: ModuleHooks = {
  documents: [weighingRules],
  records: [
    weighingPlateRules,
    cabinetRules,
    cupboardRules,
    cabinetSlotRules,
    doorPermissionRules,
    cabinetTransactionRules,
    cabinetComparisonRules,
    cabinetStockRules,
    lowValueSlotRules,
  ],
  jobs: [
    frequent('process_device_events', '智能柜消息补处理', ({ app, owner }) => workLeftBehind(app, owner)),
    frequent('watch_cabinets', '智能柜巡检', ({ app, owner }) => watchCabinets(app, owner)),
    frequent('share_cabinets', '智能柜数据同步货主', ({ app, owner }) => shareCabinets(app, owner)),
  ],
  routes: [addCabinetPermissions],
  deviceHandler: cabinetDeviceHandler,
}
