import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/**
 * 机构证照: the licences of an organisation held and checked by the platform. The organisation's own archive is
 * separate.
 */
export const organisationLicence = defineEntity({
  kind: 'organisationLicence',
  title: '机构证照',
  table: 'licence',
  key: 'organisation_licence_sn',
  scope: 'organisation',
  under: 'organisation',
  writers: 'P',
  display: 'licence_no',
  fields: {
    holder_sn: f.ref('机构', 'organisation', { required: true }),
    licence_type: f.text('证照类型', { required: true, max: 40 }),
    licence_no: f.text('证照编号', { required: true, max: 80 }),
    issuer: f.text('发证机关', { max: 80 }),
    issued_on: f.day('发证日期'),
    valid_from: f.day('有效期起', { required: true }),
    valid_to: f.day('有效期至'),
    long_term: f.flag('长期有效', { default: false }),
    attachments: f.files('扫描件'),
    audit_state: f.pick('审核状态', { passed: '已通过', pending: '待审核', refused: '未通过' }, { default: 'passed' }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  guards: [
    row => row.long_term || row.valid_to !== null || '请填写有效期至，或选择长期有效',
    row => row.valid_to === null || row.valid_to > row.valid_from || '有效期至必须晚于有效期起',
  ],
  unique: [['holder_sn', 'licence_type', 'licence_no', 'valid_from']],
  search: ['licence_no', 'licence_type'],
  screens: [],
})
