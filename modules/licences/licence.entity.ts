import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import type { Screen } from '#kernel/screen.ts'

/** Papers of the trade. The word is the key: it is what people read and what rules name. */
const types = [
  '营业执照',
  '医疗器械经营许可证',
  '第二类医疗器械经营备案凭证',
  '医疗器械生产许可证',
  '第一类医疗器械生产备案凭证',
  '医疗机构执业许可证',
  '事业单位法人证书',
  '放射诊疗许可证',
  '大型医用设备配置许可证',
  '授权书',
  '质量保证协议',
  '法人授权委托书（销售人员）',
  '法人授权委托书（跟台人员）',
  '医联体合作协议',
  '质量体系认证证书',
  '开票信息/开户许可证',
  '其他',
] as const
export const licenceTypes = Object.fromEntries(types.map(type => [type, type])) as Record<
  (typeof types)[number],
  string
>

/** A page of partners' papers: of one kind of organisation. */
const archive = (
  screen: Pick<Screen, 'route' | 'title' | 'orgs' | 'purpose'>,
  holder: string,
): Screen<string, string> => ({
  ...screen,
  menu: '证照管理',
  where: { holder_type: holder },
  columns: [
    'holder_sn',
    'social_credit_code',
    'licence_type',
    'licence_no',
    'issuer',
    'issued_on',
    'valid_from',
    'valid_to',
    'days_left',
    'scope',
    'attachments',
    'licence_state',
  ],
  filters: ['holder_name', 'social_credit_code', 'licence_type', 'licence_no', 'valid_to', 'licence_state'],
})
/** The page of one's own papers. */
const own = (screen: Pick<Screen, 'route' | 'title' | 'orgs'>): Screen<string, string> => ({
  ...screen,
  menu: '证照管理',
  purpose: '本机构的证照与扫描件，到期前换证',
  where: { holder_type: 'own' },
  columns: [
    'licence_type',
    'licence_no',
    'issuer',
    'issued_on',
    'valid_from',
    'valid_to',
    'days_left',
    'scope',
    'grantee_sn',
    'attachments',
    'licence_state',
  ],
  filters: ['licence_type', 'licence_no', 'valid_to', 'licence_state'],
})

/** 证照: an organisation's archive of its own papers and of copies of its partners'. */
export const licence = defineEntity({
  kind: 'licence',
  title: '证照',
  table: 'licence',
  key: 'licence_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'licence_no',
  retire: 'disable',
  fields: {
    holder_sn: f.ref('持有机构', 'organisation', {
      required: true,
      shows: { social_credit_code: 'social_credit_code' },
      narrow: { relation: 'partner' },
    }),
    licence_type: f.pick('证照类型', licenceTypes, { required: true }),
    licence_no: f.text('证照编号', { required: true, max: 80 }),
    issuer: f.text('发证机关', { max: 80 }),
    issued_on: f.day('发证日期'),
    valid_from: f.day('有效期起', { required: true }),
    valid_to: f.day('有效期至'),
    long_term: f.flag('长期有效', { default: false }),
    scope: f.longText('范围', { max: 1000 }),
    grantor_sn: f.ref('授权方', 'organisation'),
    grantee_sn: f.ref('被授权方', 'organisation'),
    authorised_hospital_sn: f.ref('授权医院', 'organisation'),
    person_name: f.text('被委托人', { max: 40 }),
    attachments: f.files('扫描件'),
    remark: f.text('备注', { max: 200 }),
    status: f.pick(
      '状态',
      { enabled: '启用', disabled: '停用', replaced: '已换证' },
      { readOnly: true, default: 'enabled' },
    ),
  },
  extras: {
    holder_type: f.pick('档案', { own: '我的证照', 1: '医院', 2: '经销商', 3: '厂商', 0: '平台' }),
    days_left: f.count('剩余天数'),
    licence_state: f.pick('证照状态', {
      valid: '有效',
      expiring: '即将到期',
      expired: '已过期',
      disabled: '已停用',
      replaced: '已换证',
    }),
  },
  unique: [['holder_sn', 'licence_type', 'licence_no', 'valid_from']],
  guards: [
    row => row.long_term || row.valid_to !== null || '请填写有效期至，或选择长期有效',
    row => row.valid_to === null || row.valid_to > row.valid_from || '有效期至必须晚于有效期起',
  ],
  search: ['licence_no', 'licence_type', 'holder_name'],
  screens: [
    archive(
      {
        route: '/commonView/licRecord/dealerLic',
        title: '经销商证照档案',
        orgs: 'HDV',
        purpose: '往来经销商的资质：决定今天能不能与它交易',
      },
      '2',
    ),
    archive(
      {
        route: '/commonView/licRecord/vendorLic',
        title: '厂商证照档案',
        orgs: 'HD',
        purpose: '厂商的生产许可、授权与备案',
      },
      '3',
    ),
    archive(
      {
        route: '/commonView/licRecord/hospitalLic',
        title: '医院证照档案',
        orgs: 'DV',
        purpose: '客户医院的执业许可与委托',
      },
      '1',
    ),
    own({ route: '/commonView/myLic/dealer', title: '我的证照（经销商）', orgs: 'D' }),
    own({ route: '/commonView/myLic/hospital', title: '我的证照（医院）', orgs: 'H' }),
    own({ route: '/commonView/myLic/vendor', title: '我的证照（厂商）', orgs: 'V' }),
  ],
})
