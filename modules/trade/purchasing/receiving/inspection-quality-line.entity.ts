import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { states } from '#kernel/definition/document-state.ts'
import { disposalMethods, disposalStates } from '#modules/trade/purchasing/receiving/disposal-states.ts'
import { dispositions } from '#modules/base/vocabulary/line-fields.ts'

const given = { readOnly: true } as const
/** A draft has not been submitted, and cancelled ones are not shown. */
const { draft: _draft, cancelled: _cancelled, ...shown } = states

/**
 * 验收质量明细: the faults that inspection found line by line, and what happened to the unqualified goods. Its state is that
 * of the documents created for it.
 */
export const inspectionQualityLine = defineEntity({
  kind: 'inspectionQualityLine',
  title: '验收质量明细',
  table: 'inspection_quality_line',
  key: 'inspection_quality_line_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'inspection_no',
  sort: '-inspection_no,line_no',
  tone: row => (row.line_disposal_state === '1' ? 'danger' : row.line_disposal_state === '2' ? 'warning' : undefined),
  fields: {
    inspection_no: f.text('验收单号', { ...given, width: 150 }),
    arrival_no: f.text('到货单号', { ...given, width: 150 }),
    counterparty_sn: f.ref('供应商', 'organisation', given),
    business_date: f.day('验收日期', given),
    warehouse_model_inner_sn: f.ref('验收仓库', 'warehouse', given),
    line_no: f.count('行号', given),
    product_sn: f.ref('产品名称', 'product', given),
    specification_sn: f.ref('规格型号', 'specification', given),
    lot_no: f.lot('批号', given),
    quantity: f.quantity('到货数量', given),
    qualified_quantity: f.quantity('合格数量', given),
    unqualified_quantity: f.quantity('不合格数量', given),
    unqualified_reason: f.text('不合格事项', given),
    disposition: f.pick('处置措施', dispositions, given),
    line_disposal_state: f.pick('处置状态', disposalStates, given),
    disposal_papers: f.text('处置单据', { ...given, width: 170 }),
    exchange_no: f.text('换货订单', { ...given, width: 150 }),
    disposed_on: f.day('处置日期', given),
    disposed_by: f.text('处置人', given),
    line_disposal_note: f.text('处置说明', given),
    disposal_proof: f.files('处置凭证', given),
    handler_inner_sn: f.ref('验收员', 'employee', given),
    reviewed_by_name: f.text('质量复核人', given),
    reviewed_on: f.day('复核日期', given),
    inspection_state: f.pick('状态', shown, given),
  },
  extras: {
    unit_name: f.text('单位', { width: 60 }),
    has_unqualified: f.pick('是否有不合格', { yes: '有', no: '无' }),
  },
  search: ['inspection_no', 'arrival_no', 'product_name', 'specification_name', 'lot_no', 'counterparty_name'],
  actions: {
    dispose: {
      label: '不合格处置',
      tone: 'primary',
      handy: true,
      asks: {
        disposal_method: f.pick('处置方式', disposalMethods, { hint: '验收时退货、换货的已拒收，留空' }),
        disposal_note: f.text('处置说明', { max: 200 }),
        disposal_files: f.files('处置凭证', { hint: '供应商取回的签收单、物流单' }),
      },
    },
  },
  links: [
    {
      label: '查看单据',
      to: '/commonView/inspectionOrder/qualityManagement',
      tab: '验收单',
      with: { sn: '$inspection_no' },
    },
  ],
  screens: [
    {
      route: '/commonView/inspectionOrder/qualityManagement',
      tab: '验收明细',
      title: '验收质量复核',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '验收结果明细；不合格品由此生成退货、报废或换货单据，处置状态随单据更新',
      counted: { line_disposal_state: '1' },
      columns: [
        'inspection_no',
        'line_disposal_state',
        'counterparty_sn',
        'product_sn',
        'specification_sn',
        'lot_no',
        'unit_name',
        'quantity',
        'qualified_quantity',
        'unqualified_quantity',
        'unqualified_reason',
        'disposition',
        'business_date',
        'arrival_no',
        'disposal_papers',
        'exchange_no',
        'disposed_on',
        'line_disposal_note',
        'disposal_proof',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_on',
        'inspection_state',
      ],
      filters: [
        'inspection_no',
        'counterparty_sn',
        'business_date',
        'reviewed_on',
        'product_name',
        'specification_name',
        'lot_no',
        'has_unqualified',
        'disposition',
        'line_disposal_state',
        'inspection_state',
      ],
      actions: ['dispose'],
    },
  ],
})
