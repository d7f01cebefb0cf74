import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 查看记录: which partner user viewed or printed which granted licence, and when. */
export const licenceLook = defineEntity({
  kind: 'licenceLook',
  title: '证照查看记录',
  table: 'licence_access',
  key: 'look_sn',
  scope: 'organisation',
  display: 'grant_sn',
  readOnly: true,
  sort: '-at',
  fields: {
    grant_org_sn: f.ref('授权机构', 'organisation'),
    grant_sn: f.text('授权单号'),
    viewer_org_sn: f.ref('查看机构', 'organisation'),
    line_no: f.count('行号'),
    licence_type: f.text('证照类型', { width: 190 }),
    action: f.pick('操作', { view: '查看', print: '打印' }),
    user_name: f.text('查看人'),
    at: f.instant('时间'),
  },
  search: ['grant_sn', 'licence_type', 'user_name'],
  screens: [
    {
      route: '/commonView/empowerCensus',
      tab: '查看记录',
      title: '证照授权统计',
      orgs: 'HDV',
      menu: '证照管理',
      purpose: '授权扫描件的查看与打印记录',
      columns: ['at', 'viewer_org_sn', 'user_name', 'action', 'licence_type', 'grant_org_sn', 'grant_sn', 'line_no'],
      filters: ['at', 'viewer_org_name', 'user_name', 'action', 'licence_type', 'grant_org_name', 'grant_sn'],
    },
  ],
})
