import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

const counts = ['sent_quantity', 'used_quantity', 'returned_quantity', 'lost_quantity', 'open_quantity'] as const

/**
 * 套包用量对比: what went out in numbered kits, and what of it was used, came back, was lost or is still out, kit by
 * kit and line by line beside the kit's list. A piece counts for the kit that it came out of: the same specification
 * in two kits is two rows. 每台平均 = used / operations that the kit went to; 偏差 = 每台平均 / 标准数量 - 1.
 */
export const kitUse = defineReport({
  kind: 'kitUse',
  wholeOnly: 'a kit that a supplier lent lies in no store of ours',
  title: '套包用量对比',
  beside: {
    specification_sn: f.text('规格'),
    row_key: f.text('行'),
  },
  sqlFile: 'hospital/surgery/kits/kit-use.sql',
  parameters: {
    begin_date: f.day('开始日期', { required: true }),
    end_date: f.day('结束日期', { required: true }),
    kit_code: f.text('套包编号', { max: 40 }),
    by: f.pick('汇总方式', { kit: '编号套包', list: '套包模板' }, { default: 'kit', orgs: 'DV' }),
    specification_sn: f.ref('规格型号', 'specification'),
    partner_sn: f.ref('医院/供应商', 'organisation', { optionsFilter: { relation: 'partner' } }),
  },
  validate: ({ begin_date, end_date }) => (String(begin_date) > String(end_date) ? '开始日期不能大于结束日期' : null),
  columns: {
    kit_code: f.text('套包', { width: 140 }),
    kit_name: f.text('套包名称', { orgs: 'DV', width: 160 }),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    unit_name: f.text('单位'),
    par_quantity: f.quantity('标准数量', { orgs: 'DV' }),
    operations: f.count('手术台数'),
    sent_quantity: f.quantity('送出数量'),
    used_quantity: f.quantity('使用数量'),
    returned_quantity: f.quantity('退回数量'),
    lost_quantity: f.quantity('丢失损坏数量'),
    open_quantity: f.quantity('未清数量'),
    average_used: f.quantity('每台平均使用'),
    usage_rate: f.rate('使用率'),
    deviation: f.rate('与标准偏差', { orgs: 'DV' }),
  },
  screens: [
    {
      route: '/commonView/operationPath',
      tab: '套包用量对比',
      title: '手术路径',
      orgs: 'HDV',
      menu: '骨科手术管理',
      purpose: '按套包逐行对比标准、送出、使用、退回与丢失数量，用于调整套包清单',
      columns: [
        'kit_code',
        'kit_name',
        'product_name',
        'specification_name',
        'unit_name',
        'par_quantity',
        'operations',
        ...counts,
        'average_used',
        'usage_rate',
        'deviation',
      ],
      filters: [],
    },
  ],
})
