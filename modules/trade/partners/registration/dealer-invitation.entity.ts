import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { MOBILE, mobileMsg, NAME } from '#kernel/values/patterns.ts'

/**
 * 邀请: a dealer outside the platform is invited by a link; the agreed terms take effect once its registration has
 * passed.
 */
export const dealerInvitation = defineEntity({
  kind: 'dealerInvitation',
  title: '经销商邀请',
  table: 'dealer_invitation',
  key: 'dealer_invitation_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'name',
  sort: '-dealer_invitation_sn',
  fields: {
    name: f.text('机构名称', { required: true, max: 100, match: NAME, matchMsg: '机构名称中请不要输入特殊字符' }),
    social_credit_code: f.text('统一社会信用代码', {
      match: /^[0-9A-Za-z]{18}$/,
      matchMsg: '统一社会信用代码格式为字母或数字组合的18位',
    }),
    registrant: f.text('联系人', { max: 40 }),
    registrant_phone: f.text('手机号', { match: MOBILE, matchMsg: mobileMsg }),
    dealer_level: f.pick('经销级别', { first: '一级', second: '二级', third: '三级' }, { default: 'first' }),
    price_level: f.pick('价格等级', { A: 'A级', B: 'B级', C: 'C级' }),
    credit_limit: f.amount('信用额度', { min: '0' }),
    payment_days: f.count('账期(天)', { min: '0', max: 720, default: 0 }),
    settlement_method: f.pick('结算方式', { monthly: '月结', cash: '现结', none: '不结算' }, { default: 'monthly' }),
    products: { ...f.codes('授权产品', { hint: '入驻后随即生效的授权，可以不填' }), target: 'product' },
    area: f.text('授权区域', { max: 200, hint: '省、市或县的名称，如：江苏省、浙江省杭州市；留空为全国' }),
    authorisation_no: f.text('授权书编号', { max: 60 }),
    valid_from: f.day('授权开始日期'),
    valid_to: f.day('授权结束日期'),
    expires_on: f.day('链接有效期至', { hint: '留空为7天，最长30天；链接只能使用一次' }),
    remark: f.text('备注', { max: 200 }),
    token: f.text('链接口令', { readOnly: true }),
    partner_sn: f.ref('入驻机构', 'organisation', { readOnly: true }),
    reason: f.text('说明', { readOnly: true }),
    invited_by: f.text('邀请人', { readOnly: true }),
    invited_at: f.instant('邀请时间', { readOnly: true }),
    state: f.pick(
      '邀请状态',
      { open: '待注册', used: '已注册待审核', joined: '已加入', revoked: '已撤销' },
      { readOnly: true, default: 'open' },
    ),
  },
  extras: {
    link_state: f.pick('链接', { valid: '可使用', used: '已使用', expired: '已过期', revoked: '已撤销' }),
  },
  guards: [
    row => !row.valid_from || !row.valid_to || row.valid_to >= row.valid_from || '授权结束日期不能早于开始日期',
    row =>
      row.products === null ||
      row.products.length === 0 ||
      Boolean(row.authorisation_no && row.valid_from && row.valid_to) ||
      '选择了授权产品，请填写授权书编号和授权起止日期',
  ],
  search: ['name', 'social_credit_code', 'registrant'],
  actions: {
    renew: { label: '重新生成链接', tone: 'primary' },
    revoke: { label: '撤销邀请', tone: 'danger' },
  },
  screens: [
    {
      route: '/commonView/dealerManagement',
      tab: '邀请',
      title: '经销商管理',
      orgs: 'DV',
      menu: '机构管理',
      purpose: '邀请尚未入驻的经销商：把注册链接发给对方，平台审核通过后关系与授权随即生效',
      columns: [
        'name',
        'social_credit_code',
        'registrant',
        'registrant_phone',
        'dealer_level',
        'products',
        'area',
        'valid_from',
        'valid_to',
        'expires_on',
        'link_state',
        'state',
        'partner_sn',
        'reason',
        'invited_by',
        'invited_at',
      ],
      filters: ['name', 'social_credit_code', 'registrant_phone', 'state', 'link_state', 'invited_at'],
      actions: ['add', 'edit', 'del', 'renew', 'revoke'],
    },
  ],
})
