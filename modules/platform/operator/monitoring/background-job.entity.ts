import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 后台任务: the system's own work in the background, with the outcome of each job's last run. */
export const backgroundJob = defineEntity({
  kind: 'backgroundJob',
  title: '后台任务',
  table: 'background_job_state',
  key: 'background_job_sn',
  scope: 'shared',
  readOnly: true,
  display: 'title',
  sort: 'name',
  fields: {
    title: f.text('任务'),
    name: f.text('任务代码'),
    every_seconds: f.count('间隔(秒)'),
    started_at: f.instant('上次开始'),
    last_success_at: f.instant('上次成功'),
    last_failure_at: f.instant('上次失败'),
    last_error: f.longText('错误'),
    took_ms: f.count('耗时(毫秒)'),
    is_running: f.flag('正在运行'),
    is_failing: f.flag('上次未成功'),
    runs: f.count('运行次数'),
    failures: f.count('失败次数'),
  },
  search: ['title', 'name', 'last_error'],
  tone: row => (row.is_failing === true ? 'danger' : undefined),
  screens: [
    {
      route: '/ptm/backgroundJobs',
      title: '后台任务',
      orgs: 'P',
      menu: '系统设置',
      purpose: '系统自动执行的任务：上次成功与失败的时间、错误、耗时与次数；失败的任务会自动再次执行',
      columns: [
        'title',
        'last_success_at',
        'last_failure_at',
        'last_error',
        'took_ms',
        'is_running',
        'runs',
        'failures',
        'every_seconds',
        'started_at',
        'name',
      ],
      filters: ['title', 'is_running', 'is_failing', 'last_success_at', 'last_failure_at'],
      actions: [],
    },
  ],
})
