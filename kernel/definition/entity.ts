import type { Fields, Values } from '#kernel/definition/field.ts'
import type { OrgTypes } from '#kernel/values/organisation-type.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { Guard } from '#kernel/definition/document.ts'

/** An action offered above a list of records. `rows`: it runs on the ticked ones, or on the one that is ticked. */
export type RecordCall = {
  readonly label: string
  readonly asks: Fields
  readonly rows?: boolean | 'one'
  /** The most rows that may be ticked, where that is fewer than usual. */
  readonly most?: number
  /** The ticked rows are locked before they are read: what the call decides by them does not change meanwhile. */
  readonly locks?: true
  readonly tone?: 'primary'
  /** Its dialog shows a list. */
  readonly wide?: true
  /** Organisation types that may do it, where these differ from those who write the rows. */
  readonly orgs?: OrgTypes
}

/** The message to a user who calls an action on ticked rows without ticking the rows that it needs. */
export const nothingTicked = (rows: RecordCall['rows']): string =>
  rows === 'one' ? '请先选中表格中一行数据，再进行相关操作。' : '请先勾选表格中的复选框，再进行该操作。'

/** The urgency with which a row of a list needs attention. */
export type RowTone = 'danger' | 'warning' | 'info'

/** A list one click away from a row, filtered by values of the row: `$name` is the row's value. */
export type RecordLink = {
  readonly label: string
  /** The page; or which one, by the row's value in `by`. */
  readonly to: `/${string}` | Readonly<Record<string, `/${string}`>>
  readonly by?: string
  readonly tab?: string
  readonly with: Readonly<Record<string, string>>
}

/**
 * Existing rows that may match what the user is entering: searched `among` those of these parameters by the typed
 * text, in the parameter `by` where it is not the search. `does`: the action that uses one of them instead, for
 * users allowed to do it on the page `at`.
 */
export type Alike = {
  readonly among: Readonly<Record<string, string>>
  readonly by?: string
  readonly does?: { readonly action: string; readonly at: `/${string}`; readonly unless: string }
}

/**
 * A judgement that others rely on: somebody else than the author of a row decides whether it passes. A later change of
 * a judged row is judged again, or refused.
 */
export type Judgement = {
  /**
   * The field with the state of a row, its values for rows that are or were judged, and the value of a row that waits.
   */
  readonly state: string
  readonly passed: readonly string[]
  readonly pending: string
  /** The action by which a row passes; null where the review of a document judges it. */
  readonly action: string | null
  /** Organisation types that judge: what they change themselves is judged by the change. */
  readonly judges?: OrgTypes
  /** Fields that nobody judges. */
  readonly except?: readonly string[]
  /** The fields that were judged, where most of a row is its keeper's own. */
  readonly only?: readonly string[]
  /** Why a judged row, or what was judged of it, cannot be changed; without it, a change waits for a new judgement. */
  readonly changeRefused?: string
  /** Rows for which what their own organisation says is enough. */
  readonly needsNobody?: (row: Readonly<Record<string, unknown>>) => boolean
  /** Fields without which nothing passes, each with the sentence that says so. */
  readonly needs?: Readonly<Record<string, string>>
}

