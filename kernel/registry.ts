import { reachableStates } from '#kernel/checks/reachable-states.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import type { ForeignTable } from '#kernel/tables/foreign-table.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { BoardDefinition } from '#kernel/wall/board-definition.ts'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { type State, states } from '#kernel/definition/document-state.ts'

/**
 * Every definition of the program. Routes, pages, menu, permissions and tests are derived from these lists. The engine
 * and the pages know no definition by name: they read this registry, which the program fills before anything else.
 */
export type Definitions = {
  readonly documents: readonly AnyDocument[]
  readonly entities: readonly AnyEntity[]
  readonly reports: readonly AnyReport[]
  /** The printed sheets of documents and records. */
  readonly sheets: readonly PrintSheet[]
  /** Files of other programs that are read by their headings. */
  readonly foreignTables: readonly ForeignTable[]
  /** Screens without a definition: tools with a page of their own. */
  readonly tools: readonly Screen[]
  /** Walls of figures; their screens are among the tools. */
  readonly walls: readonly WallDefinition[]
  /** Boards of managers; their screens are among the tools. */
  readonly boards: readonly BoardDefinition[]
  /** The record in which every action is logged. */
  readonly logKind: string
}

type Registered = {
  readonly given: Definitions
  readonly documents: ReadonlyMap<string, AnyDocument>
  readonly entities: ReadonlyMap<string, AnyEntity>
  readonly reports: ReadonlyMap<string, AnyReport>
  readonly sheets: ReadonlyMap<string, PrintSheet>
  readonly states: Map<string, readonly State[]>
}
let registered: Registered | undefined

const byKind = <D extends { readonly kind: string }>(list: readonly D[]) =>
  new Map(list.map(definition => [definition.kind, definition]))

/**
 * Fills the registry where a program starts. The same definitions may be given again, by a test that starts a second
 * server.
 */
export function registerDefinitions(given: Definitions): void {
  if (registered?.given === given) return
  registered = {
    given,
    documents: byKind(given.documents),
    entities: byKind(given.entities),
    reports: byKind(given.reports),
    sheets: new Map(
      given.sheets
        .filter(sheet => sheet.besides === undefined)
        .flatMap(sheet => Object.keys(sheet.kinds).map(kind => [kind, sheet] as const)),
    ),
    states: new Map(),
  }
}

/** Asked too early it throws: a table that is computed while its file loads would stay empty without a word. */
function registry(): Registered {
  if (registered === undefined) throw new Error('the definitions were asked for before registerDefinitions was called')
  return registered
}

/** A table over the definitions, computed at first use and kept until the definitions change. */
export function derived<T>(compute: () => T): () => T {
  let known: { readonly of: Registered; readonly value: T } | undefined
  return () => {
    const of = registry()
    if (known?.of !== of) known = { of, value: compute() }
    return known.value
  }
}

export const documents = (): readonly AnyDocument[] => registry().given.documents
export const entities = (): readonly AnyEntity[] => registry().given.entities
export const reports = (): readonly AnyReport[] => registry().given.reports
export const prints = (): readonly PrintSheet[] => registry().given.sheets
export const foreignTables = (): readonly ForeignTable[] => registry().given.foreignTables
export const foreignTableOf = (kind: string): ForeignTable | undefined =>
  foreignTables().find(table => table.kind === kind)
export const tools = (): readonly Screen[] => registry().given.tools
export const walls = (): readonly WallDefinition[] => registry().given.walls
export const boards = (): readonly BoardDefinition[] => registry().given.boards
export const logKind = (): string => registry().given.logKind

export const documentOf = (kind: string): AnyDocument | undefined => registry().documents.get(kind)
export const entityOf = (kind: string): AnyEntity | undefined => registry().entities.get(kind)
export const reportOf = (kind: string): AnyReport | undefined => registry().reports.get(kind)
/** The sheet on which documents of a kind are printed, where there is one. */
export const sheetOf = (kind: string): PrintSheet | undefined => registry().sheets.get(kind)
/** Further sheets on which documents of a kind are printed: an order as a contract. */
export const sheetsBesides = (kind: string): readonly PrintSheet[] =>
  prints().filter(sheet => sheet.besides !== undefined && kind in sheet.kinds)

/** The states that a document of this kind can come to, in the order of its life. */
export function statesOf(definition: AnyDocument): readonly State[] {
  const { states: known, given } = registry()
  const found = known.get(definition.kind)
  if (found) return found
  const reached = reachableStates({ documents: given.documents }, definition)
  const inOrder = (Object.keys(states) as State[]).filter(state => reached.has(state))
  known.set(definition.kind, inOrder)
  return inOrder
}

/**
 * The states that a copy of the document can have at another organisation: it is sent on submission or when in force,
 * and may be executed there.
 */
export function statesOfCopies(definition: AnyDocument): readonly State[] {
  const sent = new Set<State>(
    (definition.intercompany.copies ?? []).map(({ on }) => (on === 'submit' ? 'submitted' : 'reviewed')),
  )
  if (sent.has('submitted')) sent.add('reviewed')
  if (definition.progress.main) sent.add('partial').add('completed')
  if (definition.actions.stop) sent.add('stopped')
  return statesOf(definition).filter(state => sent.has(state))
}
