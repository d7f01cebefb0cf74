import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { deviceClasses } from '#modules/trade/catalogue/products/risk-classes.ts'
import { productScreens } from '#modules/trade/catalogue/products/product.screens.ts'
import { revisable } from '#modules/trade/catalogue/release/revisable-fields.ts'
import { NAME } from '#kernel/values/patterns.ts'

/** The life cycle of a product in the catalogue, from its manufacturer's draft to release. */
export const productStates = {
  self_built: '自建',
  pending: '待审核',
  unreleased: '未发布',
  released: '已发布',
  withdrawn: '已停用',
  matched: '已匹配',
} as const
const given = { readOnly: true } as const

/** 产品: one device of one manufacturer; its sizes and packs are specifications. One row serves the whole network. */
export const product = defineEntity({
  kind: 'product',
  title: '产品',
  table: 'product',
  key: 'product_sn',
  scope: 'shared',
  writers: 'PHDV',
  restores: () => 'RESTOREPRODUCT',
  // With its sizes.
  deletedByOwner: true,
  display: 'name',
  // The platform reviews a product that a maker built; once it is released, even the platform needs a change request.
  judged: {
    state: 'status',
    passed: ['pending', 'unreleased', 'released', 'withdrawn', 'matched'],
    pending: 'pending',
    action: 'review',
    judges: 'P',
    changeRefused: '产品已提交，不能修改，请先撤回',
  },
  pickerFields: 'all',
  labelled: 'sizes',
  prints: [
    { route: '/newprint/BarCodePrint', label: '打印条码' },
    { route: '/newprint/QrcodePrint', label: '打印二维码' },
  ],
  fields: {
    code: f.text('产品编码', { readOnly: true, max: 40 }),
    name: f.text('产品名称', { required: true, max: 100, match: NAME, matchMsg: '产品名称中请不要输入特殊字符' }),
    generic_name: f.text('通用名称', { max: 100 }),
    english_name: f.text('英文名称', { max: 200 }),
    brand: f.text('品牌', { max: 60 }),
    manufacturer_sn: f.ref('生产厂家', 'organisation', {
      required: true,
      optionsFilter: { scope: 'all', system_type: '3' },
    }),
    registrant_name: f.text('注册人', { max: 100 }),
    country: f.text('产地', { max: 40 }),
    device_class: f.pick('管理类别', deviceClasses, { required: true }),
    class_code: f.text('2017子目录', { match: /^\d{2}(-\d{2}){0,2}$/, matchMsg: '2017子目录应为2位数字，或如14-01' }),
    class_code_2002: f.text('68分类', {
      match: /^68\d{2}(-[0-9R]\d?)?$/,
      matchMsg: '68分类应为68开头的4位数字，或如6815-01',
    }),
    custom_type: f.text('自定义分类', { max: 40 }),
    is_high_value: f.flag('高值', { default: false }),
    is_implant: f.flag('植入', { default: false }),
    is_interventional: f.flag('介入', { default: false }),
    is_sterile: f.flag('灭菌', { default: false }),
    sterilisation: f.text('灭菌方式', { max: 40, dictionary: 'sterilisation' }),
    is_single_use: f.flag('一次性使用', { default: true }),
    is_reagent: f.flag('试剂', { default: false }),
    is_cold_chain: f.flag('冷链', { default: false }),
    is_unit_coded: f.flag('一物一码', { default: false }),
    storage_condition: f.text('储存条件', { max: 100 }),
    temperature_low: f.count('温度下限(℃)', { min: '-200', max: 100 }),
    temperature_high: f.count('温度上限(℃)', { min: '-200', max: 100 }),
    shelf_life_months: f.count('有效期(月)', { min: '1', max: 600 }),
    base_unit: f.text('基本单位', { required: true, max: 10 }),
    tax_rate: f.taxRate('税率', { default: 13 }),
    is_collective: f.flag('国家集采', { default: false }),
    no_di_reason: f.text('无UDI-DI说明', { max: 200, hint: '规格没有UDI-DI时说明原因，否则不能发布' }),
    scope: f.longText('适用范围', { max: 1000 }),
    structure: f.longText('结构及组成', { max: 1000 }),
    pictures: f.files('产品图片', { width: 84 }),
    manuals: f.files('说明书'),
    remark: f.text('备注', { max: 200 }),
    status: f.pick('状态', productStates, { readOnly: true, default: 'self_built' }),
    built_by_sn: f.ref('来源机构', 'organisation', given),
    submitted_by: f.text('提交人', given),
    submitted_at: f.instant('提交时间', given),
    audited_by: f.text('审核人', given),
    audited_at: f.instant('审核时间', given),
    opinion: f.text('最近意见', given),
    refusals: f.count('驳回次数', { ...given, default: 0 }),
    state_since: f.instant('进入状态时间', given),
    created_at: f.instant('创建时间', given),
    issued_at: f.instant('发布时间', given),
    withdrawn_on: f.day('停用日期', given),
    withdrawn_reason: f.text('停用原因', given),
    revision: f.count('版本', { ...given, default: 1 }),
  },
  extras: {
    specification_count: f.count('规格数'),
    specification_names: f.text('规格型号'),
    packing: f.text('包装规格', { width: 160 }),
    udi_di: f.text('UDI-DI'),
    insurance_code: f.text('医保C码'),
    registration_no: f.text('注册证号'),
    registration_expiry: f.day('注册证有效期至'),
    is_picked: f.flag('已引入'),
    picked_orgs: f.count('引入机构数', { orgs: 'PV', carriedBy: 'P' }),
    completeness: f.rate('完整度'),
    missing: f.text('缺少项', { width: 200 }),
    days_in_state: f.count('停留天数'),
    similar_count: f.count('疑似重复数'),
    udi_check: f.text('UDI数据库核对结果', { width: 260 }),
    certificate_check: f.text('药监局数据核对结果', { width: 220 }),
    used_papers: f.count('已用单据数'),
    builder_type: f.pick('机构类型', { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' }),
    release_code: f.text('发布批次号'),
    taken: f.text('正在审核'),
    matched_name: f.text('匹配到的平台产品', { width: 200 }),
  },
  parameters: {
    /** Found by device identifier, certificate number, or a very similar name. */
    similar: f.text('相似产品'),
    /**
     * `released`: the common catalogue instead of the caller's own. `submitted`: products that the caller created.
     * `temporary`: products that dealers and hospitals created.
     */
    scope: f.pick('范围', { released: '已发布产品', submitted: '本机构提交', temporary: '自建产品' }),
  },
  actions: {
    submit: { label: '提交', tone: 'primary' },
    unsubmit: { label: '撤回提交' },
    take: { label: '领取审核' },
    review: { label: '审核', tone: 'primary' },
    reject: { label: '驳回', asksReason: true, reasonMsg: '请填写驳回原因', tone: 'danger' },
    match: {
      label: '匹配',
      asks: {
        target_sn: f.ref('平台产品', 'product', {
          required: true,
          optionsFilter: { scope: 'released', status: 'released' },
          hint: '提交的规格归入所选产品：已有的规格匹配，没有的新增',
        }),
      },
    },
    sendBack: { label: '退回审核', asksReason: true, tone: 'danger' },
    issue: { label: '发布', tone: 'primary' },
    revise: {
      label: '申请变更',
      asks: { ...revisable, note: f.text('变更说明', { required: true, max: 200 }) },
    },
    stop: {
      label: '停用',
      asksReason: true,
      tone: 'danger',
      asks: { stop_on: f.day('停用日期', { required: true, hint: '自该日起不能订货；库存可用完或退回' }) },
    },
    resume: { label: '恢复启用' },
    pick: { label: '引入', tone: 'primary' },
    copy: { label: '复制' },
  },
  calls: {
    batchReview: { label: '批量审核', asks: {}, rows: true, most: 100, locks: true, orgs: 'P' },
    merge: {
      label: '合并重复产品',
      orgs: 'P',
      asks: {
        target_sn: f.ref('保留的产品', 'product', {
          required: true,
          optionsFilter: { scope: 'released', status: 'released' },
        }),
      },
      rows: true,
    },
  },
  // A product that the catalogue already has is picked, not created a second time.
  alike: {
    name: {
      among: { scope: 'released', status: 'released' },
      by: 'similar',
      does: { action: 'pick', at: '/ptm/productReleased', unless: 'is_picked' },
    },
  },
  search: ['name', 'code', 'pinyin', 'brand'],
  screens: productScreens,
})
