import type { ComponentType } from 'react'
import type { FieldSpec } from '#kernel/definition/field.ts'

/** A row or header in wire format: wire names to values. */
export type Row = Readonly<Record<string, unknown>>

export type CellProps = { readonly field: FieldSpec; readonly name: string; readonly value: unknown; readonly row: Row }

export type InputProps = {
  readonly field: FieldSpec
  readonly name: string
  readonly value: unknown
  readonly row: Row
  /** `also`: values set with the choice, such as a reference's readable name. */
  readonly onChange: (value: unknown, also?: Row) => void
  readonly id: string
  readonly disabled: boolean
  readonly invalid: boolean
}

/** Filters set query parameters: a day filter sets two of them. */
export type FilterProps = {
  readonly field: FieldSpec
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly onChange: (patch: Readonly<Record<string, string | undefined>>) => void
  readonly id: string
}

/** The three renderers of a field kind, and what else the engines need from it. */
export type FieldFace = {
  readonly Cell: ComponentType<CellProps>
  readonly Input: ComponentType<InputProps>
  readonly Filter: ComponentType<FilterProps>
  /** The value as plain text: titles, copying, grid cells. */
  readonly text: (props: CellProps) => string
  /**
   * Parses typed or pasted text into a value; throws a Problem with a message if invalid. Kinds without it are
   * chosen from a list.
   */
  readonly parse?: (text: string, field: FieldSpec) => { readonly value: unknown } | { readonly problem: string }
  readonly align?: 'right' | 'center'
  readonly width: number
}

/** Shown for empty values. */
export const NOTHING = '-'
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** For forms that show the hint permanently below the field: the field does not repeat it. */
export const withoutHint = ({ hint: _below, ...field }: FieldSpec): FieldSpec => field
