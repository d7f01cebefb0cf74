import type { PendingQuery, Row, Sql } from 'postgres'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Problem, Question } from '#kernel/rules/errors.ts'
import type { Condition } from '#server/lists/query.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A piece of SQL with its parameters, to stand inside a statement. */
export type Fragment = PendingQuery<Row[]>
/** A record by its wire names. */
export type RecordRow = Record<string, unknown>

/** What is about to be written: the whole row as it will be, what of it was sent, and the row before (null when added). */
export type Change = {
  readonly id: string | null
  readonly after: RecordRow
  readonly sent: Readonly<RecordRow>
  readonly before: Readonly<RecordRow> | null
}

/** An action of the definition beyond the standard ones; gives the values to write, or nothing when it wrote by itself. */
export type RecordAction = (
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  reason: string | null,
  /** What the action's dialog asked for, by kind. */
  answers: Readonly<RecordRow>,
) => Promise<RecordRow | void>

/** The part of a record's rules that needs the database. Fragments read the row as `t`. */
export type RecordRules = {
  readonly kind: string
  /** Rows the session sees, beside `org_id` and row-level security. */
  readonly visible?: (tx: Tx, session: Session, parameters: Readonly<RecordRow>) => Fragment
  /** The table that is written, when the definition's is a view over it. */
  readonly table?: string
  /** Where rows come from, when it is not the definition's table alone. */
  readonly source?: (tx: Tx, session: Session, parameters: Readonly<RecordRow>) => Fragment
  /** Columns of the list that are computed: the definition's extras, or fields that not everybody may read. */
  readonly columns?: (tx: Tx, session: Session, parameters: Readonly<RecordRow>) => Readonly<Record<string, Fragment>>
  /** Looks something up before the list is put together; what it finds stands among the parameters. */
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
  /** The condition behind `q`, where an index wants its own expression. `pattern` is ready for ILIKE. */
  readonly search?: (tx: Tx, pattern: string, parameters: Readonly<RecordRow>) => Fragment
  /** The platform may look into other organisations' records; shown first: its own (P), or those of the first organisation of a kind. */
  readonly platformReads?: OrgType
  /** Lists nobody reads without this flag, or one of these; other lists serve every picker. */
  readonly readFlag?: string | readonly string[]
  /** Most rows that one workbook takes. */
  readonly mostExported?: number
  /** Throws when this session may not do this to this row, whatever its flags say. */
  readonly mayWrite?: (session: Session, action: string, row: Readonly<RecordRow> | null) => void
  /** Fills what the server knows (`after` may be changed) and names what is wrong. */
  readonly check?: (tx: Tx, session: Session, change: Change) => Promise<readonly Problem[] | void>
  /** What a person must confirm before it is done: what an action would change, and whom it concerns. `sent`: the fields or answers of the call. */
  readonly asks?: (
    tx: Tx,
    session: Session,
    action: string,
    row: Readonly<RecordRow>,
    sent: Readonly<RecordRow>,
  ) => Promise<readonly Question[]>
  /** Columns that are no fields: search keys, initial passwords, who asked. Written together with the row. */
  readonly alsoWrites?: (
    tx: Tx,
    session: Session,
    change: Change,
  ) => Promise<Readonly<Record<string, string | number | boolean | null>>>
  /** Fields kept elsewhere than in the table's own columns; `saved` writes them. */
  readonly kept?: readonly string[]
  readonly saved?: (tx: Tx, session: Session, id: string, change: Change) => Promise<void>
  /** Throws while the row is in use and may be neither deleted nor, where it says so, disabled. */
  readonly mayLeave?: (tx: Tx, session: Session, action: 'del' | 'disable', row: Readonly<RecordRow>) => Promise<void>
  readonly actions?: Readonly<Record<string, RecordAction>>
  /** Deeds over the list, by the names that the definition's `calls` have. */
  readonly calls?: Readonly<Record<string, ListActionHandler>>
  /** The files behind the number of a paper, as one archive; whoever may make the call may fetch it. */
  readonly packs?: {
    readonly call: string
    readonly of: (tx: Tx, session: Session, sn: string) => Promise<PackedFiles>
  }
  /** What the answer to an action says once and nothing keeps: a new secret. By label. */
  readonly tells?: (
    session: Session,
    action: string,
    row: Readonly<RecordRow>,
  ) => Readonly<Record<string, string>> | null
  /** A row as its printed sheet shows it: `sn` for its code, `lines`, and whatever the sheet's header names. */
  readonly print?: (tx: Tx, session: Session, row: Readonly<RecordRow>) => Promise<Readonly<RecordRow>>
  /** After a sheet was imported, in the same transaction: `keys` are what its rows say in the field that the definition renews by. */
  readonly imported?: (tx: Tx, session: Session, keys: readonly string[]) => Promise<void>
  /** Once it stands: tells those whom it concerns. A transaction of its own, for it may be another organisation's. */
  readonly afterwards?: (sql: Sql, session: Session, action: string, row: Readonly<RecordRow>) => Promise<void>
}

/** A deed of the definition over its list; gives what the caller is told: `said`, a sentence of what became of it, and the `link` of a file it made. */
export type ListActionHandler = (
  tx: Tx,
  session: Session,
  asked: Readonly<RecordRow>,
  keys: readonly string[],
) => Promise<Readonly<{ said: string; link?: string }>>

/** Files that go out in one archive, each under the name it has there, and what stands in its list. */
export type PackedFiles = {
  readonly title: string
  readonly files: readonly { readonly name: string; readonly as: string }[]
  readonly notes: readonly string[]
}
