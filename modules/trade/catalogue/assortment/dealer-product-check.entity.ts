import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const given = { readOnly: true } as const
const lights = { ok: '通过', bad: '不通过', none: '不需要' } as const

/**
 * 经销商产品核对: whether a dealer may trade this product, from whom, where and until when. The four lights are computed
 * from the dealer's own licences.
 */
export const dealerProductCheck = defineEntity({
  kind: 'dealerProductCheck',
  title: '经销商产品核对',
  table: 'dealer_check',
  key: 'dealer_check_sn',
  scope: 'shared',
  writers: 'P',
  display: 'problem',
  sort: '-dealer_check_sn',
  fields: {
    dealer_sn: f.ref('经销商', 'organisation', { ...given, shows: { dealer_code: 'code' } }),
    product_sn: f.ref('产品', 'product', { ...given, shows: { product_code: 'code', device_class: 'device_class' } }),
    supplier_sn: f.ref('上级供货方', 'organisation', given),
    scope_light: f.pick('经营范围匹配', lights, given),
    certificate_light: f.pick('注册证', lights, given),
    chain_light: f.pick('授权链', lights, given),
    first_light: f.pick('首营状态', lights, given),
    authorisation_no: f.text('授权书编号', given),
    authorised_from: f.text('授权方', given),
    chain_level: f.count('授权级次', given),
    area: f.text('授权区域', given),
    authorisation_begins: f.day('授权起', given),
    authorisation_ends: f.day('授权止', given),
    two_invoices: f.flag('两票制提示', given),
    problem: f.text('问题说明', { ...given, width: 260 }),
    state: f.pick(
      '核对状态',
      { pending: '待核对', passed: '核对通过', asked: '待补证', refused: '已驳回' },
      { ...given, default: 'pending' },
    ),
    opinion: f.text('核对意见', given),
    asked_licence: f.text('待补证照', given),
    due_on: f.day('补证期限', given),
    checked_by: f.text('核对人', given),
    checked_at: f.instant('核对时间', given),
    applied_at: f.instant('申请时间', given),
  },
  extras: {
    specification_names: f.text('规格型号'),
    manufacturer_name: f.text('生产厂家'),
    registration_no: f.text('注册证号'),
    registration_expiry: f.day('注册证有效期至'),
  },
  search: ['dealer_name', 'product_name', 'product_code'],
  tone: row => (row.state === 'refused' ? 'danger' : row.state === 'asked' ? 'warning' : undefined),
  actions: {
    review: { label: '审核', tone: 'primary', asks: { review_opinion: f.text('核对意见', { max: 200 }) } },
    reject: { label: '驳回', asksReason: true, reasonMsg: '请填写驳回原因', tone: 'danger' },
    notify: {
      label: '通知补证',
      asks: {
        licence: f.text('需要补的证照', { required: true, max: 100 }),
        until: f.day('补证期限', { required: true }),
      },
    },
  },
  screens: [
    {
      route: '/ptm/productDealerCheck',
      title: '经销商产品核对',
      orgs: 'PV',
      menu: '产品管理',
      purpose: '核对经销商经营产品的经营范围、注册证、授权链与首营审批',
      columns: [
        'dealer_sn',
        'product_code',
        'product_sn',
        'state',
        'problem',
        'specification_names',
        'manufacturer_name',
        'registration_no',
        'registration_expiry',
        'scope_light',
        'certificate_light',
        'chain_light',
        'first_light',
        'supplier_sn',
        'authorisation_no',
        'authorised_from',
        'chain_level',
        'area',
        'authorisation_begins',
        'authorisation_ends',
        'two_invoices',
        'checked_by',
        'checked_at',
        'due_on',
      ],
      actions: ['review', 'reject', 'notify'],
      filters: [
        'dealer_name',
        'product_name',
        'specification_names',
        'registration_no',
        'manufacturer_name',
        'chain_light',
        'state',
        'applied_at',
      ],
      waits: { action: 'review', text: '经销商产品待核对', orgs: 'P', where: { state: 'pending' } },
    },
  ],
})
