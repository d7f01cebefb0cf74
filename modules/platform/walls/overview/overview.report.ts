import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

/** 待办积压: documents that wait for their review, and for how many hours each. */
export const backlog = defineReport({
  kind: 'wallBacklog',
  title: '待办积压',
  sqlFile: 'platform/walls/overview/backlog.sql',
  parameters: {},
  columns: {
    document_kind: f.text('单据'),
    waiting: f.count('待审核'),
    oldest_hours: f.count('最久(时)'),
  },
  screens: [],
})

/** 实时流转: what moved last, a row a line of a document, with where it came from and went to. */
export const liveFlow = defineReport({
  kind: 'wallLiveFlow',
  title: '实时流转',
  sqlFile: 'platform/walls/overview/live-flow.sql',
  parameters: {},
  columns: {
    at: f.instant('时间'),
    document_kind: f.text('环节'),
    product_name: f.text('产品'),
    lot_no: f.lot('批号'),
    quantity: f.quantity('数量'),
    from_place: f.text('从'),
    to_place: f.text('到'),
    document_sn: f.text('单据'),
  },
  screens: [],
})
