import { contractVariables } from '#kernel/contract.ts'
import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { papers } from '#kernel/print.ts'
import { statusField } from '#modules/on-off.ts'
import { sheets } from '#modules/prints/sheets.ts'

const paperNames = Object.fromEntries(Object.entries(papers).map(([name, { label }]) => [name, label]))
const sheetNames = Object.fromEntries(sheets.map(({ route, title }) => [route, title]))

/** 打印模板: a printed sheet as an organisation wants it; what is left empty is the sheet's own. The platform's are everybody's last resort. */
export const printTemplate = defineEntity({
  kind: 'printTemplate',
  title: '打印模板',
  table: 'print_template',
  key: 'print_template_sn',
  scope: 'organisation',
  display: 'name',
  fields: {
    name: f.text('模板名称', { required: true, max: 60 }),
    sheet: f.pick('打印单据', sheetNames, { required: true }),
    paper: f.pick('纸张规格', paperNames, { hint: '不选为单据的默认纸张' }),
    lines_per_page: f.count('每页行数', { min: '1', max: '60' }),
    title: f.text('标题', { max: 40 }),
    hidden_columns: f.text('不打印的列', { max: 200, hint: '写列名，用顿号隔开，如 税率、货位' }),
    signatures: f.text('签字栏', { max: 200, hint: '用顿号隔开，如 制单人、库管员、审核人' }),
    note: f.text('备注文字', { max: 200 }),
    clauses: f.longText('合同条款', {
      max: 8000,
      hint: `只用于购销合同；一行一段，不填用平台通用条款。可用变量：${Object.keys(contractVariables)
        .map(name => `{${name}}`)
        .join(' ')}`,
    }),
    signing_place: f.text('签订地点', { max: 60, hint: '只用于购销合同' }),
    valid_days: f.count('合同有效天数', { min: '1', max: 3650, hint: '只用于购销合同；从签订日期起算' }),
    warehouse_model_inner_sn: f.ref('适用仓库', 'warehouse'),
    counterparty_sn: f.ref('适用对方机构', 'organisation'),
    is_default: f.flag('是否默认', { default: false }),
    revision: f.count('版本', { readOnly: true }),
    changed_at: f.instant('修改时间', { readOnly: true }),
    status: statusField,
  },
  search: ['name'],
  screens: [
    {
      route: '/ptm/printManage',
      title: '打印管理',
      orgs: 'PHDV',
      menu: '系统设置',
      purpose: '每种单据打印用的纸张、标题、列、签字栏；按对方机构、仓库、默认依次选用',
      columns: [
        'name',
        'sheet',
        'paper',
        'lines_per_page',
        'title',
        'is_default',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'revision',
        'changed_at',
        'status',
      ],
      filters: ['name', 'sheet', 'paper', 'is_default', 'status'],
    },
  ],
})
