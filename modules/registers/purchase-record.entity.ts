import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { countedOnTheDay, goodsOfTheDay, partnerOfTheDay } from '#modules/registers/goods-of-the-day.ts'

/**
 * 采购记录: the purchase register of a dealer or manufacturer; a row comes from the review of each ordered line, and
 * from nothing else.
 */
export const purchaseRecord = defineEntity({
  kind: 'purchaseRecord',
  title: '采购记录',
  table: 'purchase_record',
  key: 'purchase_record_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'record_no',
  fields: {
    record_no: f.text('记录编号', { readOnly: true, width: 150 }),
    state: f.pick(
      '状态',
      { open: '未到货', partial: '部分到货', done: '已到货', stopped: '已终止', void: '已作废' },
      { readOnly: true },
    ),
    business_date: f.day('购货日期', { readOnly: true }),
    order_sn: f.text('采购订单号', { readOnly: true, width: 150 }),
    handler_name: f.text('采购员', { readOnly: true, width: 90 }),
    ...partnerOfTheDay('供货者'),
    ...goodsOfTheDay,
    ...countedOnTheDay,
    arrived_quantity: f.quantity('已到货数量', { readOnly: true }),
  },
  search: ['product_name', 'specification_name', 'registration_no', 'order_sn', 'record_no'],
  sort: '-business_date',
  sums: ['quantity', 'amount', 'arrived_quantity'],
  calls: { toArrival: { label: '生成到货单', asks: {}, rows: true, tone: 'primary' } },
  screens: [
    {
      route: '/commonView/purchaseRecord',
      title: '采购记录',
      orgs: 'DV',
      menu: '采购管理',
      purpose: '订单审核时由系统写入的购货登记，名称与证照以当日为准，仅供查询',
      columns: [
        'record_no',
        'state',
        'business_date',
        'partner_name',
        'partner_licence_no',
        'product_name',
        'specification_name',
        'registration_no',
        'registrant',
        'contract_maker',
        'unit_name',
        'quantity',
        'price',
        'amount',
        'arrived_quantity',
        'order_sn',
        'handler_name',
      ],
      filters: [
        'record_no',
        'order_sn',
        'partner_sn',
        'business_date',
        'product_name',
        'specification_name',
        'registration_no',
        'manufacturer_name',
        'device_class',
        'state',
      ],
    },
  ],
})
