import type { Definitions } from '#kernel/registry.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { documents } from '#modules/all-documents.ts'
import { entities } from '#modules/all-entities.ts'
import { foreignTables } from '#modules/all-foreign-tables.ts'
import { reports } from '#modules/all-reports.ts'
import { inboxScreen, noticeRecordScreen } from '#modules/messages/inbox.screen.ts'
import { purchaseFlowScreen } from '#modules/purchasing/orders/purchase-dashboard.ts'
import { boneFlowScreen } from '#modules/surgery/navigation/bone-flow.ts'
import { salesFlowScreen } from '#modules/sales/sales-flow.ts'
import { hospitalHomeScreen } from '#modules/workbench/hospital-home.ts'
import { sheets } from '#modules/prints/sheets.ts'
import { reportCentreScreen } from '#modules/reports/centre/report-centre.screen.ts'
import { traceScreen } from '#modules/trace/trace.screen.ts'
import { boards, walls } from '#modules/walls/all-walls.ts'
import { wallEntryScreen } from '#modules/walls/wall-entry.screen.ts'

export { documents, entities, reports }
/** Screens without a definition: tools with a page of their own. */
export const tools: readonly Screen[] = [
  hospitalHomeScreen,
  purchaseFlowScreen,
  salesFlowScreen,
  boneFlowScreen,
  reportCentreScreen,
  traceScreen,
  inboxScreen,
  noticeRecordScreen,
  wallEntryScreen,
  ...walls.map(({ screen }) => screen),
  ...boards.map(({ screen }) => screen),
]

/** Every definition there is: what a program registers where it starts. */
export const definitions: Definitions = {
  documents,
  entities,
  reports,
  sheets,
  foreignTables,
  tools,
  walls,
  boards,
  logKind: 'operationLog',
}
