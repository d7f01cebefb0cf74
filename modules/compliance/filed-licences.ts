import { f } from '#kernel/field.ts'

/** The kinds of papers that a partner's file may hold, by the words of the archive. */
const types = [
  '营业执照',
  '医疗器械经营许可证',
  '第二类医疗器械经营备案凭证',
  '医疗器械生产许可证',
  '第一类医疗器械生产备案凭证',
  '医疗机构执业许可证',
  '事业单位法人证书',
  '授权书',
  '质量保证协议',
  '法人授权委托书（销售人员）',
  '质量体系认证证书',
  '开票信息/开户许可证',
  '其他',
] as const

/** A licence as the applicant read it off its paper. */
export const filedLicences = {
  licence_type: f.pick(
    '证照类型',
    Object.fromEntries(types.map(type => [type, type])) as Record<(typeof types)[number], string>,
    { required: true },
  ),
  licence_no: f.text('证照编号', { max: 60, required: true }),
  issuer: f.text('发证机关', { max: 100 }),
  valid_from: f.day('发证日期', { required: true }),
  valid_to: f.day('有效期至', { hint: '留空为长期' }),
  scans: f.files('附件'),
  check_result: f.pick('核对结论', { agrees: '一致', differs: '不一致', missing: '缺原件' }),
} as const
