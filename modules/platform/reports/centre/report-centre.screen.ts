import type { Screen } from '#kernel/definition/screen.ts'

/** 报表中心: the entry page to every report that the reader's menu grants. */
export const reportCentreScreen: Screen = {
  route: '/commonView/report',
  tab: '全部报表',
  title: '报表中心',
  orgs: 'HDV',
  menu: '报表中心',
  purpose: '有权查看的全部报表及说明，收藏的在前',
  columns: [],
  filters: [],
  page: 'reportCentre',
}
