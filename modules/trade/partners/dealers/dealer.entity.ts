import { defineEntity } from '#kernel/definition/entity.ts'
import { relationNames } from '#kernel/values/organisation-type.ts'
import { f } from '#kernel/definition/field.ts'

const levels = { A: 'A级', B: 'B级', C: 'C级' } as const

/**
 * 经销商: how a manufacturer, or a first-tier dealer, manages those who sell for it. The row is the relation itself, seen
 * from the seller.
 */
export const dealer = defineEntity({
  kind: 'dealer',
  title: '经销商',
  table: 'org_relation',
  key: 'dealer_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'partner_sn',
  fields: {
    partner_sn: f.ref('经销商', 'organisation', {
      required: true,
      optionsFilter: { scope: 'all', system_type: '2' },
      matchMsg: '被编辑过的相关机构名称不存在。',
      shows: { partner_code: 'code', social_credit_code: 'social_credit_code' },
    }),
    relation: f.pick('关系类型', { DV: relationNames.DV, DD: relationNames.DD }, { readOnly: true }),
    dealer_level: f.pick('经销级别', { first: '一级', second: '二级', third: '三级' }, { default: 'first' }),
    upper_dealer_sn: f.ref('上级经销商', 'organisation', { optionsFilter: { relation: 'partner', system_type: '2' } }),
    sales_area: f.text('授权区域', { max: 200 }),
    price_level: f.pick('价格等级', levels),
    credit_limit: f.amount('信用额度', { min: '0' }),
    payment_days: f.count('账期(天)', { min: '0', max: 720, default: 0 }),
    settlement_method: f.pick('结算方式', { monthly: '月结', cash: '现结', none: '不结算' }, { default: 'monthly' }),
    manager_inner_sn: f.ref('业务负责人', 'employee'),
    contact: f.text('联系人', { max: 40 }),
    phone: f.text('联系电话', { max: 20 }),
    delivery_address: f.text('收货地址', { max: 200 }),
    valid_from: f.day('合作开始'),
    valid_to: f.day('合作截止'),
    apply_note: f.text('申请说明', { max: 200 }),
    remark: f.text('备注', { max: 200 }),
    attachments: f.files('附件'),
    end_reason: f.text('终止原因', { readOnly: true }),
    status: f.pick(
      '合作状态',
      { enabled: '合作中', disabled: '已停用', pending: '待对方确认', refused: '未通过', ended: '已终止' },
      { readOnly: true, default: 'pending' },
    ),
  },
  extras: {
    product_count: f.count('授权产品数'),
    hospital_count: f.count('授权医院数'),
    product_names: f.text('授权产品'),
    hospital_names: f.text('授权医院'),
    credit_used: f.amount('已用额度', { hint: '应收余额加已审核未发货的销售订单' }),
    credit_free: f.amount('可用额度'),
    authorised_to: f.day('授权到期'),
  },
  links: [
    { label: '查看证照', to: '/commonView/licRecord/dealerLic', tab: '证照', with: { holder_name: '$partner_name' } },
  ],
  unique: [['partner_sn', 'relation']],
  guards: [row => !row.valid_from || !row.valid_to || row.valid_to > row.valid_from || '合作截止必须晚于合作开始'],
  search: ['partner_name', 'social_credit_code', 'sales_area'],
  actions: {
    hospital: {
      label: '授权医院',
      asks: {
        hospitals: {
          ...f.codes('授权医院', { required: true, optionsFilter: { scope: 'all', system_type: '1' } }),
          target: 'organisation',
        },
        products: { ...f.codes('授权产品', { required: true }), target: 'product' },
        authorisation_no: f.text('授权书编号', { required: true, max: 60 }),
        valid_from: f.day('开始日期', { required: true }),
        valid_to: f.day('结束日期', { required: true }),
        is_exclusive: f.flag('是否独家', { default: false }),
      },
    },
    price: { label: '价格等级', asks: { price_level: f.pick('价格等级', levels) } },
    credit: {
      label: '信用额度',
      asks: {
        credit_limit: f.amount('信用额度', {
          min: '0',
          hint: '应收余额加未发货订单超过该额度时按业务规则提醒或拦截；留空为不限',
        }),
      },
    },
    stop: { label: '终止', asksReason: true, reasonMsg: '请填写终止原因', tone: 'danger' },
    resume: { label: '恢复合作', tone: 'primary' },
  },
  screens: [
    {
      route: '/commonView/dealerManagement',
      tab: '经销商',
      title: '经销商管理',
      orgs: 'DV',
      menu: '机构管理',
      purpose: '经销商的级别、区域、授权产品与医院、价格等级与信用额度',
      columns: [
        'partner_code',
        'partner_sn',
        'social_credit_code',
        'relation',
        'dealer_level',
        'upper_dealer_sn',
        'sales_area',
        'product_count',
        'hospital_count',
        'valid_from',
        'valid_to',
        'authorised_to',
        'price_level',
        'credit_limit',
        'credit_used',
        'credit_free',
        'payment_days',
        'manager_inner_sn',
        'contact',
        'phone',
        'status',
      ],
      filters: [
        'partner_name',
        'social_credit_code',
        'dealer_level',
        'sales_area',
        'product_names',
        'hospital_names',
        'authorised_to',
        'status',
      ],
      actions: ['add', 'edit', 'del', 'hospital', 'price', 'credit', 'stop', 'resume'],
    },
  ],
})
