import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { NAME } from '#modules/on-off.ts'

export const deviceClasses = { I: 'Ⅰ类', II: 'Ⅱ类', III: 'Ⅲ类' } as const
/** The life of a product in the catalogue, from its maker's draft to the shelf of the network. */
export const productStates = { self_built: '自建', pending: '待审核', unreleased: '未发布', released: '已发布', withdrawn: '已停用' } as const

/** 产品: one device of one maker; its sizes and packs are specifications. One row serves the whole network. */
export const product = defineEntity({
  kind: 'product', title: '产品', table: 'product', key: 'product_sn', scope: 'shared', writers: 'PHDV', display: 'name',
  fields: {
    code: f.text('产品编码', { readOnly: true, max: 40 }),
    name: f.text('产品名称', { required: true, max: 100, match: NAME, matchMsg: '产品名称中请不要输入特殊字符' }),
    generic_name: f.text('通用名称', { max: 100 }),
    english_name: f.text('英文名称', { max: 200 }),
    brand: f.text('品牌', { max: 60 }),
    manufacturer_sn: f.ref('生产厂家', 'organisation', { required: true, narrow: { scope: 'all', system_type: '3' } }),
    registrant_name: f.text('注册人', { max: 100 }),
    country: f.text('产地', { max: 40 }),
    device_class: f.pick('管理类别', deviceClasses, { required: true }),
    class_code: f.text('2017子目录', { match: /^\d{2}$/, matchMsg: '2017子目录应为2位数字' }),
    class_code_2002: f.text('68分类', { match: /^68\d{2}$/, matchMsg: '68分类应为68开头的4位数字' }),
    custom_type: f.text('自定义分类', { max: 40 }),
    is_high_value: f.flag('高值', { default: false }),
    is_implant: f.flag('植入', { default: false }),
    is_interventional: f.flag('介入', { default: false }),
    is_sterile: f.flag('灭菌', { default: false }),
    is_single_use: f.flag('一次性使用', { default: true }),
    is_reagent: f.flag('试剂', { default: false }),
    is_cold_chain: f.flag('冷链', { default: false }),
    is_unit_coded: f.flag('一物一码', { default: false }),
    storage_condition: f.text('储存条件', { max: 100 }),
    shelf_life_months: f.count('有效期(月)', { min: '1', max: 600 }),
    base_unit: f.text('基本单位', { required: true, max: 10 }),
    tax_rate: f.taxRate('税率', { default: 13 }),
    scope: f.longText('适用范围', { max: 1000 }),
    structure: f.longText('结构及组成', { max: 1000 }),
    status: f.pick('状态', productStates, { readOnly: true, default: 'self_built' }),
    built_by_sn: f.ref('来源机构', 'organisation', { readOnly: true }),
  },
  extras: { specification_count: f.count('规格数'), registration_no: f.text('注册证号'), registration_expiry: f.day('注册证有效期至'), is_picked: f.flag('已引入') },
  /** `released`: the common catalogue instead of the caller's own. */
  parameters: { scope: f.pick('范围', { released: '已发布产品' }) },
  actions: {
    submit: { label: '提交', tone: 'primary' }, unsubmit: { label: '撤回提交' }, pass: { label: '审核通过' }, sendBack: { label: '退回', asksReason: true, tone: 'danger' },
    issue: { label: '发布', tone: 'primary' }, stop: { label: '停用', asksReason: true, tone: 'danger' }, resume: { label: '恢复' }, pick: { label: '引入', tone: 'primary' },
  },
  search: ['name', 'code', 'pinyin'],
  screens: [
    {
      route: '/ptm/productBuild', title: '产品建档', orgs: 'PV', menu: '产品管理', purpose: '建立产品、规格、UDI-DI与包装单位，并关联注册证',
      columns: ['code', 'name', 'generic_name', 'brand', 'manufacturer_sn', 'country', 'device_class', 'class_code_2002', 'class_code', 'registration_no', 'registration_expiry', 'specification_count', 'is_high_value', 'is_implant', 'is_sterile', 'is_reagent', 'storage_condition', 'status'],
      filters: ['name', 'manufacturer_sn', 'registration_no', 'class_code_2002', 'class_code', 'device_class', 'built_by_sn', 'status'],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'pass', 'sendBack'],
    },
    {
      route: '/ptm/productNotIssue', title: '未发布产品', orgs: 'PV', menu: '产品管理', purpose: '审核通过、尚未发布的产品：发布前的最后检查', where: { status: 'unreleased' },
      columns: ['code', 'name', 'specification_count', 'manufacturer_sn', 'registration_no', 'registration_expiry', 'device_class', 'class_code_2002', 'built_by_sn', 'status'],
      filters: ['name', 'manufacturer_sn', 'registration_no', 'device_class', 'built_by_sn'],
      actions: ['edit', 'issue', 'sendBack'],
    },
    {
      route: '/ptm/productReleased', title: '已发布产品', orgs: 'PHDV', menu: '产品管理', purpose: '全网共用的产品目录，医院与经销商从这里引入', where: { scope: 'released', status: 'released' },
      columns: ['code', 'name', 'brand', 'manufacturer_sn', 'registration_no', 'registration_expiry', 'device_class', 'class_code_2002', 'class_code', 'base_unit', 'storage_condition', 'specification_count', 'is_picked', 'status'],
      filters: ['name', 'manufacturer_sn', 'registration_no', 'class_code_2002', 'device_class', 'is_high_value', 'is_implant', 'is_reagent', 'is_cold_chain', 'is_picked'],
      actions: ['pick', 'stop'],
    },
    {
      route: '/ptm/productSelf', title: '自建产品', orgs: 'PHD', menu: '产品管理', purpose: '目录里没有的产品先自建使用，再提交平台收录', where: { status: 'self_built,pending' },
      columns: ['code', 'name', 'manufacturer_sn', 'registration_no', 'registration_expiry', 'device_class', 'class_code_2002', 'base_unit', 'specification_count', 'built_by_sn', 'status'],
      filters: ['name', 'manufacturer_sn', 'device_class', 'built_by_sn', 'status'],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit'],
    },
  ],
})
