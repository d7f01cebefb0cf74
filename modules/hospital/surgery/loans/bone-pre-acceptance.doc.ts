import { compare, type Decimal, isZero, subtract } from '#kernel/values/decimal.ts'
import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { signatureField } from '#modules/hospital/signatures/signature-field.ts'
import { eachLine, hasLines, needs } from '#modules/base/vocabulary/validators.ts'
import { pieces, remarked, sterilised } from '#modules/base/vocabulary/line-fields.ts'
import { ofCase, ofCaseNames } from '#modules/hospital/surgery/loans/loan-fields.ts'

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { readOnly: true }),
  ...ofCase,
  deliver_by: f.instant('送达截止时间', { readOnly: true }),
  delivered_at: f.instant('送达时间', { default: 'now' }),
  is_on_time: f.pick('是否按时', { yes: '按时', no: '超时' }, { readOnly: true, tones: { no: 'danger' } }),
  deliverer: f.text('送货人', { max: 40 }),
  inspector_inner_sn: f.ref('验收人', 'employee'),
  place: f.text('验收地点', { max: 60 }),
  sterilisation: f.text('灭菌方式', { max: 60 }),
  run_no: f.lot('灭菌批次号', { max: 40 }),
  biological: f.pick('生物监测结果', { passed: '合格', failed: '不合格', pending: '待出结果' }),
  enclosed: f.text('随货资料', { max: 100, hint: '注册证、合格证、清洗灭菌说明' }),
  ...signatureField,
  handed_over_by: f.text('交接签名', { readOnly: true }),
  has_difference: f.pick('是否有差异', { yes: '有差异', no: '无差异' }, { readOnly: true, tones: { yes: 'danger' } }),
  unlisted_quantity: f.quantity('清单外数量', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('验收日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('照片'),
}
const lines = {
  kit_code: f.text('套包编号', { max: 40, codeOf: 'implantKit' }),
  goods_kind: f.pick('类型', { implant: '植入物', tool: '工具' }),
  specification_sn: f.ref('规格型号', 'specification'),
  item_name: f.text('工具名称', { max: 80 }),
  lot_no: f.lot('批号/序列号', { max: 40 }),
  expiry_date: f.day('有效期至'),
  ...pieces('UDI/唯一码'),
  ...sterilised,
  listed_quantity: f.quantity('清单数量', { min: '0' }),
  quantity: f.quantity('实收数量', { required: true, min: '0' }),
  difference_quantity: f.quantity('差异数量', { readOnly: true }),
  difference_reason: f.text('差异原因', { max: 200 }),
  look: f.text('外观/功能', { max: 60 }),
  clean_state: f.text('清洗灭菌状态', { max: 60 }),
  conclusion: f.pick('验收结论', { passed: '合格', failed: '不合格' }, { default: 'passed' }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

/** Received against what the supplier listed, with its sign. */
const difference = (line: Readonly<Record<string, unknown>>) => ({
  difference_quantity: subtract((line.quantity ?? '0') as Decimal, (line.listed_quantity ?? '0') as Decimal, 3),
})

/**
 * 骨科预验收单: before the operation the hospital counts what a supplier brought, implants by code and instruments by
 * list, and says that it was handed over. It posts nothing: the supplier may book the goods out once it is reviewed.
 */
export const bonePreAcceptance = defineDocument({
  kind: 'bonePreAcceptance',
  title: '骨科预验收单',
  numberPrefix: 'YYS',
  category: 'ward',
  ownerTypes: 'H',
  header,
  lines,
  lineRules: {
    follows: difference,
    scanning: { expectedField: 'listed_quantity', keepsUnscanned: () => true },
  },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        needs('delivered_at', '请填写送达时间'),
        eachLine(line => Boolean(line.specification_sn ?? line.item_name) || '请选择规格型号或填写工具名称'),
        eachLine(
          line =>
            isZero(difference(line).difference_quantity) ||
            Boolean(line.difference_reason) ||
            '实收与清单不一致，请填写差异原因',
        ),
        eachLine(
          (line, doc) =>
            line.goods_kind === 'tool' ||
            compare(line.quantity, '0') === 0 ||
            line.conclusion === 'failed' ||
            !isPastUse(line, doc) ||
            `植入物${line.product_name ?? ''}已过期，不能验收通过`,
        ),
        doc =>
          doc.lines.every(line => line.goods_kind !== 'tool' || Boolean(line.sterilisation_lot_no)) ||
          Boolean(doc.run_no) ||
          '外来器械未登记灭菌批次',
      ],
      blockedMessage: '供应商已出库或已登记使用，不能反审核',
    }),
    loadList: { label: '载入套包清单', from: ['draft', 'rejected'], to: null },
    sign: {
      label: '交接签名',
      from: ['draft', 'rejected', 'submitted'],
      to: null,
      inputs: ['signature_sn'],
    },
  },
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'bonePlan',
        for: 'bonePlan',
        sourceType: sourceTypes.BONE_PLAN,
        purpose: 'inspect',
        nonConsuming: true,
        states: ['reviewed', 'partial', 'completed'],
        headerMap: { plan_sn: 'sn' },
      },
    ],
  },
  posting: { stockDirection: 'named' },
  compliance: { allowsExpired: true },
  intercompany: {
    copies: [
      {
        on: 'review',
        informational: true,
        withoutRemarks: true,
        header: [
          ...ofCaseNames,
          'delivered_at',
          'is_on_time',
          'has_difference',
          'unlisted_quantity',
          'run_no',
          'handed_over_by',
        ],
        lines: [
          'kit_code',
          'goods_kind',
          'item_name',
          'sterilisation_lot_no',
          'listed_quantity',
          'difference_quantity',
          'difference_reason',
          'conclusion',
        ],
        message: { title: '医院已预验收，可以出库', uri: 'bonePresale' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/bonePreAcceptance',
      title: '骨科预验收',
      orgs: 'HDV',
      menu: '骨科手术管理',
      purpose: '手术前医院开箱清点供应商送来的植入物与器械，登记灭菌批次与差异，交接签名',
      columns: [
        'sn',
        'plan_sn',
        'counterparty_sn',
        'surgery_at',
        'procedure_name',
        'delivered_at',
        'is_on_time',
        'kit_count',
        'implant_pieces',
        'tool_pieces',
        'difference_pieces',
        'line_count',
        'total_quantity',
        'has_difference',
        'unlisted_quantity',
        'deliverer',
        'inspector_inner_sn',
        'handed_over_by',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      keyColumns: ['sn', 'plan_sn', 'counterparty_sn', 'delivered_at', 'has_difference', 'state'],
      filters: ['sn', 'plan_sn', 'counterparty_sn', 'surgery_at', 'inspector_inner_sn', 'has_difference', 'state'],
    },
  ],
})
