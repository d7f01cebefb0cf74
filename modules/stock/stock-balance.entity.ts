import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { qualityStates } from '#kernel/posting.ts'

const columns = ['warehouse_model_inner_sn', 'location', 'product_code', 'product_name', 'specification_sn', 'manufacturer_name', 'lot_no', 'production_date', 'expiry_date', 'days_left', 'unit_name', 'quantity', 'reserved', 'available', 'owner_org_sn', 'quality_state', 'cost_price', 'value'] as const
const filters = ['warehouse_model_inner_sn', 'location', 'product_name', 'specification_name', 'manufacturer_name', 'lot_no', 'owner_org_sn', 'quality_state', 'expiry_state', 'expiry_date'] as const

/** 库存: what lies where at this moment, by lot, owner and quality state. Only papers change it. */
export const stockBalance = defineEntity({
  kind: 'stockBalance', title: '库存', table: 'stock_on_hand', key: 'balance_sn', scope: 'organisation', readOnly: true, display: 'lot_no',
  fields: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    location: f.text('货位'),
    product_sn: f.ref('产品', 'product', { shows: { product_code: 'code' } }),
    specification_sn: f.ref('规格型号', 'specification', { shows: { specification_code: 'code', unit_name: 'unit_name' } }),
    lot_no: f.text('批号'),
    production_date: f.day('生产日期'),
    expiry_date: f.day('有效期至'),
    owner_org_sn: f.ref('货主', 'organisation'),
    quality_state: f.pick('质量状态', qualityStates),
    quantity: f.quantity('库存数量'),
    reserved: f.quantity('占用数量'),
    department_inner_sn: f.ref('科室', 'department'),
    customer_sn: f.ref('所在机构', 'organisation'),
  },
  extras: {
    owner_name: f.text('货主'), manufacturer_name: f.text('生产厂家'), available: f.quantity('可用数量'), days_left: f.count('剩余效期(天)'),
    expiry_state: f.pick('效期状态', { normal: '正常', near: '近效期', expired: '已过期', none: '无有效期' }),
    cost_price: f.price('成本单价'), value: f.amount('库存金额'), warehouse_model: f.pick('仓库类型', { central: '中心库', ward: '科室二级库', cabinet: '智能柜', consigned: '寄售库', virtual: '虚拟库', stopSale: '停售库', leased: '租赁库', transit: '在途', consigned_out: '在外寄售' }),
  },
  parameters: { in_transit: f.pick('含在途', { 1: '是', 0: '否' }), consigned_out: f.pick('含在外寄售', { 1: '是', 0: '否' }) },
  search: ['product_name', 'specification_name', 'product_code', 'lot_no'],
  sort: 'specification_sn,expiry_date',
  screens: [
    {
      route: '/commonView/inventory', title: '库存查询', orgs: 'HDV', menu: '库存管理', purpose: '此刻各仓库里的库存：按批号、货主与质量状态', columns: [...columns], filters: [...filters],
    },
    {
      route: '/commonView/consumableCabinetManagement/equipmentInventory', title: '柜体库存', orgs: 'H', menu: '智能柜管理', purpose: '各智能柜里现在有什么', where: { warehouse_model: 'cabinet' },
      columns: ['department_inner_sn', ...columns.filter(name => name !== 'cost_price' && name !== 'value')], filters: ['department_inner_sn', ...filters],
    },
  ],
})
