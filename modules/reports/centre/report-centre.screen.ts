import type { Screen } from '#kernel/definition/screen.ts'

/** 报表中心: the entry page to every report that the reader's menu grants. */
export const reportCentreScreen: Screen = {
  route: '/commonView/report',
  tab: '全部报表',
  title: '报表中心',
  orgs: 'HDV',
  menu: '报表中心',
  purpose: '可以看的全部报表：收藏的排在前面，写明各回答什么问题',
  columns: [],
  filters: [],
  page: 'reportCentre',
}
