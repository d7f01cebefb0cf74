import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { auditStates } from '#modules/base/rules/markup-rule.entity.ts'
import { feeClasses } from '#modules/base/vocabulary/fee-classes.ts'

const given = { readOnly: true } as const

/**
 * 供应商费率: the share of a supplier's settlements charged as service fee, by class of goods and period. Rows of one
 * period that begin at different bases are its steps; floor and cap are those of the first step.
 */
export const supplierRate = defineEntity({
  kind: 'supplierRate',
  title: '供应商费率管理',
  table: 'supplier_rate',
  key: 'supplier_rate_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'contract_no',
  sort: 'supplier_sn,fee_class,-valid_from,base_from',
  judged: {
    state: 'audit_state',
    passed: ['passed'],
    pending: 'pending',
    action: 'review',
    changeRefused: '费率已审核；要变更请新增一条新的生效日期，或先反审核',
  },
  fields: {
    supplier_sn: f.ref('供应商', 'organisation', {
      required: true,
      optionsFilter: { relation: 'supplier' },
      matchMsg: '被编辑过的相关机构名称不存在。',
      shows: { social_credit_code: 'social_credit_code' },
    }),
    fee_class: f.pick('费用类别', feeClasses, { required: true }),
    fee_base: f.pick(
      '计费基数',
      { settled: '结算金额', untaxed: '不含税结算金额', received: '入库金额' },
      { required: true, default: 'settled' },
    ),
    base_from: f.amount('起算基数', {
      min: '0',
      default: '0',
      hint: '阶梯费率：本期计费基数超过该金额的部分按本行费率；一档到底的填0',
    }),
    rate: f.rate('费率', { required: true, hint: '百分数，0至100，最多4位小数' }),
    floor_amount: f.amount('保底金额', { min: '0' }),
    cap_amount: f.amount('封顶金额', { min: '0' }),
    payment_days: f.count('账期(天)', { min: '0', max: 720 }),
    settle_day: f.count('结算日', { min: '1', max: 31 }),
    contract_no: f.text('合同编号', { max: 60 }),
    valid_from: f.day('生效日期', { required: true }),
    valid_to: f.day('有效期至'),
    attachments: f.files('附件'),
    remark: f.text('备注', { max: 200 }),
    audit_state: f.pick('审核状态', auditStates, { ...given, default: 'pending' }),
    stop_reason: f.text('终止原因', given),
    changed_by: f.text('更新人', given),
    changed_at: f.instant('更新时间', given),
  },
  extras: {
    supplier_code: f.text('供应商编码', { width: 100 }),
    rate_state: f.pick('状态', { waiting: '未生效', valid: '生效中', ended: '已失效' }),
  },
  guards: [
    row =>
      row.rate === null ||
      (compare(row.rate as Decimal, '0') >= 0 && compare(row.rate as Decimal, '1') <= 0) ||
      '费率应在0至100之间',
    row => !row.valid_to || row.valid_to >= row.valid_from || '有效期至不能早于生效日期',
    row =>
      row.floor_amount === null ||
      row.cap_amount === null ||
      compare(row.cap_amount as Decimal, row.floor_amount as Decimal) >= 0 ||
      '封顶金额不能小于保底金额',
  ],
  search: ['supplier_name', 'contract_no'],
  actions: {
    review: { label: '审核', tone: 'primary' },
    unreview: { label: '反审核' },
    stopRate: {
      label: '终止费率',
      tone: 'danger',
      asksReason: true,
      reasonMsg: '请填写终止原因',
      asks: { last_day: f.day('最后有效日期', { required: true, default: 'today' }) },
    },
  },
  links: [
    { label: '变更历史', to: '/hospital/supplierManage', tab: '变更历史', with: { supplier_sn: '$supplier_sn' } },
  ],
  screens: [
    {
      route: '/hospital/supplierManage',
      tab: '费率',
      leads: true,
      title: '供应商费率管理',
      orgs: 'H',
      menu: '结算管理',
      purpose: '每个供应商按费用类别与期间的服务费率与结算条件；审核后才用于计算服务费',
      columns: [
        'supplier_code',
        'supplier_sn',
        'social_credit_code',
        'fee_class',
        'fee_base',
        'base_from',
        'rate',
        'floor_amount',
        'cap_amount',
        'payment_days',
        'settle_day',
        'contract_no',
        'valid_from',
        'valid_to',
        'audit_state',
        'rate_state',
        'changed_by',
        'changed_at',
      ],
      filters: ['supplier_sn', 'fee_class', 'rate_state', 'audit_state', 'valid_from', 'contract_no'],
    },
  ],
})

/** 变更历史: the changes to a supplier's rates, in order. */
export const supplierRateStep = defineEntity({
  kind: 'supplierRateStep',
  title: '费率变更历史',
  table: 'supplier_rate_step',
  key: 'supplier_rate_step_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'action',
  sort: '-supplier_rate_step_sn',
  fields: {
    supplier_sn: f.ref('供应商', 'organisation'),
    fee_class: f.pick('费用类别', feeClasses),
    action: f.text('操作'),
    old_value: f.text('变更前', { width: 260 }),
    new_value: f.text('变更后', { width: 260 }),
    reason: f.text('原因', { width: 200 }),
    by_name: f.text('操作人'),
    done_at: f.instant('操作时间'),
  },
  search: ['supplier_name', 'action'],
  screens: [
    {
      route: '/hospital/supplierManage',
      tab: '变更历史',
      title: '供应商费率管理',
      orgs: 'H',
      menu: '结算管理',
      purpose: '各费率的变更记录：新增、修改、审核、终止',
      columns: ['done_at', 'supplier_sn', 'fee_class', 'action', 'old_value', 'new_value', 'reason', 'by_name'],
      filters: ['supplier_sn', 'fee_class', 'action', 'done_at'],
    },
  ],
})
