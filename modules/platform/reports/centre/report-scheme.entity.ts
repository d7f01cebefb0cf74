import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { schedules } from '#kernel/values/schedule.ts'

/** 查询方案: a user's saved query of a report; run automatically on request. */
export const reportScheme = defineEntity({
  kind: 'reportScheme',
  title: '查询方案',
  table: 'report_scheme',
  key: 'report_scheme_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'name',
  sort: '-report_scheme_sn',
  fields: {
    name: f.text('方案名称', { required: true, max: 40 }),
    report: f.text('报表', { required: true, max: 60 }),
    query: f.longText('查询条件', { max: 1000, hint: '在报表页设好条件后点“保存查询方案”带入' }),
    schedule: f.pick('定时导出', schedules, {
      hint: '不选为不定时；每天取前一天、每周取前七天、每月取上个月，按到时的权限导出，文件进消息中心',
    }),
    due_on: f.day('下次导出日期', { readOnly: true }),
  },
  extras: { report_title: f.text('报表名称'), conditions: f.text('条件', { width: 360 }) },
  search: ['name'],
  screens: [
    {
      route: '/commonView/report',
      tab: '查询方案',
      title: '报表中心',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '本人保存的查询方案：可直接打开，或每天、每周、每月自动导出',
      columns: ['name', 'report_title', 'schedule', 'due_on', 'conditions'],
      filters: ['name', 'schedule'],
    },
  ],
})
