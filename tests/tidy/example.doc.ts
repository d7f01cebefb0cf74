import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { hasLines, needs } from '#modules/base/vocabulary/validators.ts'

const header = {
  carrier: f.text('承运单位', { required: true, max: 60 }),
  vehicle_no: f.text('车牌号', { max: 20 }),
  business_date: f.day('发运日期'),
}
const lines = {
  box_no: f.text('箱号', { required: true, max: 40 }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

/** 运输单: which boxes a carrier takes where. It moves no stock and has no prices. */
export const transportOrder = defineDocument({
  kind: 'transportOrder',
  title: '运输单',
  numberPrefix: 'YD',
  category: 'stockOut',
  ownerTypes: 'DV',
  header,
  lines,
  lineRules: { basis: 'row' },
  actions: lifecycle<Doc>({ submit: [hasLines, needs('carrier', '请填写承运单位')] }),
  posting: { stockDirection: 'none' },
  screens: [
    {
      route: '/commonView/transportOrder',
      title: '运输单',
      orgs: 'DV',
      menu: '出库管理',
      purpose: '登记承运的箱子，审核后交承运单位',
      columns: ['sn', 'carrier', 'vehicle_no', 'business_date', 'line_count', 'state'],
      filters: ['sn', 'carrier', 'business_date', 'state'],
    },
  ],
})
