import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { linkToLicences } from '#modules/trade/licensing/licence-types.ts'
import type { Screen } from '#kernel/definition/screen.ts'

const tab = (screen: Pick<Screen, 'route' | 'title' | 'orgs'>, system_type: string): Screen<string, string> => ({
  ...screen,
  tab: '按机构',
  menu: '证照管理',
  purpose: '每个往来机构的证照总体状态、缺少的必备证照和最早到期日，点【查看证照】看明细',
  where: { system_type },
  columns: [
    'holder_sn',
    'social_credit_code',
    'licence_state',
    'missing_papers',
    'licence_count',
    'waiting',
    'first_end',
    'days_left',
  ],
  filters: ['holder_name', 'licence_state', 'missing_papers', 'first_end'],
  actions: ['apply'],
})

/** 机构资质: partners with their worst licence, and the required ones that are missing. */
export const partnerFile = defineEntity({
  kind: 'partnerFile',
  title: '机构资质',
  table: 'partner_file',
  key: 'file_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'holder_sn',
  sort: 'first_end',
  fields: {
    holder_sn: f.ref('机构名称', 'organisation', {
      readOnly: true,
      shows: { social_credit_code: 'social_credit_code' },
    }),
  },
  extras: {
    social_credit_code: f.text('统一社会信用代码'),
    system_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }),
    licence_state: f.pick('资质状态', { valid: '有效', expiring: '即将到期', expired: '已过期', missing: '未登记' }),
    missing_papers: f.text('缺少必备证照', { width: 260 }),
    licence_count: f.count('有效档案数'),
    waiting: f.count('待审核数'),
    first_end: f.day('最早到期日'),
    days_left: f.count('剩余天数'),
  },
  actions: { apply: { label: '申请缺少的证照' } },
  tone: row =>
    row.licence_state === 'expired' || row.licence_state === 'missing'
      ? 'danger'
      : row.licence_state === 'expiring' || row.missing_papers
        ? 'warning'
        : undefined,
  search: ['holder_name'],
  links: [linkToLicences('holder_name')],
  screens: [
    tab({ route: '/commonView/licRecord/dealerLic', title: '经销商证照档案', orgs: 'HDV' }, '2'),
    tab({ route: '/commonView/licRecord/vendorLic', title: '厂商证照档案', orgs: 'HD' }, '3'),
    tab({ route: '/commonView/licRecord/hospitalLic', title: '医院证照档案', orgs: 'DV' }, '1'),
  ],
})
