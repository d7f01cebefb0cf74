/** The states of a shipment, as its sender and its customer read them. */
export const transportStates = {
  pending: '待发运',
  in_transit: '运输中',
  delivered: '已送达',
  signed: '已签收',
  partly_refused: '部分拒收',
  refused: '已拒收',
  abnormal: '异常',
  cancelled: '已作废',
} as const
export type TransportState = keyof typeof transportStates

export const carriage = { own: '自送', entrusted: '委托', express: '快递' } as const

/** The abnormalities of a shipment on its way. */
export const abnormalities = {
  temperature: '温度超标',
  damaged: '破损',
  lost: '丢失',
  late: '延误',
  other: '其他',
} as const
