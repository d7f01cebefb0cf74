import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

/**
 * 批量换证: renewals entered one by one or from a workbook; each creates the new licence beside the old one. Scans are
 * added there afterwards.
 */
export const licenceRenewal = defineEntity({
  kind: 'licenceRenewal',
  title: '批量换证',
  table: 'licence_renewal',
  key: 'renewal_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'licence_no',
  sort: '-renewal_sn',
  fields: {
    licence_type: f.pick('证照类型', licenceTypes, { required: true, width: 190 }),
    old_no: f.text('原证照编号', { required: true, max: 80, width: 190 }),
    licence_no: f.text('新证照编号', { required: true, max: 80, width: 190 }),
    valid_from: f.day('有效期起', { required: true }),
    valid_to: f.day('有效期至', { hint: '留空为长期' }),
    issued_on: f.day('发证日期'),
    holder_code: f.text('持有机构信用代码', { max: 18, hint: '留空为本机构的证照' }),
    holder_sn: f.ref('持有机构', 'organisation', { readOnly: true }),
    licence_sn: f.ref('新证照', 'licence', { readOnly: true }),
    renewed_by: f.text('换证人', { readOnly: true }),
    renewed_at: f.instant('换证时间', { readOnly: true }),
  },
  extras: {
    audit_state: f.pick('新证照审核状态', { draft: '草稿', pending: '待审核', passed: '已审核', rejected: '未通过' }),
  },
  search: ['licence_no', 'old_no', 'holder_name'],
  screens: [
    {
      route: '/commonView/expiryDateManage',
      tab: '批量换证',
      title: '证照效期管理',
      orgs: 'HDV',
      menu: '证照管理',
      purpose: '按Excel批量换证：类型、原编号、新编号和有效期；扫描件随后在证照页面补传',
      columns: [
        'holder_sn',
        'licence_type',
        'old_no',
        'licence_no',
        'issued_on',
        'valid_from',
        'valid_to',
        'audit_state',
        'renewed_by',
        'renewed_at',
      ],
      filters: ['holder_name', 'licence_type', 'old_no', 'licence_no', 'renewed_at'],
      actions: ['add', 'import', 'export'],
    },
  ],
})
