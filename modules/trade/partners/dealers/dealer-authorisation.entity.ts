import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { authorisedGoods } from '#modules/trade/licensing/authorised-item-fields.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/**
 * 经销授权: which goods (a product, all of a manufacturer, a class) a dealer may sell to which hospital, from when until
 * when, exclusively or not.
 */
export const dealerAuthorisation = defineEntity({
  kind: 'dealerAuthorisation',
  title: '经销授权',
  table: 'dealer_authorisation',
  key: 'authorisation_sn',
  scope: 'organisation',
  under: 'dealer',
  writers: 'DV',
  display: 'authorisation_no',
  fields: {
    dealer_sn: f.ref('经销商', 'dealer', { required: true }),
    ...authorisedGoods,
    hospital_sn: f.ref('授权医院', 'organisation', {
      optionsFilter: { scope: 'all', system_type: '1' },
      hint: '不选表示区域内全部医院',
    }),
    area: f.text('授权区域', { max: 200, hint: '省、市或县的名称，如：江苏省、浙江省杭州市；留空为全国' }),
    is_exclusive: f.flag('是否独家', { default: false }),
    authorisation_no: f.text('授权书编号', { required: true, max: 60 }),
    valid_from: f.day('开始日期', { required: true }),
    valid_to: f.day('结束日期', { required: true }),
    may_pass_on: f.flag('允许转授权', { default: true }),
    remark: f.text('备注', { max: 200 }),
    licence_sn: f.ref('授权书', 'licence', { readOnly: true }),
    status: statusField,
  },
  guards: [row => !row.valid_from || !row.valid_to || row.valid_to >= row.valid_from || '结束日期不能早于开始日期'],
  search: ['authorisation_no', 'product_name', 'area'],
  screens: [
    {
      route: '/commonView/empowerLic',
      tab: '产品授权书',
      title: '证照授权',
      orgs: 'DV',
      menu: '证照管理',
      purpose: '给下级经销商的产品授权：产品、区域、医院和期限不得超出本机构获得的授权，独家授权排除其他机构',
      columns: [
        'dealer_sn',
        'product_sn',
        'manufacturer_sn',
        'class_code',
        'hospital_sn',
        'area',
        'is_exclusive',
        'authorisation_no',
        'valid_from',
        'valid_to',
        'may_pass_on',
        'remark',
        'status',
      ],
      filters: [
        'dealer_name',
        'product_name',
        'manufacturer_sn',
        'class_code',
        'hospital_name',
        'area',
        'authorisation_no',
        'valid_to',
        'status',
      ],
      actions: ['add', 'edit', 'enable', 'disable'],
    },
  ],
})

/**
 * 我的授权: our suppliers' authorisations, as sent by them or as filed in our own archive. We may pass on and sell only
 * within them.
 */
export const heldAuthorisation = defineEntity({
  kind: 'heldAuthorisation',
  title: '我的授权',
  table: 'authorisation_held',
  key: 'held_authorisation_sn',
  scope: 'organisation',
  display: 'authorisation_no',
  readOnly: true,
  fields: {
    from_org_sn: f.ref('授权方', 'organisation'),
    product_sn: f.ref('授权产品', 'product', { hint: '空白表示生产厂家或类别内的全部产品' }),
    manufacturer_sn: f.ref('生产厂家', 'organisation'),
    class_code: f.text('产品类别'),
    hospital_sn: f.ref('授权医院', 'organisation', { hint: '空白表示区域内全部医院' }),
    area: f.text('授权区域', { hint: '空白表示全国' }),
    is_exclusive: f.flag('是否独家'),
    authorisation_no: f.text('授权书编号'),
    valid_from: f.day('开始日期'),
    valid_to: f.day('结束日期'),
    may_pass_on: f.flag('允许转授权'),
    licence_sn: f.ref('授权书', 'licence'),
    received_at: f.instant('收到时间'),
    status: statusField,
  },
  extras: {
    held_state: f.pick('授权状态', {
      valid: '有效',
      waiting: '未开始',
      expiring: '即将到期',
      expired: '已过期',
      disabled: '已停用',
    }),
  },
  sort: '-held_authorisation_sn',
  search: ['authorisation_no', 'product_name', 'area'],
  screens: [
    {
      route: '/commonView/dealerManagement',
      tab: '我的授权',
      title: '经销商管理',
      orgs: 'D',
      menu: '机构管理',
      purpose: '上级给本机构的销售授权：销售、赠送与再授权不得超出所列产品、区域、医院和期限',
      columns: [
        'from_org_sn',
        'product_sn',
        'manufacturer_sn',
        'class_code',
        'hospital_sn',
        'area',
        'is_exclusive',
        'authorisation_no',
        'valid_from',
        'valid_to',
        'may_pass_on',
        'held_state',
        'received_at',
      ],
      filters: [
        'from_org_sn',
        'product_sn',
        'manufacturer_sn',
        'hospital_sn',
        'area',
        'authorisation_no',
        'valid_to',
        'held_state',
      ],
    },
  ],
})
