import { traceRoute } from '#kernel/print/public-label.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** 耗材追溯: one scan for the whole chain; one lot for all that is left of it. */
export const traceScreen: Screen = {
  route: traceRoute,
  title: '耗材追溯',
  orgs: 'PHDV',
  menu: '使用追溯',
  purpose: '扫一次码，看一件耗材从哪里来、现在在哪里、用在了谁身上；查一个批号，找到每一家持有者和每一次使用',
  columns: [],
  filters: [],
  page: 'trace',
}
