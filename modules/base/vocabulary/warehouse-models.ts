/**
 * Kinds of warehouse. 在途 and 已消耗, which every organisation also has, are locations of the ledger and not warehouses.
 */
export const warehouseModels = {
  central: '中心库',
  ward: '科室二级库',
  cabinet: '智能柜',
  consigned: '寄售库',
  virtual: '虚拟库',
  stopSale: '停售库',
  leased: '租赁库',
  advance: '预销售库',
  loan: '跟台库',
} as const
