import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { joined } from '#kernel/module.ts'
import type { ConfigItem, HospitalPolicy, Settings } from '#kernel/definition/setting.ts'
import type { Tool } from '#server/assistant/tool.ts'
import type { DeviceHandler } from '#server/devices/device-handler.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import type { Receiver } from '#server/documents/intercompany/recipients.ts'
import type { DocumentMessage } from '#server/documents/intercompany/outbox.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { ListColumn } from '#server/documents/list/computed-columns.ts'
import type { Session } from '#server/access/session.ts'
import type { EffectHooks } from '#server/documents/effective.ts'
import type { ItemData, Trade } from '#server/documents/lines/item-data.ts'
import type { ActionCheck, DocumentHooks } from '#server/documents/action/context.ts'
import type { GrantedFiles } from '#server/files/access.ts'
import type { FileStore } from '#server/files/store.ts'
import type { ReportRules } from '#server/reports/report-rules.ts'
import type { PageRules } from '#server/rulebook/page-rule.ts'
import type { FigurePlaces } from '#server/figures/compare-figures.ts'
import type { ProcessChartHooks } from '#server/reports/process-chart.ts'
import type { BackgroundJob } from '#server/jobs/job.ts'
import type { Fragment, RecordRules } from '#server/records/hooks.ts'
import type { HisSender } from '#server/outbound/his/ask.ts'
import type { HisReceived } from '#server/outbound/his/hl7/read-message.ts'
import type { MappedField } from '#server/outbound/his/json/field-map.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * The part of modules in the engine beyond their definitions. The engine knows no module: the program registers this
 * one object before anything is asked of it.
 */
export type Hooks = {
  /** Conditions of documents of a kind that need the database, and writes beside their actions. */
  readonly documents: readonly DocumentHooks[]
  /** The same for records. */
  readonly records: readonly RecordRules[]
  /** Actions on ticked rows of reports. */
  readonly reports: readonly ReportRules[]
  /** The rules to which pages hold, as the people who work there read them. */
  readonly pageRules: readonly PageRules[]
  /**
   * Conditions of every document at submit and review, after its pure guards and before its own hooks, in this order.
   */
  readonly actionChecks: readonly ActionCheck[]
  /** The same after its own hooks, where nothing refused so far. */
  readonly finalChecks: readonly ActionCheck[]
  /** Writes beside documents that come into force. */
  readonly effects: readonly EffectHooks[]
  /** Columns of document lists that are computed, by name; each is read for the kinds whose pages show it. */
  readonly listColumns: Readonly<Record<string, ListColumn>>
  /** Columns that the page of a document shows beyond its own; null where a kind has no such column. */
  readonly detailColumns: Readonly<Record<string, (...of: Parameters<ListColumn>) => ReturnType<ListColumn> | null>>
  /** Values that the page of a document shows beyond its columns. */
  readonly detailFields: readonly ((tx: Tx, session: Session, definition: AnyDocument, id: string) => Promise<Row>)[]
  /** The receivers of a report of use, with their lines: the owners, suppliers or makers of the goods. */
  readonly reportRecipients: (
    tx: Tx,
    session: Session,
    definition: AnyDocument,
    doc: StoredDocument,
  ) => Promise<readonly Receiver[]>
  /**
   * Creates a document from our own documents when a copy arrives that bills or pays them; null where nothing
   * matches.
   */
  readonly matchReceived: (
    tx: Tx,
    session: Session,
    target: AnyDocument,
    copy: StoredDocument,
    state: 'draft' | 'submitted',
    message: DocumentMessage,
    carries?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly kind: string; readonly sn: string } | null>
  /** The limits of an organisation's plan: throws where a file is too much, or says why a call may not go. */
  readonly quotas: {
    readonly storage: (tx: Tx, session: Session, bytes: number) => Promise<void>
    readonly outboundCalls: (tx: Tx, org: string, system: string) => Promise<string | null>
  }
  /** Values that every printed document shows beyond its own. */
  readonly printFields: (tx: Tx, session: Session, definition: AnyDocument, info: Row) => Promise<Row>
  /** A printed document as a contract: both parties, and the clauses of its text filled in. */
  readonly contractLayout: (
    tx: Tx,
    session: Session,
    kind: string,
    contract: NonNullable<PrintSheet['contract']>,
    info: { readonly whole: Row; readonly raw: Row },
    asked: { readonly template?: unknown; readonly newest?: unknown },
  ) => Promise<Row>
  /** The data of items in the catalogue, by id. */
  readonly itemData: (tx: Tx, ids: readonly string[], trade: Trade) => Promise<Map<string, ItemData>>
  /** The warehouses in which organisations keep an item: rows of `org_id`, `specification_id` and `warehouse_id`. */
  readonly itemStoresSql: (tx: Tx) => Fragment
  /**
   * The settings of organisations: items of the platform, policies of hospitals, and the values that hold where nobody
   * set one.
   */
  readonly settings: {
    readonly items: readonly ConfigItem[]
    readonly policies: readonly HospitalPolicy[]
    readonly defaults: Readonly<Settings>
  }
  /** Groups of the menu in their order, each with its icon and the titles of its pages in their order. */
  readonly menuGroups: readonly {
    readonly title: string
    readonly icon: string
    readonly pages: readonly string[]
  }[]
  /** Reference rows that must exist before any user is let in. */
  readonly startupSeeds: readonly ((owner: Sql) => Promise<unknown>)[]
  /** Processes drawn as charts, with their figures. */
  readonly processCharts: readonly ProcessChartHooks[]
  /** Figures that rooms show on pages of their own: they are compared with their measures. */
  readonly figurePlaces: readonly FigurePlaces[]
  /** Work in the background: hourly, or whenever something is due. */
  readonly jobs: readonly BackgroundJob[]
  /** Calls that follow from no definition; each says in its `config` who may make it. */
  readonly routes: readonly ((app: FastifyInstance, parts: { readonly sql: Sql; readonly store: FileStore }) => void)[]
  /** Files of other organisations that may be viewed but not owned. */
  readonly grantedFiles: GrantedFiles
  /** The handler of devices that sign their requests. */
  readonly deviceHandler: DeviceHandler
  /** Questions about one's own figures that the assistant can answer; the first that recognises a question is asked. */
  readonly assistantTools: readonly Tool[]
  /** Senders of entries to the HIS of hospitals, which also handle the answers. */
  readonly hisSenders: readonly HisSender[]
  /** Handlers of messages that a HIS sends by itself, in the transaction that takes the message in. */
  readonly hisReceived: readonly ((tx: Tx, org: string, received: HisReceived) => Promise<void>)[]
  /** A hospital's mapping of the contract's fields to those of its HIS, where the HIS speaks plain JSON. */
  readonly hisFields: (tx: Tx, org: string) => Promise<readonly MappedField[]>
}

