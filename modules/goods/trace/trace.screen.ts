import { traceRoute } from '#kernel/print/public-label.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** 耗材追溯: one scan for the whole chain; one lot for all that is left of it. */
export const traceScreen: Screen = {
  route: traceRoute,
  title: '耗材追溯',
  orgs: 'PHDV',
  menu: '使用追溯',
  purpose: '扫码追溯单件耗材的来源、当前位置与使用患者；按批号查询全部持有机构与使用记录',
  columns: [],
  filters: [],
  page: 'trace',
}
