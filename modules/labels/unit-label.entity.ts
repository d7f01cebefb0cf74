import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

/** Where a piece stands in its life. */
export const unitStates = {
  in_stock: '在库',
  in_transit: '在途',
  used: '已使用',
  returned: '已退回',
  issued: '已领出',
  scrapped: '已报废',
  lost: '已损失',
  gone: '已出链',
  void: '已撤销',
} as const

/** 院内码: the codes of single pieces that the organisation holds or has used. Labels are written by papers. */
export const unitLabel = defineEntity({
  kind: 'unitLabel',
  title: '标签',
  table: 'unit',
  key: 'unit_sn',
  scope: 'shared',
  readOnly: true,
  prints: [
    { route: '/newprint/BarCodePrint', label: '打印条码' },
    { route: '/newprint/QrcodePrint', label: '打印二维码' },
  ],
  display: 'status',
  fields: {
    specification_sn: f.ref('规格型号', 'specification', { shows: { specification_code: 'code', udi_di: 'udi_di' } }),
    status: f.pick('标签状态', unitStates),
    holder_org_sn: f.ref('持有机构', 'organisation'),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    owner_sn: f.ref('货主', 'organisation'),
  },
  extras: {
    code: f.text('标签编码'),
    codes: f.codes('全部编码'),
    parent_code: f.text('父级编码'),
    holder_name: f.text('持有机构'),
    product_name: f.text('产品名称'),
    lot_no: f.text('批号'),
    expiry_date: f.day('有效期至'),
  },
  sort: 'unit_sn',
  screens: [
    {
      route: '/commonView/labelManagement',
      title: '标签管理',
      orgs: 'HDV',
      menu: '条码标签',
      purpose: '单品码、包装码：在哪里、什么状态',
      columns: [
        'code',
        'product_name',
        'specification_sn',
        'udi_di',
        'lot_no',
        'expiry_date',
        'parent_code',
        'warehouse_model_inner_sn',
        'owner_sn',
        'status',
      ],
      filters: ['specification_sn', 'product_name', 'lot_no', 'warehouse_model_inner_sn', 'status'],
    },
  ],
})
