import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { toolStates, toolSteps } from '#modules/hospital/surgery/tools/tool-steps.ts'

const given = { readOnly: true } as const
const page = {
  route: '/commonView/orthopedicSurgicalTool',
  title: '骨科手术工具',
  orgs: 'DV',
  menu: '骨科手术管理',
} as const

/** 手术工具: a reusable instrument under its own code: lent with sets, never sold. */
export const surgicalTool = defineEntity({
  kind: 'surgicalTool',
  title: '手术工具',
  table: 'surgical_tool',
  key: 'surgical_tool_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'code',
  sort: 'code',
  unique: [['code']],
  search: ['code', 'tool_code', 'name', 'model'],
  labelled: 'sign',
  renews: 'code',
  tone: row =>
    row.state === 'lost' || row.is_worn === true || row.is_service_due === true
      ? 'danger'
      : row.state === 'dirty' || row.state === 'repair'
        ? 'warning'
        : undefined,
  fields: {
    code: f.text('唯一码', {
      required: true,
      max: 40,
      match: /^[\w.-]+$/,
      matchMsg: '唯一码只能用字母、数字、点、横线和下划线',
    }),
    tool_code: f.text('工具编码', { required: true, max: 40, hint: '同一种工具的编码相同，工具包模板按它配件' }),
    name: f.text('工具名称', { required: true, max: 80 }),
    model: f.text('规格型号', { max: 80 }),
    material: f.text('材质', { max: 40 }),
    manufacturer: f.text('生产厂家', { max: 80 }),
    registration_no: f.text('注册证号/备案号', { max: 60 }),
    udi_di: f.text('UDI-DI', { max: 40 }),
    system_brand: f.text('适用系统/品牌', { max: 60 }),
    tools_kit_sn: f.ref('所属工具包', 'toolsKit', given),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    place: f.text('货位', { max: 40 }),
    is_powered: f.flag('是否动力工具', { default: false }),
    max_uses: f.count('最大使用次数', { min: '1', max: 100000, hint: '留空为不限' }),
    use_count: f.count('使用次数', { ...given, default: 0 }),
    sterilisation_count: f.count('灭菌次数', { ...given, default: 0 }),
    sterilised_on: f.day('最近灭菌日期', given),
    service_days: f.count('检修周期（天）', { min: '1', max: 3650, hint: '留空为不需定期检修' }),
    serviced_on: f.day('最近检修日期'),
    bought_on: f.day('购入日期'),
    original_value: f.amount('原值', { min: '0' }),
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    state: f.pick('使用状态', toolStates, {
      ...given,
      default: 'in_stock',
      tones: { dirty: 'warning', repair: 'warning', lost: 'danger' },
    }),
    pictures: f.files('图片', { width: 84 }),
    remark: f.text('备注', { max: 200 }),
  },
  extras: {
    current_place: f.text('当前位置', { width: 150 }),
    next_service_on: f.day('下次检修日期'),
    is_service_due: f.flag('是否到期检修'),
    is_worn: f.flag('已达最大使用次数'),
  },
  guards: [
    row =>
      row.service_days === null || row.serviced_on !== null || row.bought_on !== null || '请填写最近检修日期或购入日期',
  ],
  actions: {
    maintain: {
      label: '检修登记',
      tone: 'primary',
      handy: true,
      asks: {
        on: f.day('检修日期', { required: true }),
        finding: f.text('检修结果', { required: true, max: 200 }),
      },
    },
    sterilise: {
      label: '清洗灭菌',
      asks: { on: f.day('灭菌日期', { required: true }), run: f.text('灭菌批次号', { max: 40 }) },
    },
    repair: { label: '报修', asksReason: true, reasonMsg: '请填写故障' },
    repairDone: {
      label: '修复',
      asks: { finding: f.text('维修结果', { required: true, max: 200 }) },
    },
    find: { label: '找回', asks: { finding: f.text('找回说明', { required: true, max: 200 }) } },
    scrap: {
      label: '报废',
      tone: 'danger',
      asksReason: true,
      reasonMsg: '请填写报废原因',
      note: '报废后不能恢复；在工具包内的同时移出，该包缺件',
    },
  },
  prints: [
    { route: '/newprint/BarCodePrint', label: '打印条码' },
    { route: '/newprint/QrcodePrint', label: '打印二维码' },
  ],
  links: [{ label: '履历', to: page.route, tab: '履历', with: { surgical_tool_sn: '$surgical_tool_sn' } }],
  screens: [
    {
      ...page,
      tab: '工具',
      leads: true,
      purpose: '可重复使用的手术器械，一件一码：所属工具包、当前位置、使用次数与检修日期',
      columns: [
        'code',
        'tool_code',
        'name',
        'model',
        'manufacturer',
        'registration_no',
        'tools_kit_sn',
        'current_place',
        'state',
        'use_count',
        'max_uses',
        'sterilisation_count',
        'sterilised_on',
        'next_service_on',
        'bought_on',
        'original_value',
        'remark',
      ],
      keyColumns: ['code', 'name', 'current_place', 'state', 'next_service_on'],
      filters: [
        'tool_code',
        'code',
        'name',
        'model',
        'manufacturer',
        'tools_kit_sn',
        'current_place',
        'state',
        'is_service_due',
        'is_worn',
      ],
    },
  ],
})

/** 履历: every step of an instrument. */
export const surgicalToolEvent = defineEntity({
  kind: 'surgicalToolEvent',
  title: '工具履历',
  table: 'surgical_tool_event',
  key: 'surgical_tool_event_sn',
  scope: 'organisation',
  readOnly: true,
  under: 'surgicalTool',
  partOf: { when: () => true, written: () => false },
  display: 'step',
  sort: '-surgical_tool_event_sn',
  search: ['document_sn', 'remark'],
  fields: {
    surgical_tool_sn: f.ref('手术工具', 'surgicalTool', { required: true, shows: { tool_name: 'name' } }),
    at: f.instant('发生时间'),
    step: f.pick('事件', toolSteps),
    document_sn: f.text('单据号', { width: 140 }),
    from_place: f.text('从', { width: 150 }),
    to_place: f.text('到', { width: 150 }),
    handled_by: f.text('经手人'),
    remark: f.text('备注', { width: 200 }),
  },
  screens: [
    {
      ...page,
      tab: '履历',
      purpose: '每件工具的入库、组包、借出、归还、清洗灭菌、检修、报修与报废',
      columns: [
        'at',
        'surgical_tool_sn',
        'tool_name',
        'step',
        'document_sn',
        'from_place',
        'to_place',
        'handled_by',
        'remark',
      ],
      filters: ['surgical_tool_sn', 'tool_name', 'step', 'document_sn', 'at'],
      actions: [],
    },
  ],
})
