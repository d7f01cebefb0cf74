import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 导出任务: one's own exports made in the background, and their files as long as they are kept. */
export const exportTask = defineEntity({
  kind: 'exportTask',
  title: '导出任务',
  table: 'export_task',
  key: 'export_task_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'title',
  sort: '-export_task_sn',
  fields: {
    title: f.text('报表名称'),
    path: f.text('导出内容'),
    state: f.pick('任务状态', { running: '生成中', done: '已完成', failed: '失败' }),
    rows_done: f.count('已导出行数'),
    rows_total: f.count('总行数'),
    file_name: f.text('导出文件'),
    error: f.text('失败原因'),
    created_at: f.instant('导出时间'),
    ended_at: f.instant('完成时间'),
    kept_until: f.instant('文件有效期'),
  },
  search: ['title'],
  screens: [
    {
      route: '/commonView/report',
      tab: '导出任务',
      title: '报表中心',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '本人的后台导出任务，文件保留7天，点击任务下载',
      columns: ['title', 'state', 'rows_done', 'created_at', 'ended_at', 'kept_until', 'error'],
      filters: ['title', 'created_at', 'state'],
    },
  ],
})
