import type { PendingQuery, Row, Sql } from 'postgres'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Problem, Question } from '#kernel/rules/errors.ts'
import type { Condition } from '#server/lists/query.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A piece of SQL with its parameters, for use inside a statement. */
export type Fragment = PendingQuery<Row[]>
/** A record by its wire names. */
export type RecordRow = Record<string, unknown>

/** A pending change: the whole new row, the fields that were sent, and the row before (null when added). */
export type Change = {
  readonly id: string | null
  readonly after: RecordRow
  readonly sent: Readonly<RecordRow>
  readonly before: Readonly<RecordRow> | null
}

/**
 * An action of the definition beyond the standard ones; returns the values to write, or nothing when it wrote by
 * itself.
 */
export type RecordAction = (
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  reason: string | null,
  /** The values of the action's dialog, by kind. */
  answers: Readonly<RecordRow>,
) => Promise<RecordRow | void>

/** The part of a record's rules that needs the database. Fragments use `t` for the row. */
export type RecordRules = {
  readonly kind: string
  /** Rows the session sees, beside `org_id` and row-level security. */
  readonly visible?: (tx: Tx, session: Session, parameters: Readonly<RecordRow>) => Fragment
  /** The table to write, when the definition's is a view over it. */
  readonly table?: string
  /** The source of the rows, when it is not just the definition's table. */
  readonly source?: (tx: Tx, session: Session, parameters: Readonly<RecordRow>) => Fragment
  /** Computed list columns: the definition's extras, or fields that not everyone may read. */
  readonly columns?: (tx: Tx, session: Session, parameters: Readonly<RecordRow>) => Readonly<Record<string, Fragment>>
  /** Looks something up before the list statement is built; results are added to the parameters. */
  readonly prepare?: (
    tx: Tx,
    session: Session,
    asked: {
      readonly q: string | null
      readonly parameters: Readonly<RecordRow>
      readonly conditions: readonly Condition[]
    },
  ) => Promise<RecordRow>
  /** Adds to a page of rows what one statement could not read. */
  readonly complete?: (tx: Tx, session: Session, rows: readonly RecordRow[]) => Promise<readonly RecordRow[]>
  /** The condition for `q`, where an index needs its own expression. `pattern` is ready for ILIKE. */
  readonly search?: (tx: Tx, pattern: string, parameters: Readonly<RecordRow>) => Fragment
  /**
   * The platform may view other organisations' records; shown first: its own (P), or those of the first organisation
   * of a type.
   */
  readonly platformReads?: OrgType
  /** Lists that require this flag, or one of these, to read; other lists serve every picker. */
  readonly readFlag?: string | readonly string[]
  /** Maximum rows of one workbook. */
  readonly mostExported?: number
  /** Throws when this session may not do this to this row, whatever its flags. */
  readonly mayWrite?: (session: Session, action: string, row: Readonly<RecordRow> | null) => void
  /** Fills in what the server knows (`after` may be changed) and reports what is wrong. */
  readonly check?: (tx: Tx, session: Session, change: Change) => Promise<readonly Problem[] | void>
  /**
   * The questions that a user must confirm first: what an action would change, and whom it concerns. `sent`: the fields
   * or answers of the call.
   */
  readonly asks?: (
    tx: Tx,
    session: Session,
    action: string,
    row: Readonly<RecordRow>,
    sent: Readonly<RecordRow>,
  ) => Promise<readonly Question[]>
  /**
   * Columns that are not fields: search keys, initial passwords, the requesting user. Written together with the row.
   */
  readonly alsoWrites?: (
    tx: Tx,
    session: Session,
    change: Change,
  ) => Promise<Readonly<Record<string, string | number | boolean | null>>>
  /** Fields stored elsewhere than in the table's own columns; `saved` writes them. */
  readonly kept?: readonly string[]
  readonly saved?: (tx: Tx, session: Session, id: string, change: Change) => Promise<void>
  /** Throws while the row is in use and cannot be deleted nor, where specified, disabled. */
  readonly mayLeave?: (tx: Tx, session: Session, action: 'del' | 'disable', row: Readonly<RecordRow>) => Promise<void>
  readonly actions?: Readonly<Record<string, RecordAction>>
  /** Actions above the list, by their names in the definition's `calls`. */
  readonly calls?: Readonly<Record<string, ListActionHandler>>
  /** Those of them that ask another system first. */
  readonly remoteCalls?: Readonly<Record<string, RemoteAction>>
  /** The files for a document number, as one archive; users who may make the call may fetch it. */
  readonly packs?: {
    readonly call: string
    readonly of: (tx: Tx, session: Session, sn: string) => Promise<PackedFiles>
  }
  /** Values that the answer to an action shows once and nothing stores, as a new secret. By label. */
  readonly resultOf?: (
    session: Session,
    action: string,
    row: Readonly<RecordRow>,
  ) => Readonly<Record<string, string>> | null
  /** The content of rows' labels, where they are signs: each code in large letters, and the name of the thing. */
  readonly signs?: (tx: Tx, session: Session, keys: readonly string[]) => Promise<readonly Sign[]>
  /** The units whose labels rows print, where a row's key is not that of its unit. */
  readonly unitsOf?: (tx: Tx, session: Session, keys: readonly string[]) => Promise<readonly string[]>
  /** A row for its printed sheet: `sn` for its code, `lines`, and the fields of the sheet's header. */
  readonly print?: (tx: Tx, session: Session, row: Readonly<RecordRow>) => Promise<Readonly<RecordRow>>
  /**
   * After a sheet was imported, in the same transaction: `keys` are its values in the field by which the definition
   * matches existing rows, none where it matches none.
   */
  readonly imported?: (tx: Tx, session: Session, keys: readonly string[]) => Promise<void>
  /**
   * After the commit, in transactions of its own, since they may be another organisation's: notifies those concerned.
   * It is kept with the write and repeated until it succeeds (`outbox.ts`), so it may run twice: messages with the same
   * words are sent once, everything else finds what it has done. `session` is the organisation's with the user's name.
   */
  readonly afterwards?: (sql: Sql, session: Session, action: string, row: Readonly<RecordRow>) => Promise<void>
  /** The same after a row was deleted, with the row as it was. */
  readonly afterDeletion?: (sql: Sql, session: Session, row: Readonly<RecordRow>) => Promise<void>
}

