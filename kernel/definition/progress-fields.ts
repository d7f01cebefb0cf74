import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Due } from '#kernel/definition/due-date.ts'
import { purposes } from '#kernel/definition/progress.ts'
import { type FieldSpec, f } from '#kernel/definition/field.ts'
import { sourceTypeNames } from '#kernel/definition/source-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'

const progress = { '1': '未开始', '2': '部分', '3': '已完成' } as const

/** The field with the kind of source of a document, limited to `only` where a page shows no others. */
export function sourceTypeField(definition: AnyDocument, only?: string): FieldSpec {
  const known = new Set(['0', ...(definition.sourcing.sources ?? []).map(take => String(take.sourceType))])
  const among = only === undefined ? [...known] : only.split(',')
  const { label = '来源类型', choices = {} } = definition.sourcing.sourceLabels ?? {}
  const named = among.map(type => [type, choices[parseInteger(type)] ?? sourceTypeNames[type] ?? type])
  return f.pick(label, Object.fromEntries(named), { readOnly: true })
}

/** The field that shows whether a document is past its day, in the words of its kind of due date. */
function dueField(due: Due): FieldSpec {
  if (typeof due === 'object' && 'lapses' in due)
    return f.pick('是否到期', { '1': '已到期', '0': '未到期' }, { readOnly: true, tones: { '1': 'warning' } })
  if (typeof due === 'object' && 'owed' in due)
    return f.pick('是否逾期', { '1': '逾期', '0': '未逾期' }, { readOnly: true, tones: { '1': 'danger' } })
  return f.pick('是否超期', { '1': '超期', '0': '未超期' }, { readOnly: true, tones: { '1': 'danger' } })
}

/**
 * The field of a value that a list computes from a document's progress and no row stores: a derived state or a figure;
 * else undefined.
 */
export function derivedField(definition: AnyDocument, name: string): FieldSpec | undefined {
  if (name === 'source_type') return sourceTypeField(definition)
  if (name === 'overdue' && definition.lifecycle.dueDate) return dueField(definition.lifecycle.dueDate)
  const purpose = definition.progress.statuses?.[name]
  if (purpose !== undefined) {
    const words = definition.progress.statusLabels?.[name]
    return f.pick(words?.label ?? `${purposes[purpose]}状态`, words?.choices ?? progress, { readOnly: true })
  }
  const figure = definition.progress.columns?.[name]
  if (figure === undefined) return undefined
  const { label, hint, of } = figure
  const options = { readOnly: true, ...(hint === undefined ? {} : { hint }) } as const
  if (of === 'share') return f.rate(label, options)
  return of === 'quantity' ? f.quantity(label, options) : f.amount(label, options)
}
