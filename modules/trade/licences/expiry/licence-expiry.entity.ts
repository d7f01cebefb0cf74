import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { renewed } from '#modules/trade/licences/archive/licence.entity.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

const given = { readOnly: true } as const
const columns = [
  'level',
  'partner_sn',
  'partner_type',
  'licence_type',
  'code',
  'valid_to',
  'days_left',
  'affected_goods',
  'affected_papers',
  'responsible',
  'state',
  'reminded_on',
  'note',
] as const
const tab = (
  name: string,
  whose: string,
  purpose: string,
  of: Partial<Screen<string, string>>,
): Screen<string, string> => ({
  route: '/commonView/licRecord/validityWarning',
  tab: name,
  title: '证照有效期预警',
  orgs: 'HDV',
  menu: '证照管理',
  purpose,
  where: { whose },
  counted: { state: 'open' },
  columns: [...columns],
  filters: [
    'level',
    'partner_name',
    'partner_type',
    'licence_type',
    'code',
    'valid_to',
    'days_left',
    'state',
    'responsible',
  ],
  actions: ['handle', 'remind', 'renew', 'ignore'],
  ...of,
})

/**
 * 证照有效期预警: every licence about to end or ended, with the business that its end blocks; disappears automatically once it
 * is renewed.
 */
export const licenceValidity = defineEntity({
  kind: 'licenceValidityWarning',
  title: '证照有效期预警',
  table: 'licence_validity',
  key: 'warning_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'code',
  sort: '-severity,valid_to',
  tone: row =>
    row.level === 'red' ? 'danger' : row.level === 'orange' || row.level === 'missing' ? 'warning' : undefined,
  fields: {
    category: f.pick('预警类别', { CERTIFICATIONEARLY: '资质预警', PRODUCTREGISTRATION: '注册证预警' }, given),
    level: f.pick(
      '预警级别',
      { missing: '缺（未登记）', red: '红（已过期）', orange: '橙（紧急）', yellow: '黄（提醒）' },
      { ...given, width: 120 },
    ),
    severity: f.count('严重程度', given),
    whose: f.pick('证照', { own: '我的证照', partner: '合作机构证照', product: '产品注册证' }, given),
    partner_sn: f.ref('机构名称', 'organisation', given),
    licence_type: f.pick('证照类型', licenceTypes, { ...given, width: 190 }),
    code: f.text('证照编号/注册证号', { ...given, width: 200 }),
    product_name: f.text('产品名称', given),
    licence_sn: f.ref('证照', 'licence', given),
    certificate_sn: f.ref('注册证', 'registrationCertificate', given),
    valid_to: f.day('有效期至', given),
    responsible: f.text('责任人', { max: 40, readOnly: true }),
    state: f.pick('处理状态', { open: '待处理', handled: '已处理', ignored: '已忽略' }, given),
    handled_by: f.text('处理人', given),
    handled_at: f.instant('处理时间', given),
    note: f.text('备注', given),
    reminded_on: f.day('最近催办时间', given),
    first_at: f.instant('首次预警时间', given),
  },
  extras: {
    days_left: f.count('剩余天数'),
    partner_type: f.pick('机构类型', { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' }),
    affected_goods: f.count('影响品规数'),
    affected_papers: f.count('影响未完成单据数'),
  },
  search: ['code', 'partner_name'],
  actions: {
    handle: {
      label: '处理登记',
      tone: 'primary',
      asks: { responsible: f.text('责任人', { max: 40 }), note: f.text('处理说明', { max: 200 }) },
    },
    remind: { label: '催办' },
    renew: { label: '换证', asks: renewed },
    ignore: { label: '忽略', asksReason: true, reasonMsg: '请填写忽略原因' },
  },
  screens: [
    tab('合作机构证照', 'partner', '往来机构缺少、快到期和已过期的证照，以及到期后受影响的单据', { leads: true }),
    tab('我的证照', 'own', '本机构缺少、快到期和已过期的证照，请尽早登记和换证', {}),
    tab('产品注册证', 'product', '在库产品快到期和已过期的注册证', {
      columns: [columns[0], 'product_name', ...columns.slice(1)],
      actions: ['handle', 'ignore'],
    }),
  ],
})