/** The part that one room adds. */
export type ModuleHooks = Partial<Hooks>

/** The parts of all rooms, in their order. */
export const hooksOf = (modules: readonly ModuleHooks[]): Hooks =>
  joined<Hooks>(modules, {
    documents: 'list',
    records: 'list',
    reports: 'list',
    pageRules: 'list',
    actionChecks: 'list',
    finalChecks: 'list',
    effects: 'list',
    listColumns: 'names',
    detailColumns: 'names',
    detailFields: 'list',
    reportRecipients: 'one',
    matchReceived: 'one',
    quotas: 'one',
    printFields: 'one',
    contractLayout: 'one',
    itemData: 'one',
    itemStoresSql: 'one',
    settings: 'one',
    menuGroups: 'one',
    startupSeeds: 'list',
    processCharts: 'list',
    figurePlaces: 'list',
    jobs: 'list',
    routes: 'list',
    grantedFiles: 'one',
    deviceHandler: 'one',
    assistantTools: 'list',
    hisSenders: 'list',
    hisReceived: 'list',
    hisFields: 'one',
  })

type Row = Readonly<Record<string, unknown>>

type Completing = { readonly kind: string; readonly completion: NonNullable<DocumentHooks['completion']> }
type Registered = {
  readonly given: Hooks
  readonly documents: ReadonlyMap<string, DocumentHooks>
  readonly completions: readonly Completing[]
  readonly records: ReadonlyMap<string, RecordRules>
  readonly reports: ReadonlyMap<string, ReportRules>
  readonly items: ReadonlyMap<string, ConfigItem>
  readonly policies: ReadonlyMap<string, HospitalPolicy>
}
let registered: Registered | undefined

const byKind = <R extends { readonly kind: string }>(list: readonly R[]) =>
  new Map(list.map(rules => [rules.kind, rules]))

const byName = <N extends { readonly name: string }>(list: readonly N[]) => new Map(list.map(each => [each.name, each]))

/** Fills the registry of hooks where a program starts. */
export function registerHooks(given: Hooks): void {
  if (registered?.given === given) return
  registered = {
    given,
    documents: byKind(given.documents),
    completions: given.documents.flatMap(({ kind, completion }) => (completion ? [{ kind, completion }] : [])),
    records: byKind(given.records),
    reports: byKind(given.reports),
    items: byName(given.settings.items),
    policies: byName(given.settings.policies),
  }
}

function registry(): Registered {
  if (registered === undefined) throw new Error('the hooks were asked for before registerHooks was called')
  return registered
}

export const hooks = (): Hooks => registry().given
/** Kinds whose modules say when they are complete. */
export const completions = (): readonly Completing[] => registry().completions
/** The hooks of a kind of document; empty ones where it has none. */
export const documentRulesOf = (kind: string): DocumentHooks => registry().documents.get(kind) ?? { kind }
/** The hooks of a kind of record; empty ones where it has none. */
export const rulesOf = (kind: string): RecordRules => registry().records.get(kind) ?? { kind }
/** The hooks of a report; empty ones where it has none. */
export const reportRulesOf = (kind: string): ReportRules => registry().reports.get(kind) ?? { kind }
/** A setting of the platform, by name. */
export const configItemOf = (name: string): ConfigItem | undefined => registry().items.get(name)
/** A policy of a hospital, by name. */
export const policyOf = (name: string): HospitalPolicy | undefined => registry().policies.get(name)
