import { today } from '#kernel/values/date.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { eachLine, hasLines, inOrder, needs } from '#modules/base/vocabulary/validators.ts'
import { orgTypes, purposes } from '#modules/trade/licences/sharing/licence-application.doc.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

const header = {
  partner_sn: f.ref('被授权机构', 'organisation', { required: true, optionsFilter: { scope: 'all' } }),
  partner_type: f.pick('机构类型', orgTypes, { readOnly: true }),
  counterparty_sn: f.ref('授权机构', 'organisation', { readOnly: true }),
  application_sn: f.text('来源申请单号', { readOnly: true }),
  purpose: f.pick('用途', purposes, { default: 'renewal' }),
  valid_from: f.day('授权期限起', { default: 'today' }),
  valid_to: f.day('授权期限至'),
  may_print: f.flag('是否允许打印', { default: false }),
  watermark: f.text('水印文字', { max: 60, hint: '留空为被授权机构、用途和日期' }),
  granted_count: f.count('授权证照数', { readOnly: true }),
  view_count: f.count('查看次数', { readOnly: true }),
  print_count: f.count('打印次数', { readOnly: true }),
  new_valid_to: f.day('续期至', { dialogOnly: true }),
  handler_inner_sn: f.ref('授权人', 'employee'),
  business_date: f.day('授权日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件（盖章授权书）'),
}
const lines = {
  licence_type: f.pick('证照类型', licenceTypes, { width: 190, hint: '选了证照可不填' }),
  paper_sn: f.ref('授权的证照', 'licence', {
    optionsFilter: { holder_type: 'own', audit_state: 'passed', status: 'enabled', licence_type: '$licence_type' },
  }),
  result: f.pick('授权结果', { agree: '同意', refuse: '拒绝' }),
  reason: f.text('拒绝原因', { max: 200 }),
  licence_no: f.text('证照编号', { readOnly: true }),
  paper_from: f.day('有效期起', { readOnly: true }),
  paper_to: f.day('有效期至', { readOnly: true }),
  issuer: f.text('发证机关', { readOnly: true }),
  scope: f.text('范围', { readOnly: true }),
  subjects: f.text('诊疗科目', { readOnly: true }),
  campus: f.text('院区', { readOnly: true }),
  copy_no: f.text('副本号', { readOnly: true }),
  scans: f.files('扫描件', { readOnly: true }),
  line_views: f.count('查看次数', { readOnly: true }),
  line_prints: f.count('打印次数', { readOnly: true }),
  past_no: f.text('换证前编号', { readOnly: true }),
  asked_line_no: f.count('申请行号', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const agreed = (line: Line): boolean => line.result === 'agree'
const answered = eachLine<Doc>(line => Boolean(line.result) || '请选择同意或拒绝')
const named = eachLine<Doc>(line => !agreed(line) || Boolean(line.paper_sn) || '请选择要授权的证照')
const reasoned = eachLine<Doc>(line => agreed(line) || Boolean(line.reason) || '请填写拒绝原因')
const givesSomething = (doc: Doc): true | string =>
  doc.lines.some(agreed) || '没有同意授权的证照；全部拒绝时请在【向我申请的】里拒绝申请'
const notPast = (doc: Doc): true | string => String(doc.valid_to ?? '') >= today() || '授权期限至不能早于今天'
const unanswering = (doc: Doc): true | string => !doc.application_sn || '已答复对方的申请，不能反审核，请撤销授权'
const unseen = (doc: Doc): true | string =>
  parseInteger(doc.view_count ?? 0) === 0 || '被授权机构已查看，不能反审核，请撤销授权'
const longer = (doc: Doc): true | string =>
  String(doc.new_valid_to ?? '') > String(doc.valid_to ?? '') || '续期后的日期必须晚于现在的授权期限至'

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('partner_sn', '请选择被授权机构'),
    needs('valid_to', '请填写授权期限至'),
    inOrder('valid_from', 'valid_to', '授权期限至不能早于授权期限起'),
    notPast,
    answered,
    named,
    reasoned,
    givesSomething,
  ],
  review: [notPast],
})
/** Which of our authorisations a bulk action covers; if nothing is named, all that are in force. */
const many = {
  partner_sn: f.ref('被授权机构', 'organisation', { optionsFilter: { scope: 'all' }, hint: '留空为全部机构' }),
  licence_type: f.pick('证照类型', licenceTypes, { hint: '留空为全部类型' }),
  ends_by: f.day('授权期限至不晚于', { hint: '只处理在此日期以前到期的授权' }),
} as const
const tab = {
  route: '/commonView/empowerLic',
  title: '证照授权',
  orgs: 'HDV',
  menu: '证照管理',
} as const satisfies Partial<Screen>

