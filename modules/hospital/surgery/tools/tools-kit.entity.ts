import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { toolsKitStates } from '#modules/hospital/surgery/tools/tool-steps.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const given = { readOnly: true } as const
const page = { route: '/commonView/toolsKits', title: '工具包', orgs: 'DV', menu: '骨科手术管理' } as const

/** 工具包: a numbered set of instruments, lent as one. */
export const toolsKit = defineEntity({
  kind: 'toolsKit',
  title: '工具包',
  overseen: true,
  table: 'tools_kit',
  key: 'tools_kit_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'code',
  deletedFromList: true,
  sort: 'code',
  unique: [['code']],
  search: ['code', 'label_code', 'kit_name'],
  labelled: 'sign',
  tone: row =>
    row.is_overdue === true || (row.missing_count as number) > 0
      ? 'danger'
      : row.state === 'dirty' || row.state === 'repair'
        ? 'warning'
        : undefined,
  addNote: '按模板组包时，保存即从仓库的在库工具配齐；扫码组包的先建空包，再用补件逐件扫码',
  fields: {
    code: f.text('工具包编号', {
      required: true,
      max: 30,
      match: /^[\w-]+$/,
      matchMsg: '工具包编号只能用字母、数字、横线和下划线',
    }),
    tools_template_sn: f.ref('工具包模板', 'toolsTemplate', {
      required: true,
      optionsFilter: { status: 'enabled' },
      shows: {
        kit_name: 'name',
        template_code: 'code',
        system_brand: 'system_brand',
        surgery_name: 'surgery_name',
        trays: 'trays',
        weight: 'weight',
      },
    }),
    packed_by: f.pick('组包方式', { list: '按模板配齐', scan: '扫码组包' }, { required: true, default: 'list' }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    place: f.text('货位', { max: 40 }),
    sterilisation_method: f.text('灭菌方式', { max: 40 }),
    label_code: f.text('标签码', { max: 60, hint: '包上贴的二维码或RFID；留空为工具包编号' }),
    out_at: f.instant('借出日期', given),
    due_back_on: f.day('预计归还日期', given),
    is_dirty: f.flag('待清洗消毒', { ...given, default: false }),
    in_repair: f.flag('维修', { ...given, default: false }),
    counted_at: f.instant('最近清点日期', given),
    sterilised_at: f.instant('最近灭菌日期', given),
    use_count: f.count('使用次数', { ...given, default: 0 }),
    confirmed_gaps: f.count('已确认缺件', given),
    confirmed_by: f.text('缺件确认人', given),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  parameters: { of_org_sn: f.ref('所属机构', 'organisation') },
  extras: {
    of_org_name: f.text('所属机构', { width: 180 }),
    state: f.pick('包状态', toolsKitStates, { tones: { out: 'info', dirty: 'warning', repair: 'warning' } }),
    is_out: f.flag('在外'),
    is_overdue: f.flag('逾期未还'),
    standard_count: f.count('应有件数'),
    held_count: f.count('实有件数'),
    missing_count: f.count('缺件数'),
    completeness: f.pick('完整性', { whole: '完整', gaps: '不完整' }, { tones: { gaps: 'danger' } }),
    differs: f.flag('与模板不一致'),
    has_worn: f.flag('有到期工具', { hint: '有工具检修到期或已达最大使用次数' }),
    tray_count: f.count('层数'),
    current_place: f.text('当前位置', { width: 150 }),
    plan_no: f.text('跟台计划单号', { width: 140 }),
    next_service_on: f.day('下次校验日期'),
  },
  actions: {
    check: {
      label: '清点',
      tone: 'primary',
      handy: true,
      note: '扫描包内每件工具；清点后以当前模板为清单',
      asks: {
        tool_codes: f.codes('唯一码', { hint: '逐件扫码；没有扫到的按下面的处理办理' }),
        missing_as: missingField(),
      },
    },
    supply: {
      label: '补件',
      note: '扫描补入的工具；不扫的从仓库的在库工具里自动补齐',
      asks: { tool_codes: f.codes('唯一码') },
    },
    lend: {
      label: '借出',
      tone: 'primary',
      note: '为已接单的跟台计划备下并送出；随预销售单送出的在计划里备货即可',
      asks: { plan_no: f.text('跟台计划单号', { required: true, max: 40 }) },
    },
    unpack: { label: '拆包', tone: 'danger', note: '包内工具全部放回仓库，工具包保留为空' },
    giveBack: {
      label: '归还清点',
      note: '扫描取回的每件工具；缺少的登记丢失或损坏，工具包进入待清洗消毒',
      asks: { tool_codes: f.codes('唯一码'), missing_as: missingField(), finding: f.text('说明', { max: 200 }) },
    },
    clean: {
      label: '清洗灭菌',
      tone: 'primary',
      asks: { on: f.day('灭菌日期', { required: true }), run: f.text('灭菌批次号', { max: 40 }) },
    },
    confirmGaps: { label: '确认缺件', asksReason: true, reasonMsg: '请填写缺件原因' },
    repair: { label: '报修', asksReason: true, reasonMsg: '请填写故障' },
    repairDone: { label: '修复', asks: { finding: f.text('维修结果', { required: true, max: 200 }) } },
  },
  prints: [
    { route: '/newprint/toolsKitList', label: '打印清点单', by: 'sn' },
    { route: '/newprint/QrcodePrint', label: '打印包码' },
    { route: '/newprint/BarCodePrint', label: '打印条码' },
  ],
  links: [
    {
      label: '包内工具',
      to: '/commonView/orthopedicSurgicalTool',
      tab: '工具',
      with: { tools_kit_sn: '$tools_kit_sn' },
    },
  ],
  screens: [
    {
      ...page,
      tab: '工具包',
      leads: true,
      purpose: '编号的工具包：应有与实有、完整性、当前位置与所属手术；借出、归还清点、清洗灭菌',
      columns: [
        'code',
        'kit_name',
        'template_code',
        'system_brand',
        'surgery_name',
        'standard_count',
        'held_count',
        'completeness',
        'differs',
        'current_place',
        'plan_no',
        'due_back_on',
        'counted_at',
        'sterilised_at',
        'use_count',
        'state',
        'remark',
      ],
      keyColumns: ['code', 'kit_name', 'held_count', 'completeness', 'current_place', 'plan_no', 'state'],
      filters: [
        'code',
        'kit_name',
        'system_brand',
        'surgery_name',
        'current_place',
        'state',
        'completeness',
        'differs',
        'is_out',
      ],
    },
    {
      ...page,
      route: '/ptm/toolsKits',
      title: '工具包管理',
      orgs: 'P',
      purpose: '按机构查看工具包的当前位置、所属手术、清洗消毒与校验',
      columns: [
        'code',
        'kit_name',
        'of_org_name',
        'surgery_name',
        'tray_count',
        'held_count',
        'missing_count',
        'current_place',
        'plan_no',
        'use_count',
        'sterilised_at',
        'next_service_on',
        'state',
      ],
      filters: ['of_org_sn', 'code', 'kit_name', 'surgery_name', 'current_place', 'state'],
      actions: [],
    },
  ],
})

function missingField() {
  return f.pick('没有扫到的', { lost: '丢失', damaged: '损坏' }, { hint: '有工具没有扫到时必选' })
}

/** 工具包清单: what a numbered set should hold, as its template was when it was packed or counted last. */
export const toolsKitLine = defineEntity({
  kind: 'toolsKitLine',
  title: '工具包清单',
  overseen: true,
  table: 'tools_kit_line',
  key: 'tools_kit_line_sn',
  scope: 'organisation',
  readOnly: true,
  under: 'toolsKit',
  partOf: { when: () => true, written: () => false },
  display: 'name',
  sort: 'tools_kit_sn,tray,tool_code',
  search: ['tool_code', 'name'],
  tone: row => ((row.missing_count as number) > 0 ? 'danger' : undefined),
  fields: {
    tools_kit_sn: f.ref('工具包', 'toolsKit', { required: true }),
    tray: f.text('箱/层'),
    tool_code: f.text('工具编码'),
    name: f.text('工具名称', { width: 160 }),
    model: f.text('规格型号'),
    quantity: f.count('标准数量'),
    is_key: f.flag('是否关键件'),
    remark: f.text('备注'),
  },
  extras: {
    held_count: f.count('实有数量'),
    missing_count: f.count('缺少数量'),
    tool_codes: f.codes('唯一码'),
  },
  screens: [],
})

/** 工具包模板: which instruments make up a set. */
export const toolsTemplate = defineEntity({
  kind: 'toolsTemplate',
  title: '工具包模板',
  overseen: true,
  table: 'tools_template',
  key: 'tools_template_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'name',
  deletedFromList: true,
  sort: 'code',
  unique: [['code'], ['name']],
  search: ['code', 'name', 'surgery_name'],
  fields: {
    code: f.text('模板编码', { required: true, max: 30 }),
    name: f.text('工具包名称', { required: true, max: 60 }),
    system_brand: f.text('适用系统/品牌', { max: 60 }),
    surgery_name: f.text('适用术式', { max: 100 }),
    trays: f.text('箱/层结构', { max: 100 }),
    weight: f.quantity('单箱最大重量（kg）', { min: '0.001', hint: '每箱不超过7公斤' }),
    pictures: f.files('图片（摆放图）', { width: 84 }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: { tool_count: f.count('工具件数'), tray_count: f.count('层数'), set_count: f.count('已组工具包') },
  actions: {
    copy: {
      label: '复制',
      asks: {
        new_code: f.text('新模板编码', { required: true, max: 30 }),
        new_name: f.text('新工具包名称', { required: true, max: 60 }),
      },
    },
  },
  screens: [
    {
      ...page,
      tab: '工具包模板',
      purpose: '一种工具包的标准清单；改动不影响已组的工具包，下次清点起按新模板核对',
      columns: [
        'code',
        'name',
        'system_brand',
        'surgery_name',
        'trays',
        'tray_count',
        'tool_count',
        'weight',
        'set_count',
        'status',
        'remark',
      ],
      filters: ['code', 'name', 'system_brand', 'surgery_name', 'status'],
    },
  ],
})

/** One kind of instrument in a set. */
export const toolsTemplateLine = defineEntity({
  kind: 'toolsTemplateLine',
  title: '模板明细',
  overseen: true,
  table: 'tools_template_line',
  key: 'tools_template_line_sn',
  scope: 'organisation',
  writers: 'DV',
  under: 'toolsTemplate',
  display: 'name',
  sort: 'tools_template_sn,tray,tools_template_line_sn',
  unique: [['tools_template_sn', 'tool_code']],
  search: ['tool_code', 'name'],
  fields: {
    tools_template_sn: f.ref('工具包模板', 'toolsTemplate', { required: true }),
    tray: f.text('箱/层', { required: true, max: 20, default: '1' }),
    tool_code: f.text('工具编码', { required: true, max: 40 }),
    name: f.text('工具名称', { required: true, max: 80 }),
    model: f.text('规格型号', { max: 80 }),
    quantity: f.count('标准数量', { required: true, min: '1', max: 999 }),
    is_key: f.flag('是否关键件', { default: false, hint: '缺少关键件的工具包不能借出' }),
    remark: f.text('备注', { max: 200 }),
  },
  screens: [],
})
