import type { Sql } from 'postgres'
import type { Tool } from '#server/engine/assistant/tool.ts'
import type { DeviceDesk } from '#server/engine/device/desk.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'
import type { GrantedFiles } from '#server/engine/files/granted.ts'
import type { FileStore } from '#server/engine/files/store.ts'
import type { FlowRules } from '#server/engine/flow.ts'
import type { HourlyJob } from '#server/engine/housekeeping.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'
import type { Round } from '#server/engine/rounds.ts'

/**
 * What modules add to the engine beyond their definitions. The engine knows no module: whoever puts the program together
 * registers this one object before anything is asked of it.
 */
export type Hooks = {
  /** What documents of a kind ask of the database beyond their pure guards. */
  readonly documents: readonly DocumentRules[]
  /** The same for records. */
  readonly records: readonly RecordRules[]
  /** Reference rows that must stand before anybody is let in. */
  readonly startupSeeds: readonly ((owner: Sql) => Promise<unknown>)[]
  /** Processes that are drawn as charts, with their figures. */
  readonly processCharts: readonly FlowRules[]
  /** What is done every hour. */
  readonly hourlyJobs: readonly HourlyJob[]
  /** What is looked at every few seconds. */
  readonly quickJobs: readonly Round[]
  /** The same, for what lies in the store of files. */
  readonly fileJobs: readonly ((owner: Sql, store: FileStore) => Promise<unknown>)[]
  /** Files of others that one may look at without having them. */
  readonly grantedFiles: GrantedFiles
  /** Who answers for the devices that sign their requests. */
  readonly deviceHandler: DeviceDesk
  /** Questions about one's own figures that the assistant can answer; the first that recognises a question is asked. */
  readonly assistantTools: readonly Tool[]
}

type Registered = {
  readonly given: Hooks
  readonly documents: ReadonlyMap<string, DocumentRules>
  readonly records: ReadonlyMap<string, RecordRules>
}
let registered: Registered | undefined

const byKind = <R extends { readonly kind: string }>(list: readonly R[]) =>
  new Map(list.map(rules => [rules.kind, rules]))

/** Fills the registry of hooks where a program starts. */
export function registerHooks(given: Hooks): void {
  if (registered?.given === given) return
  registered = { given, documents: byKind(given.documents), records: byKind(given.records) }
}

function registry(): Registered {
  if (registered === undefined) throw new Error('the hooks were asked for before registerHooks was called')
  return registered
}

export const hooks = (): Hooks => registry().given
/** The hooks of a kind of document; empty ones where it has none. */
export const documentRulesOf = (kind: string): DocumentRules => registry().documents.get(kind) ?? { kind }
/** The hooks of a kind of record; empty ones where it has none. */
export const rulesOf = (kind: string): RecordRules => registry().records.get(kind) ?? { kind }
