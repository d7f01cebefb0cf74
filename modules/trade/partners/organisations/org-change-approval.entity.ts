import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { decisionActions, decisionFields } from '#modules/base/vocabulary/approval-fields.ts'
import { EMAIL, MOBILE, mobileMsg, NAME } from '#kernel/values/patterns.ts'

const given = { readOnly: true } as const

/** The fields that an organisation may ask to have changed in its own master data; an empty field stays as it is. */
export const changeable = {
  name: f.text('机构名称', { max: 100, match: NAME, matchMsg: '机构名称中请不要输入特殊字符' }),
  alias: f.text('别名', { max: 60, match: NAME, matchMsg: '别名中请不要输入特殊字符' }),
  social_credit_code: f.text('统一社会信用代码', {
    match: /^[0-9A-Za-z]{18}$/,
    matchMsg: '统一社会信用代码格式为字母或数字组合的18位',
  }),
  administrative_division_sn: f.text('行政区划代码', { match: /^\d{6}$/, matchMsg: '行政区划代码应为6位数字' }),
  address: f.text('地址', { max: 200 }),
  legal_person: f.text('法定代表人', { max: 40 }),
  registrant: f.text('联系人', { max: 40 }),
  registrant_phone: f.text('联系电话', { match: MOBILE, matchMsg: mobileMsg }),
  registrant_email: f.text('邮箱', { match: EMAIL, matchMsg: '邮箱格式输入有误' }),
  bank_name: f.text('开户银行', { max: 60 }),
  bank_account: f.text('银行账号', { max: 40 }),
}

/** 机构变更申请: a change an organisation requests to its own master data, before others see it. */
export const orgChange = defineEntity({
  kind: 'orgChangeApproval',
  title: '机构变更申请',
  table: 'org_change',
  key: 'change_sn',
  scope: 'shared',
  writers: 'PHDV',
  display: 'code',
  fields: {
    code: f.text('申请编号', given),
    change_type: f.pick(
      '变更类型',
      { basic: '基本信息', relation: '交易关系', stop: '停用' },
      { required: true, default: 'basic' },
    ),
    organisation_sn: f.ref('申请机构', 'organisation', {
      ...given,
      shows: { org_code: 'code', org_credit_code: 'social_credit_code' },
    }),
    ...changeable,
    partner_sn: f.ref('关联机构', 'organisation', { optionsFilter: { scope: 'all' }, hint: '申请交易关系时填写' }),
    relation: f.text('关系类型', given),
    valid_from: f.day('生效日期', { hint: '申请交易关系时填写，留空为审批当天' }),
    valid_to: f.day('有效期至'),
    note: f.text('申请说明', { required: true, max: 200 }),
    attachments: f.files('附件'),
    changed: f.text('变更项', given),
    before_text: f.text('变更前', given),
    after_text: f.text('变更后', given),
    ...decisionFields('审批', '已通过'),
  },
  extras: {
    system_type: f.pick('机构类型', { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' }),
    attachment_count: f.count('附件数'),
  },
  guards: [row => !row.valid_from || !row.valid_to || row.valid_to > row.valid_from || '有效期至必须晚于生效日期'],
  sort: '-change_sn',
  search: ['code', 'organisation_name', 'changed'],
  actions: decisionActions,
  screens: [
    {
      route: '/ptm/agencyManage/AgencyApproval',
      tab: '变更审批',
      leads: true,
      title: '机构变更审批',
      orgs: 'P',
      menu: '机构管理',
      purpose: '机构修改自己的档案须经平台审批，通过后才对其他机构可见',
      columns: [
        'code',
        'change_type',
        'system_type',
        'organisation_sn',
        'org_credit_code',
        'changed',
        'before_text',
        'after_text',
        'partner_sn',
        'relation',
        'attachment_count',
        'note',
        'applied_by',
        'applied_at',
        'state',
        'decided_by',
        'decided_at',
        'reason',
      ],
      filters: ['organisation_name', 'system_type', 'change_type', 'applied_at', 'state', 'decided_by'],
      actions: ['review', 'reject'],
    },
    {
      route: '/commonView/agencyManage/AgencyChange',
      title: '机构变更申请',
      orgs: 'HDV',
      menu: '机构管理',
      purpose: '申请修改本机构的名称、信用代码、地址、联系人与银行信息，或申请与其他机构的交易关系，由平台审批',
      columns: [
        'code',
        'change_type',
        'changed',
        'before_text',
        'after_text',
        'partner_sn',
        'relation',
        'note',
        'applied_by',
        'applied_at',
        'state',
        'decided_at',
        'reason',
      ],
      filters: ['change_type', 'applied_at', 'state'],
      actions: ['add', 'del'],
    },
  ],
})
