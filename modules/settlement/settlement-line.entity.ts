import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

export const settlementLineStates = {
  waiting: '待结算', no_price: '无结算价', held: '暂缓', unchecked: '待核对', settling: '结算中', settled: '已结算', received: '已入库', invoiced: '已开票', paid: '已付款', netted: '已冲抵',
} as const

/** 结算记录: each use of consigned goods, from 待结算 to 已付款. Written by the posting of the use alone. */
export const settlementLine = defineEntity({
  kind: 'settlementLine', title: '结算记录', table: 'settlement_record', key: 'settlement_line_sn', scope: 'organisation', readOnly: true, display: 'source_no',
  fields: {
    state: f.pick('结算状态', settlementLineStates),
    owner_org_sn: f.ref('供应商', 'organisation'),
    department_inner_sn: f.ref('使用科室', 'department'),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    source_kind: f.text('来源单据'),
    source_no: f.text('来源单号'),
    product_sn: f.ref('产品', 'product'),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_no: f.text('批号'),
    unit_code: f.text('院内码'),
    quantity: f.quantity('数量'),
    price: f.price('结算单价(含税)'),
    tax_rate: f.taxRate('税率'),
    amount: f.amount('结算金额(含税)'),
    used_at: f.instant('使用时间'),
    settlement_no: f.text('结算单号'),
  },
  search: ['product_name', 'specification_name', 'lot_no', 'unit_code', 'source_no'],
  sort: '-used_at',
  screens: [{
    route: '/hospital/settlementRecord', title: '结算记录', orgs: 'H', menu: '结算管理', purpose: '待与供应商结算的每一次使用，跟踪到付款',
    columns: ['state', 'owner_org_sn', 'department_inner_sn', 'source_kind', 'source_no', 'product_sn', 'specification_sn', 'lot_no', 'unit_code', 'quantity', 'price', 'tax_rate', 'amount', 'used_at', 'settlement_no'],
    filters: ['state', 'owner_org_sn', 'department_inner_sn', 'warehouse_model_inner_sn', 'product_name', 'lot_no', 'unit_code', 'used_at', 'settlement_no'],
  }],
})