/** The arguments of a call above a list: its user, the answers to its dialog, and the ticked rows. */
export type CallContext = {
  readonly tx: Tx
  readonly session: Session
  readonly asked: Readonly<RecordRow>
  /** The ticked rows as the list shows them: only those that the caller sees, in places where the caller acts. */
  readonly rows: readonly Readonly<RecordRow>[]
  /** The ids of these rows. */
  readonly ids: readonly string[]
}

/**
 * An action of the definition above its list; returns the caller's answer: `said`, a sentence with the result, the
 * `link` of a file it made, and the document it `made`, which the page opens.
 */
export type ListActionHandler = (
  ctx: CallContext,
) => Promise<Readonly<{ said: string; link?: string; made?: { readonly kind: string; readonly sn: string } }>>

/**
 * An action above the list that needs an answer of another system. It is asked between two transactions, so that
 * neither a connection nor a row is held while it answers.
 */
export type RemoteAction<Answer = unknown> = {
  /** In a transaction of its own: what is asked. Refuses where nothing may be asked. */
  readonly asks: (ctx: CallContext) => Promise<() => Promise<Answer>>
  /** Writes what was answered; what may have changed meanwhile is asked again. */
  readonly writes: (answer: Answer, ctx: CallContext) => ReturnType<ListActionHandler>
}

/** A remote action among others: what it writes is what it asked for. */
export const remoteAction = <Answer>(action: RemoteAction<Answer>): RemoteAction => action as RemoteAction

/** A sign on a place or a thing: its code in large letters, and its description. */
export type Sign = {
  readonly key: string
  readonly code: string
  readonly facts: readonly (readonly [string, string | null])[]
}

/** Files for one archive, each under its name there, and its list of contents. */
export type PackedFiles = {
  readonly title: string
  readonly files: readonly { readonly name: string; readonly as: string }[]
  readonly notes: readonly string[]
}
