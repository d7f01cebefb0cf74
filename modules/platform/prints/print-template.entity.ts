import { contractVariables } from '#kernel/print/contract-template.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { labelCodes, labelSheets, labelSizes } from '#kernel/print/label-formats.ts'
import {
  numberCodes,
  type Margins,
  formats,
  typefaces,
  typeSizes,
  usualMargins,
} from '#kernel/print/print-definition.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { sheets } from '#modules/platform/prints/sheets/sheets.ts'

const pageFormatNames = {
  ...Object.fromEntries(Object.entries(formats).map(([name, { label }]) => [name, label])),
  ...labelSizes,
}
const sheetNames = Object.fromEntries([
  ...sheets.map(({ route, title }) => [route, title]),
  ...labelSheets.map(({ route, name }) => [route, name]),
])

/** Fields that labels do not have are asked only for document sheets. */
const ofDocuments = ['sheet', ...sheets.map(({ route }) => route)] as const

/** Contract fields are asked only for contract sheets. */
const ofContracts = ['sheet', ...sheets.filter(({ contract }) => contract).map(({ route }) => route)] as const
const edge = (label: string, side: keyof Margins) =>
  f.count(`${label}(毫米)`, {
    min: '0',
    max: 60,
    hint: `留空为${usualMargins[side]}毫米（购销合同另有默认）`,
    when: ofDocuments,
  })

/**
 * 打印模板: an organisation's version of a printed sheet or label; empty fields use the sheet's own values. The
 * platform's templates are the fallback for everyone.
 */
export const printTemplate = defineEntity({
  kind: 'printTemplate',
  title: '打印模板',
  table: 'print_template',
  key: 'print_template_sn',
  scope: 'organisation',
  display: 'name',
  pickerFields: 'all',
  deletedFromList: true,
  /** The platform may view any organisation's templates. */
  parameters: { of_org_sn: f.ref('机构名称', 'organisation') },
  fields: {
    name: f.text('模板名称', { required: true, max: 60 }),
    sheet: f.pick('单据类型', sheetNames, { required: true }),
    paper: f.pick('纸张规格', pageFormatNames, { hint: '不选为单据或标签的默认规格', width: 130 }),
    lines_per_page: f.count('每页行数', { min: '1', max: '60', when: ofDocuments }),
    title: f.text('标题', { max: 40, when: ofDocuments }),
    margin_top: edge('上边距', 'top'),
    margin_bottom: edge('下边距', 'bottom'),
    margin_left: edge('左边距', 'left'),
    margin_right: edge('右边距', 'right'),
    typeface: f.pick('字体', typefaces, { hint: '不选为宋体', when: ofDocuments }),
    type_size: f.pick('字号', Object.fromEntries(Object.entries(typeSizes).map(([name, { label }]) => [name, label])), {
      hint: '不选时按列数自动：小五，列多时更小',
      when: ofDocuments,
    }),
    logo: f.files('LOGO', { hint: '一张 png、jpg 或 webp 图片，印在左上角', when: ofDocuments }),
    head_layout: f.longText('页眉字段', { max: 1000, when: ofDocuments }),
    total_items: f.text('合计项', { max: 200, when: ofDocuments }),
    has_capitals: f.flag('大写金额', { default: true, when: ofDocuments }),
    signatures: f.text('签字栏', { max: 200, when: ofDocuments }),
    carrier: f.pick('条码类型', { ...numberCodes, ...labelCodes }, { hint: '不选为单据或标签的默认条码' }),
    note: f.text('备注文字', { max: 200, when: ofDocuments }),
    clauses: f.longText('合同条款', {
      max: 8000,
      when: ofContracts,
      hint: `一行一段，不填用平台通用条款。可用变量：${Object.keys(contractVariables)
        .map(name => `{${name}}`)
        .join(' ')}`,
    }),
    signing_place: f.text('签订地点', { max: 60, when: ofContracts }),
    valid_days: f.count('合同有效天数', { min: '1', max: 3650, hint: '从签订日期起算', when: ofContracts }),
    warehouse_model_inner_sn: f.ref('适用仓库', 'warehouse', { when: ofDocuments }),
    counterparty_sn: f.ref('适用对方机构', 'organisation', { when: ofDocuments }),
    is_default: f.flag('是否默认', { default: false }),
    column_layout: f.longText('明细列', {
      max: 1000,
    }),
    revision: f.count('版本', { readOnly: true }),
    changed_at: f.instant('修改时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    of_org_name: f.text('机构名称', { width: 180, ofReadOrganisation: true }),
    code: f.text('模板编码', { width: 110 }),
    print_route: f.text('打印路由', { width: 200 }),
    orientation: f.text('方向', { width: 70 }),
    column_count: f.count('显示列数'),
  },
  search: ['name'],
  actions: {
    default: { label: '设为默认' },
    copy: { label: '复制', asks: { name: f.text('新模板名称', { required: true, max: 60 }) } },
    reset: { label: '恢复平台默认', tone: 'danger' },
  },
  screens: [
    {
      route: '/ptm/printManage',
      title: '打印管理',
      orgs: 'PHDV',
      menu: '系统设置',
      purpose:
        '每种单据打印用的纸张、边距、字体、LOGO、标题、页眉、列、合计、签字栏，标签的尺寸、条码和内容；按对方机构、仓库、默认依次选用，单据补打按首次打印的版本',
      without: { H: ['of_org_name'], D: ['of_org_name'], V: ['of_org_name'] },
      columns: [
        'code',
        'name',
        'of_org_name',
        'sheet',
        'print_route',
        'paper',
        'orientation',
        'lines_per_page',
        'column_count',
        'is_default',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'revision',
        'changed_at',
        'status',
      ],
      filters: ['name', 'sheet', 'of_org_sn', 'counterparty_name', 'paper', 'is_default', 'status', 'code'],
    },
  ],
})
