import type { Fields, Values } from '#kernel/definition/field.ts'
import type { OrgTypes } from '#kernel/values/organisation-type.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { Guard } from '#kernel/definition/document.ts'

/** A deed offered over a list of records. `rows`: it is done to the ticked ones. */
export type RecordCall = {
  readonly label: string
  readonly asks: Fields
  readonly rows?: boolean
  readonly tone?: 'primary'
  /** Organisation types that may do it, where these are others than those who write the rows. */
  readonly orgs?: OrgTypes
}

/** A list one click away from a row, under filters that the row gives: `$name` is what it says there. */
export type RecordLink = {
  readonly label: string
  /** The page; or which one, by what the row says in `by`. */
  readonly to: `/${string}` | Readonly<Record<string, `/${string}`>>
  readonly by?: string
  readonly tab?: string
  readonly with: Readonly<Record<string, string>>
}

/**
 * Rows that may be the one that somebody writes: found `among` those of these parameters by what he writes, in the parameter `by` where
 * it is not the search. `does`: the action by which one of them is taken instead, by whoever may do it on the page `at`.
 */
export type Alike = {
  readonly among: Readonly<Record<string, string>>
  readonly by?: string
  readonly does?: { readonly action: string; readonly at: `/${string}`; readonly unless: string }
}

export type EntityDefinition<K extends string = string, F extends Fields = Fields> = {
  readonly is: 'entity'
  readonly kind: K
  readonly title: string
  /** Table or view; its columns are proved equal to the fields by the drift test. */
  readonly table: string
  /** The row's own key on the wire: `product_sn`, `warehouse_model_inner_sn`. The column behind it is `id`. */
  readonly key: string
  /**
   * `organisation`: rows belong to the organisation that wrote them (row-level security).
   * `shared`: one row for the whole network (reference tables); `writers` may change them.
   */
  readonly scope: 'organisation' | 'shared'
  readonly fields: F
  /** The field people know the row by. */
  readonly display: keyof F & string
  /** Combinations that may stand once (per organisation where the scope says so). */
  readonly unique?: readonly (readonly (keyof F & string)[])[]
  readonly guards?: readonly Guard<Values<F>>[]
  /** Rows that are used are disabled, not deleted. */
  readonly retire?: 'disable' | 'delete'
  /** Deleted from the list itself, not only from an opened row; there it is still switched off. */
  readonly deletedFromList?: true
  /** A view over a ledger: list, info and export only. */
  readonly readOnly?: boolean
  /** Organisation types that may add and change rows; default all that have a screen. */
  readonly writers?: OrgTypes
  /** The definition whose flags guard this one: the lines of a product are written by whoever may edit the product. */
  readonly under?: string
  /** Of a part: which rows of the one above have such parts, and on which of them the page offers to write any, by what it offers on the row itself; without it all have, while they may be edited. */
  readonly partOf?: {
    readonly when: (row: Readonly<Record<string, unknown>>) => boolean
    readonly written: (row: Readonly<Record<string, unknown>>, offered: readonly string[]) => boolean
  }
  /** Rows that somebody must look at stand out in the list: red, or orange. */
  readonly tone?: (row: Readonly<Record<string, unknown>>) => 'danger' | 'warning' | undefined
  /** Fields under whose input rows that are there already and say much the same are shown. */
  readonly alike?: Readonly<Record<string, Alike>>
  /** Text columns searched by `q`. */
  readonly search?: readonly string[]
  /** Default order, wire names; a leading minus is descending. Default: key ascending. */
  readonly sort?: string
  /** Columns of the table whose sums over the whole filter stand under the list. */
  readonly sums?: readonly string[]
  /** Comes whole, without paging, when no page is asked for. */
  readonly whole?: boolean
  /** A field by which a row of an imported sheet is one that stands: it is brought up to date instead of added. */
  readonly renews?: keyof F & string
  /** What is said of a row of a sheet that is none of those that stand, where rows come into being by other ways than a sheet. */
  readonly onlyRenews?: string
  /** What a row that was deleted or stopped is called among those that can be restored; null: it is not kept. */
  readonly restores?: (row: Readonly<Record<string, unknown>>) => string | null
  /** Rows say who may do what: the log calls a change of one a change of rights. */
  readonly aboutRights?: boolean
  /** What chosen rows print: where, what the button is called, and under which name the sheet takes their keys (`units` where it says none). */
  readonly prints?: readonly {
    readonly route: `/newprint/${string}`
    readonly label: string
    readonly by?: 'sn' | 'units'
    readonly as?: string
  }[]
  /** What labels of these rows are of: a single piece, a lot in stock, the code of a product, a place on a shelf, an area, a department, goods of the own catalogue, every size of a product. */
  readonly labelled?: 'piece' | 'lot' | 'product' | 'place' | 'area' | 'department' | 'catalogue' | 'sizes'
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
        /** What people come to the list for: written out in its rows, not only beside an opened one. */
        readonly handy?: true
        /** What the dialog asks for beside the reason; the action gets the answers. */
        readonly asks?: Fields
        /** The sentence for a missing reason. */
        readonly reasonMsg?: string
      }
    >
  >
  /**
   * Deeds over the list: with `rows` on the ticked ones, else on none in particular. Each asks a few things; the `.server.ts` does it and
   * says in a sentence what became of it.
   */
  readonly calls?: Readonly<Record<string, RecordCall>>
  /** Lists one click away from a row, offered to whoever has the page. */
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
