import type { ComponentType } from 'react'
import type { FieldSpec } from '#kernel/definition/field.ts'

/** A row or header as it travels: wire names to values. */
export type Row = Readonly<Record<string, unknown>>

export type CellProps = { readonly field: FieldSpec; readonly name: string; readonly value: unknown; readonly row: Row }

export type InputProps = {
  readonly field: FieldSpec
  readonly name: string
  readonly value: unknown
  readonly row: Row
  /** `also`: what comes along with the choice, such as a reference's readable name. */
  readonly onChange: (value: unknown, also?: Row) => void
  readonly id: string
  readonly disabled: boolean
  readonly invalid: boolean
}

/** Filters speak query parameters: a day filter writes two of them. */
export type FilterProps = {
  readonly field: FieldSpec
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly onChange: (patch: Readonly<Record<string, string | undefined>>) => void
  readonly id: string
}

/** The three faces of a field kind, and what else the engines ask of it. */
export type FieldFace = {
  readonly Cell: ComponentType<CellProps>
  readonly Input: ComponentType<InputProps>
  readonly Filter: ComponentType<FilterProps>
  /** The value as plain text: titles, copying, grid cells. */
  readonly text: (props: CellProps) => string
  /** Typed or pasted text as a value; a Problem's sentence when it is none. Kinds without it are chosen from a list. */
  readonly parse?: (text: string, field: FieldSpec) => { readonly value: unknown } | { readonly problem: string }
  readonly align?: 'right' | 'center'
  readonly width: number
}

/** What stands where there is nothing. */
export const NOTHING = '-'
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Where a form says the hint below the field, and it stays when something is written: the field does not say it again. */
export const withoutHint = ({ hint: _below, ...field }: FieldSpec): FieldSpec => field
