import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { wallDays } from '#modules/platform/walls/wall-days.ts'

/** The stations of the river, from the order to the payment. */
export const stations = {
  order: '采购订单',
  transit: '发货在途',
  arrival: '到货',
  inspection: '验收',
  receipt: '入库',
  requisition: '申领',
  grant: '发放',
  ward: '科室收货',
  use: '使用',
  settlement: '结算',
  payment: '开票付款',
} as const

/**
 * 环节: a row a document of a station: whether it was done in the period, whether it waits now, and the hours until it
 * was taken on by a document of the next station, for those that took it on within thirty days. A use, which takes
 * goods from the shelf and not from a receipt, follows none.
 */
export const stationFacts = defineReport({
  kind: 'wallStations',
  title: '环节流程图',
  sqlFile: 'platform/walls/process/stations.sql',
  parameters: { ...wallDays },
  columns: {
    place: f.count('顺序'),
    station: f.pick('环节', stations),
    waiting_kind: f.text('待处理单据'),
    waiting_states: f.text('待处理状态'),
    done: f.count('完成'),
    waiting: f.count('待处理'),
    hours: f.quantity('时长(小时)'),
  },
  screens: [],
})

const times = {
  parameters: { ...wallDays },
  columns: { day: f.day('日期'), hours: f.quantity('时长(小时)') },
  screens: [],
} as const

/** 订单到货周期: hours from the review of an order to that of each receipt of its goods, by the day of the receipt. */
export const orderTimes = defineReport({
  ...times,
  kind: 'wallOrderTimes',
  title: '订单到货周期',
  sqlFile: 'platform/walls/process/order-times.sql',
})

/** 申领响应时长: hours from the review of a requisition to that of the ward's receipt, by the day of the receipt. */
export const requisitionTimes = defineReport({
  ...times,
  kind: 'wallRequisitionTimes',
  title: '申领响应时长',
  sqlFile: 'platform/walls/process/requisition-times.sql',
})

const under = {
  document_kind: f.text('单据'),
  document_sn: f.text('单据编号'),
  from_name: f.text('发出'),
  to_name: f.text('去向'),
  quantity: f.quantity('件数'),
  hours: f.count('小时'),
} as const

/** 在途: deliveries of suppliers that were sent and not received as a whole, the oldest first. */
export const inTransit = defineReport({
  kind: 'wallInTransit',
  title: '在途',
  sqlFile: 'platform/walls/process/under-way.sql',
  parameters: {},
  fixed: { kinds: 'saleOdo', least_hours: '0' },
  columns: under,
  screens: [],
})

/** 链路断点: what was sent or granted and for more than 72 hours received by nobody, the oldest first. */
export const brokenChains = defineReport({
  kind: 'wallBrokenChains',
  title: '链路断点',
  sqlFile: 'platform/walls/process/under-way.sql',
  parameters: {},
  fixed: { kinds: 'saleOdo,grantOdo', least_hours: '72' },
  columns: under,
  screens: [],
})

/** 未收货发放单: what stores granted and for more than a day no ward received, the oldest first. */
export const unreceivedGrants = defineReport({
  kind: 'wallUnreceivedGrants',
  title: '未收货发放单',
  sqlFile: 'platform/walls/process/under-way.sql',
  parameters: {},
  fixed: { kinds: 'grantOdo', least_hours: '24' },
  columns: under,
  screens: [],
})
