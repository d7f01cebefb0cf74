import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'

/**
 * 库存综合检索: stock of any owner in the organisation, and own goods elsewhere: in transit and at customers on consignment.
 * An owner sees only its own goods in a customer's stock, without departments.
 */
export const stockLocator = defineEntity({
  kind: 'stockLocator',
  title: '库存分布',
  table: 'stock_everywhere',
  key: 'place_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'lot_no',
  fields: {
    keeper_org_sn: f.ref('存放机构', 'organisation'),
    place_kind: f.pick('存放类型', {
      own: '自有库',
      ward: '科室二级库',
      cabinet: '智能柜',
      consigned: '寄售库',
      consigned_out: '在外寄售',
      transit: '在途',
      leased: '租赁库',
      stopSale: '停售库',
      advance: '预销售库',
    }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    department_inner_sn: f.ref('科室', 'department'),
    product_sn: f.ref('产品', 'product', { shows: { product_code: 'code' } }),
    specification_sn: f.ref('规格型号', 'specification', {
      shows: { unit_name: 'unit_name', udi_di: 'udi_di' },
    }),
    lot_no: f.lot('批号'),
    expiry_date: f.day('有效期至'),
    owner_org_sn: f.ref('货主', 'organisation'),
    quality_state: f.pick('质量状态', qualityStates),
    quantity: f.quantity('数量'),
  },
  extras: {
    manufacturer_name: f.text('生产厂家'),
    days_left: f.count('剩余效期(天)'),
    pieces: f.count('院内码数'),
    days_here: f.count('在库天数'),
    last_sn: f.text('最近单据'),
    last_at: f.instant('最近动态时间'),
  },
  calls: { remind: { label: '催用提醒', asks: {}, rows: true } },
  search: ['product_name', 'specification_name', 'product_code', 'lot_no'],
  sort: 'specification_sn,expiry_date',
  screens: [
    {
      route: '/commonView/inventorySearch',
      title: '库存综合检索',
      orgs: 'HDV',
      menu: '库存管理',
      purpose: '本机构货物的位置：各仓库、在途、寄售在外；可按名称、批号或条码查询',
      columns: [
        'keeper_org_sn',
        'place_kind',
        'warehouse_model_inner_sn',
        'product_code',
        'product_sn',
        'specification_sn',
        'manufacturer_name',
        'lot_no',
        'expiry_date',
        'days_left',
        'unit_name',
        'quantity',
        'pieces',
        'owner_org_sn',
        'quality_state',
        'days_here',
        'last_sn',
        'last_at',
      ],
      keyColumns: ['keeper_org_sn', 'product_sn', 'specification_sn', 'lot_no', 'expiry_date', 'quantity', 'unit_name'],
      filters: [
        'q',
        'product_name',
        'specification_name',
        'lot_no',
        'keeper_org_sn',
        'place_kind',
        'owner_org_sn',
        'expiry_date',
        'quality_state',
      ],
    },
  ],
})