export type EntityDefinition<K extends string = string, F extends Fields = Fields> = {
  readonly is: 'entity'
  readonly kind: K
  readonly title: string
  /** Table or view; the drift test checks that its columns equal the fields. */
  readonly table: string
  /** The row's own key on the wire: `product_sn`, `warehouse_model_inner_sn`. The column behind it is `id`. */
  readonly key: string
  /**
   * `organisation`: rows belong to the organisation that wrote them (row-level security). `shared`: one row for the
   * whole network (reference tables); `writers` may change them.
   */
  readonly scope: 'organisation' | 'shared'
  readonly fields: F
  /** The field that users know the row by. */
  readonly display: keyof F & string
  /** Unique combinations (per organisation where the scope says so). */
  readonly unique?: readonly (readonly (keyof F & string)[])[]
  readonly guards?: readonly Guard<Values<F>>[]
  /** Rows that no call may delete by itself: the owner of the tables does, with the same checks. */
  readonly deletedByOwner?: true
  /** Deleted from the list itself, not only from an opened row; there it can still be disabled. */
  readonly deletedFromList?: true
  /** A view over a ledger: list, info and export only. */
  readonly readOnly?: boolean
  /**
   * The reason why its rows add up over the whole organisation and cannot be split. Users who are bound to stores, to
   * departments or to their own documents read none of them, and get this as the message.
   */
  readonly wholeOnly?: string
  /** Organisation types that may add and change rows; default all that have a screen. */
  readonly writers?: OrgTypes
  /** The platform writes these records in the name of an organisation that entrusted it (委托代运营). */
  readonly overseen?: true
  /** The definition whose permissions guard this one: users who may edit a product may edit its lines. */
  readonly under?: string
  /**
   * For a part: which parent rows have such parts, and for which of them the page allows adding any, by the actions
   * offered on the row itself; without it all have them, while they may be edited.
   */
  readonly partOf?: {
    readonly when: (row: Readonly<Record<string, unknown>>) => boolean
    readonly written: (row: Readonly<Record<string, unknown>>, offered: readonly string[]) => boolean
  }
  /** Rows pass by somebody's judgement. */
  readonly judged?: Judgement
  /** Rows that need attention are highlighted in the list: red, orange or blue. */
  readonly tone?: (row: Readonly<Record<string, unknown>>) => RowTone | undefined
  /** Fields under whose input existing similar rows are shown. */
  readonly alike?: Readonly<Record<string, Alike>>
  /**
   * The fields of a row that any signed-in user may read beside its name, code and state, because fields elsewhere
   * refer to it; `all`: every field. Other fields are read only with a right to the record.
   */
  readonly pickerFields?: readonly string[] | 'all'
  /** The rows that a form offers where its field says nothing else; filters of lists offer all that may be chosen. */
  readonly formFilter?: Readonly<Record<string, string>>
  /** Text columns searched by `q`. */
  readonly search?: readonly string[]
  /** Default order, wire names; a leading minus is descending. Default: key ascending. */
  readonly sort?: string
  /** Columns whose sums over the whole filter are shown under the list. */
  readonly sums?: readonly string[]
  /** Returned in full, without paging, when no page is requested. */
  readonly whole?: boolean
  /** A field by which an imported row matches an existing one: it is updated instead of added. */
  readonly renews?: keyof F & string
  /** The message for an imported row that matches no existing one, where rows are not created by import. */
  readonly onlyRenews?: string
  /** The name of a deleted or disabled row in the list of restorable ones; null: it is not kept. */
  readonly restores?: (row: Readonly<Record<string, unknown>>) => string | null
  /** The consequences of adding a row beyond the row itself; the form of a new row shows them. */
  readonly addNote?: string
  /** Rows define who may do what: the log records a change as a change of rights. */
  readonly aboutRights?: boolean
  /**
   * A print of the selected rows: the route, the button's label, and the parameter for their keys (default `units`).
   */
  readonly prints?: readonly {
    readonly route: `/newprint/${string}`
    readonly label: string
    readonly by?: 'sn' | 'units'
    readonly as?: string
  }[]
  /**
   * The subject of these rows' labels: a single piece, a pack of them, a lot in stock, a product code, a shelf
   * location, an area, a department, goods of the own catalogue, every size of a product; `sign`: the row itself, in
   * the words of its rules.
   */
  readonly labelled?:
    | 'piece'
    | 'pack'
    | 'lot'
    | 'product'
    | 'place'
    | 'area'
    | 'department'
    | 'catalogue'
    | 'sizes'
    | 'sign'
  /** Extra read-only columns that the list query adds (`.server.ts` gives the SQL). */
  readonly extras?: Fields
  /** Actions on a row beyond add, edit, del, enable and disable; the `.server.ts` runs them. */
  readonly actions?: Readonly<
    Record<
      string,
      {
        readonly label: string
        readonly asksReason?: boolean
        readonly tone?: 'primary' | 'danger'
        /** The main actions of the list: shown in its rows, not only on an opened one. */
        readonly handy?: true
        /** The fields of the action's dialog besides the reason; the action gets the answers. */
        readonly asks?: Fields
        /** The message for a missing reason. */
        readonly reasonMsg?: string
        /** The consequences of the action beyond the row itself; shown before it is confirmed. */
        readonly note?: string
      }
    >
  >
  /**
   * Actions above the list: with `rows` on the ticked ones, else on none in particular. Each asks for some input;
   * the `.server.ts` runs it and returns a sentence with the result.
   */
  readonly calls?: Readonly<Record<string, RecordCall>>
  /** The message for a ticked row that is not there, where rows come and go with the stock; default 不存在或已被删除. */
  readonly goneMessage?: string
  /** Lists one click away from a row, offered to users who have the page. */
  readonly links?: readonly RecordLink[]
  /** Query parameters beyond the fields that the `.server.ts` understands (`scope`, `in_transit`). */
  readonly parameters?: Fields
  readonly screens: readonly Screen<(keyof F & string) | string, string>[]
}
/** A record definition of any kind: what the engine reads. */
export type AnyEntity = Omit<EntityDefinition, 'fields' | 'guards'> & {
  readonly fields: Fields
  // oxlint-disable-next-line typescript/no-explicit-any -- a guard takes the row of its own definition
  readonly guards?: readonly Guard<any>[]
}

/** Declares a kind of record kept in a table of its own. */
export function defineEntity<const K extends string, const F extends Fields>(
  definition: Omit<EntityDefinition<K, F>, 'is' | 'display' | 'unique' | 'guards' | 'renews'> & {
    readonly display: keyof NoInfer<F> & string
    readonly renews?: keyof NoInfer<F> & string
    readonly unique?: readonly (readonly (keyof NoInfer<F> & string)[])[]
    readonly guards?: readonly Guard<Values<NoInfer<F>>>[]
  },
): EntityDefinition<K, F> {
  return { ...definition, is: 'entity' } as EntityDefinition<K, F>
}
