import type { Screen } from '#kernel/definition/screen.ts'

/** 大屏入口: every wall as a tile; the platform first chooses whose figures they show. */
export const wallEntryScreen: Screen = {
  route: '/ptm/largeScreenEntry',
  title: '大屏入口',
  orgs: 'PH',
  menu: '首页',
  purpose: '打开挂墙大屏，或按停留时间轮播',
  columns: [],
  filters: [],
  page: 'wallEntry',
}
