import { f } from '#kernel/definition/field.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

/** A licence as the applicant entered it. */
export const filedLicences = {
  licence_type: f.pick('证照类型', licenceTypes, { required: true }),
  licence_no: f.text('证照编号', { max: 60, required: true }),
  issuer: f.text('发证机关', { max: 100 }),
  valid_from: f.day('发证日期', { required: true }),
  valid_to: f.day('有效期至', { hint: '留空为长期' }),
  scans: f.files('附件'),
  check_result: f.pick('核对结论', { agrees: '一致', differs: '不一致', missing: '缺原件' }),
} as const
