import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, unit } from '#modules/platform/reports/item-columns.ts'

/** 未编码产品: catalogue specifications without a confirmed code, those in stock first. */
export const insuranceGaps = defineReport({
  kind: 'insuranceGaps',
  title: '未编码产品',
  beside: {
    specification_sn: f.text('规格'),
  },
  sqlFile: 'platform/reports/insurance-gaps.sql',
  parameters: {
    product: f.text('产品名称/编码'),
    manufacturer: f.text('品牌/厂家'),
    in_stock: f.flag('只看有库存'),
  },
  columns: {
    ...goods,
    registration_no: f.text('注册证号'),
    ...unit,
    quantity: f.quantity('库存数量'),
    candidates: f.count('候选编码'),
  },
  drillDown: { candidates: { to: 'insuranceCode', with: { certificate_no: 'registration_no' } } },
  screens: [
    {
      route: '/commonView/countryHealth',
      tab: '未编码产品',
      title: '国家医保编码管理',
      orgs: 'HDV',
      menu: '基础设置',
      purpose: '未确认国家医保编码的规格，有库存的在前',
      columns: [
        'product_code',
        'product_name',
        'specification_name',
        'registration_no',
        'manufacturer_name',
        'unit_name',
        'quantity',
        'candidates',
      ],
      filters: [],
    },
  ],
})
