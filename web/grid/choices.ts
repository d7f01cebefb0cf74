import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import { type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { matchesTyped } from '#web/fields/choices/matches-typed.ts'
import { targetOf } from '#web/fields/reference/reference-target.ts'
import { usePaused } from '#web/fields/reference/use-reference-search.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'

export type Choice = { readonly value: unknown; readonly label: string; readonly row: Row | null }

const fixed = (field: FieldSpec): readonly Choice[] => {
  if (field.as === 'taxRate') return taxRates.map(rate => ({ value: rate, label: `${rate}%`, row: null }))
  if (field.as === 'flag')
    return [
      { value: true, label: '是', row: null },
      { value: false, label: '否', row: null },
    ]
  return Object.entries(field.choices ?? {}).map(([value, label]) => ({ value, label, row: null }))
}

/** A reference is narrowed if its target refers to something the line names: the units of this specification. */
export function narrowedBy(field: FieldSpec, line: Row): Readonly<Record<string, string>> {
  const shared = Object.entries(entityOf(field.target ?? '')?.fields ?? {}).filter(
    ([name, own]) => own.as === 'ref' && typeof line[name] === 'string' && line[name] !== '',
  )
  return {
    ...entityOf(field.target ?? '')?.formFilter,
    ...field.optionsFilter,
    ...Object.fromEntries(shared.map(([name]) => [name, String(line[name])])),
  }
}

export const choicesFrom = (field: FieldSpec, rows: readonly Row[]): readonly Choice[] => {
  const target = targetOf(field.target ?? '')
  return rows.map(row => ({ value: row[target.key], label: String(row[target.display] ?? ''), row }))
}

const SHOWN = 30
export const lookUp = async (field: FieldSpec, line: Row, text: string, size = SHOWN): Promise<readonly Choice[]> => {
  const reply = await get<unknown, Row>(targetOf(field.target ?? '').path, {
    ...narrowedBy(field, line),
    q: text,
    pageNum: 1,
    pageSize: size,
  })
  return choicesFrom(field, reply.list)
}

/** The choices for a cell, given the text typed so far. */
export function useChoices(
  column: GridColumn | null,
  line: Row,
  typed: string,
): { readonly choices: readonly Choice[]; readonly busy: boolean } {
  const paused = usePaused(typed.trim())
  const isRef = column?.field.as === 'ref'
  const asked = useQuery({
    queryKey: [
      column?.field.target ?? '',
      'cell-choices',
      column === null ? {} : narrowedBy(column.field, line),
      paused,
    ],
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: () => (column === null ? [] : lookUp(column.field, line, paused)),
    enabled: isRef,
  })
  if (column === null) return { choices: [], busy: false }
  if (isRef) return { choices: asked.data ?? [], busy: asked.isFetching || paused !== typed.trim() }
  const wanted = typed.trim()
  return {
    choices: fixed(column.field).filter(choice => wanted === '' || matchesTyped(choice.label, wanted)),
    busy: false,
  }
}

/** A choice as an edit: the key, the readable name, and the fields the definition copies. */
export function chosenEdit(column: GridColumn, choice: Choice): Row {
  const { row } = choice
  if (row === null) return { [column.name]: choice.value }
  const carried = Object.fromEntries(
    Object.entries(column.field.shows ?? {}).map(([name, from]) => [name, row[from] ?? null]),
  )
  // Fields of the row with the same names as line fields are copied: product, price, rate, unit.
  const alike = Object.fromEntries(
    offeredToLine.filter(name => row[name] !== undefined && row[name] !== null).map(name => [name, row[name]]),
  )
  const isSpecification = column.name === 'specification_sn'
  const measured = column.name === 'unit_inner_sn' ? { unit_measure: String(row.base_measure ?? 1) } : {}
  return {
    // Other goods start with their own base unit.
    ...(isSpecification ? { ...alike, unit_inner_sn: row.unit_inner_sn ?? null, unit_measure: '1' } : {}),
    [nameKeyOf(column.name)]: choice.label,
    ...carried,
    ...measured,
    [column.name]: choice.value,
  }
}
const offeredToLine = [
  'product_name',
  'unit_name',
  'price',
  'tax_rate',
  'registration_no',
  'is_cold_chain',
  'registration_expiry',
  'udi_di',
]
