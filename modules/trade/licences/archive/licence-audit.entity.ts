import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

const given = { readOnly: true } as const

/**
 * 证照审核: renewed licences on which an organisation's admission is based; they count once the platform has passed
 * them.
 */
export const licenceAudit = defineEntity({
  kind: 'licenceAudit',
  title: '证照审核',
  table: 'licence_audit',
  key: 'audit_sn',
  scope: 'shared',
  writers: 'P',
  display: 'licence_no',
  sort: '-audit_sn',
  fields: {
    organisation_sn: f.ref('机构', 'organisation', given),
    licence_type: f.pick('证照类型', licenceTypes, { ...given, width: 190 }),
    licence_no: f.text('证照编号', { ...given, width: 190 }),
    issuer: f.text('发证机关', given),
    valid_from: f.day('有效期起', given),
    valid_to: f.day('有效期至', given),
    scope: f.longText('范围', given),
    attachments: f.files('扫描件', given),
    submitted_by: f.text('提交人', given),
    submitted_at: f.instant('提交时间', given),
    state: f.pick(
      '审核状态',
      { pending: '待审核', passed: '已通过', rejected: '未通过', withdrawn: '已撤回' },
      { ...given, default: 'pending' },
    ),
    decided_by: f.text('审核人', given),
    decided_at: f.instant('审核时间', given),
    reason: f.text('未通过原因', given),
  },
  search: ['licence_no', 'organisation_name'],
  actions: {
    review: { label: '审核', tone: 'primary' },
    reject: { label: '驳回', asksReason: true, reasonMsg: '请填写未通过的原因', tone: 'danger' },
  },
  screens: [
    {
      route: '/ptm/agencyManage/AgencyApproval',
      tab: '证照审核',
      title: '机构变更审批',
      orgs: 'P',
      menu: '机构管理',
      purpose: '机构的营业执照与许可证经平台核对扫描件后生效',
      columns: [
        'organisation_sn',
        'licence_type',
        'licence_no',
        'issuer',
        'valid_from',
        'valid_to',
        'scope',
        'attachments',
        'submitted_by',
        'submitted_at',
        'state',
        'decided_by',
        'decided_at',
        'reason',
      ],
      filters: ['organisation_name', 'licence_type', 'licence_no', 'state', 'submitted_at'],
      actions: ['review', 'reject'],
    },
  ],
})
