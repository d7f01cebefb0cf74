import { reachableStates } from '#kernel/derive/states.ts'
import type { AnyDocument } from '#kernel/document.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { AnyReport } from '#kernel/report.ts'
import type { PrintSheet } from '#kernel/print.ts'
import type { Screen } from '#kernel/screen.ts'
import { type State, states } from '#kernel/state.ts'
import { documents } from '#modules/all-documents.ts'
import { entities } from '#modules/all-entities.ts'
import { reports } from '#modules/all-reports.ts'
import { inboxScreen, noticeRecordScreen } from '#modules/messages/inbox.screen.ts'
import { purchaseFlowScreen } from '#modules/purchasing/purchase-flow.ts'
import { salesFlowScreen } from '#modules/sales/sales-flow.ts'
import { sheets } from '#modules/prints/sheets.ts'
import { reportCentreScreen } from '#modules/reports/report-centre.screen.ts'
import { traceScreen } from '#modules/trace/trace.screen.ts'

/** Every definition of the house. Whatever is derived - routes, pages, menu, flags, tests - is derived from these three lists. */
export { documents, entities, reports }
/** The record in which everything that is done is written down. */
export const logKind = 'operationLog'
/** Screens that show no definition: tools with a page of their own. */
export const tools: readonly Screen[] = [
  purchaseFlowScreen,
  salesFlowScreen,
  reportCentreScreen,
  traceScreen,
  inboxScreen,
  noticeRecordScreen,
]

/** How papers are printed. */
export const prints: readonly PrintSheet[] = sheets
const sheetByKind = new Map(
  sheets
    .filter(sheet => sheet.besides === undefined)
    .flatMap(sheet => Object.keys(sheet.kinds).map(kind => [kind, sheet] as const)),
)
/** The sheet on which papers of a kind are printed, where there is one. */
export const sheetOf = (kind: string): PrintSheet | undefined => sheetByKind.get(kind)
/** What else papers of a kind are printed as: an order as a contract. */
export const sheetsBesides = (kind: string): readonly PrintSheet[] =>
  sheets.filter(sheet => sheet.besides !== undefined && kind in sheet.kinds)

const byKind = <D extends { readonly kind: string }>(list: readonly D[]) =>
  new Map(list.map(definition => [definition.kind, definition]))
const documentMap = byKind(documents)
const entityMap = byKind(entities)
const reportMap = byKind(reports)
const statesByKind = new Map<string, readonly State[]>()
/** The states that a paper of this kind can come to, in the order of its life. */
export function statesOf(definition: AnyDocument): readonly State[] {
  const known = statesByKind.get(definition.kind)
  if (known) return known
  const reached = reachableStates({ documents }, definition)
  const found = (Object.keys(states) as State[]).filter(state => reached.has(state))
  statesByKind.set(definition.kind, found)
  return found
}
/** Of these, the states in which a copy of it can stand at another organisation: it is sent when it is handed in or in force, and may be executed there. */
export const statesOfCopies = (definition: AnyDocument): readonly State[] => {
  const sent = new Set<State>((definition.sends ?? []).map(({ on }) => (on === 'submit' ? 'submitted' : 'reviewed')))
  if (sent.has('submitted')) sent.add('reviewed')
  if (definition.main) sent.add('partial').add('completed')
  if (definition.actions.stop) sent.add('stopped')
  return statesOf(definition).filter(state => sent.has(state))
}
export const documentOf = (kind: string): AnyDocument | undefined => documentMap.get(kind)
export const entityOf = (kind: string): AnyEntity | undefined => entityMap.get(kind)
export const reportOf = (kind: string): AnyReport | undefined => reportMap.get(kind)