/**
 * 证照授权: the owner of licences decides who may view, print and rely on which of them until when. The partner sees scans
 * with a watermark, each view is counted, and a withdrawal takes effect at once; documents that the partner completed
 * before do not change.
 */
export const licenceEmpower = defineDocument({
  kind: 'licenceEmpower',
  title: '证照授权单',
  numberPrefix: 'ZZSQ',
  category: 'compliance',
  ownerTypes: 'HDV',
  header,
  lines,
  // The goods that an authorisation covers are sent along for the partner's checks, but are not shown to the partner.
  internalFields: ['authorises'],
  lineRules: {
    basis: 'row',
  },
  actions: {
    agree: { label: '同意', from: ['draft', 'rejected'], to: null },
    submit: life.submit,
    unsubmit: life.unsubmit,
    review: life.review,
    reject: life.reject,
    unreview: { ...life.unreview, guards: [unanswering, unseen] },
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'] },
    extend: {
      label: '续期',
      from: ['reviewed'],
      to: null,
      inputs: ['new_valid_to'],
      guards: [needs('new_valid_to', '请填写续期至'), longer],
    },
    stop: {
      label: '撤销授权',
      effect: 'stop',
      from: ['reviewed'],
      to: 'stopped',
      requiresReason: '请填写撤销原因',
      tone: 'danger',
    },
    // Run on a schedule: no button.
    expire: {
      by: 'counterparty',
      label: '已到期',
      from: ['reviewed'],
      to: 'completed',
      guards: [doc => String(doc.valid_to ?? '9999') < today() || '授权期限未到'],
    },
    toRecord: { label: '存入档案', by: 'counterparty', from: ['reviewed'], to: null, localOnly: true, tone: 'primary' },
  },
  lifecycle: {
    stateLabels: { reviewed: '生效中', completed: '已到期', stopped: '已撤销' },
    listActions: {
      extendMany: {
        label: '批量续期',
        inputs: {
          ...many,
          new_valid_to: f.day('续期至', { required: true, hint: '超过证照有效期的授权不续期，并逐张说明' }),
        },
      },
      stopMany: {
        label: '批量撤销',
        inputs: { ...many, reason: f.text('撤销原因', { required: true, max: 200 }) },
      },
    },
  },
  posting: {
    stockDirection: 'none',
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        recipient: doc => doc.partner_sn,
        header: ['application_sn', 'purpose', 'valid_from', 'valid_to', 'may_print', 'watermark', 'granted_count'],
        lines: [
          'licence_type',
          'licence_no',
          'issuer',
          'paper_from',
          'paper_to',
          'scope',
          'subjects',
          'campus',
          'copy_no',
          'scans',
          'result',
        ],
        lineFilter: agreed,
        withoutRemarks: true,
        message: { title: '收到证照授权', uri: 'licenceEmpower' },
      },
    ],
  },
  screens: [
    {
      ...tab,
      tab: '我授权的',
      leads: true,
      purpose: '本机构证照的授权对象、打印权限与期限；撤销后立即失效',
      columns: [
        'sn',
        'application_sn',
        'partner_sn',
        'partner_type',
        'purpose',
        'granted_count',
        'valid_from',
        'valid_to',
        'may_print',
        'watermark',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'view_count',
        'state',
        'remark',
      ],
      filters: [
        'sn',
        'application_sn',
        'partner_sn',
        'partner_type',
        'licence_type',
        'purpose',
        'business_date',
        'valid_to',
        'state',
      ],
      actions: [
        'add',
        'edit',
        'del',
        'agree',
        'submit',
        'unsubmit',
        'review',
        'reject',
        'unreview',
        'cancel',
        'extend',
        'stop',
      ],
      where: { role: 'own' },
    },
    {
      ...tab,
      tab: '授权给我的',
      purpose: '其他机构授权给本机构的证照：查看带水印的扫描件，存入证照档案',
      columns: [
        'sn',
        'counterparty_sn',
        'application_sn',
        'purpose',
        'granted_count',
        'valid_from',
        'valid_to',
        'may_print',
        'business_date',
        'state',
      ],
      filters: ['sn', 'counterparty_sn', 'application_sn', 'licence_type', 'purpose', 'valid_to', 'state'],
      actions: ['toRecord'],
      where: { role: 'counterparty' },
    },
  ],
})
