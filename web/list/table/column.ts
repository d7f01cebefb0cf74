import { derivedField, sourceTypeField } from '#kernel/definition/progress-fields.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { commonFields, headerField } from '#kernel/definition/common-fields.ts'
import { f, type FieldSpec } from '#kernel/definition/field.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { lineFilter } from '#kernel/definition/line-filters.ts'
import { filterWorded, type Screen, worded } from '#kernel/definition/screen.ts'
import { states } from '#kernel/definition/document-state.ts'
import { statesOf } from '#kernel/registry.ts'
import { faces } from '#web/fields/field-renderers.ts'

export type Sort = { readonly name: string; readonly descending: boolean } | null
export type Pin = 'left' | 'right' | null

/** One column of a list: what it shows, and how this user arranged it. */
export type Column = {
  readonly name: string
  readonly field: FieldSpec
  readonly title: string
  readonly width: number
  readonly pin: Pin
  readonly hidden: boolean
  readonly sortable: boolean
  /** The explanation of its figures, shown on pointing at its heading: for fields that nobody fills in. */
  readonly says?: readonly string[]
}

/** Only states a document of the kind can reach can be filtered. */
const stateField = (definition: AnyDocument): FieldSpec =>
  f.pick(
    '状态',
    Object.fromEntries(
      statesOf(definition).map(state => [state, definition.lifecycle.stateLabels?.[state] ?? states[state]]),
    ),
  )

/** The field for a name on a document list: its own, a common one, its state, or a derived state. */
export function listField(definition: AnyDocument, name: string, screen?: Screen): FieldSpec {
  if (name === 'state') return stateField(definition)
  if (name === 'source_type') return sourceTypeField(definition, screen?.where?.source_type)
  const field = headerField(definition, name)
  const ofCopies = field?.copyLabel !== undefined && screen?.where?.role === 'counterparty'
  if (ofCopies) return { ...field, label: field.copyLabel! }
  return worded(screen, name, field ?? derivedField(definition, name) ?? f.text(filterTitles[name] ?? name))
}

/**
 * The field of a filter on a document list, of its lines or its header. The moments of every document's life (制单时间,
 * 提交时间, 审核时间) are asked for by the day.
 */
export function filterField(definition: AnyDocument, name: string, screen: Screen): FieldSpec {
  const field = lineFilter(definition, name) ?? listField(definition, name, screen)
  const isMoment = field.as === 'instant' && commonFields[name]?.label === field.label
  return filterWorded(screen, name, isMoment ? { ...field, label: field.label.replace(/时间$/, '日期') } : field)
}

const filterTitles: Readonly<Record<string, string>> = {
  q: '关键字',
  lot_no: '批号',
  unit_code: '院内码',
  counterparty_name: '往来单位',
  org_name: '机构',
}

const unsortable = new Set(['files', 'codes', 'longText'])
const WIDE: Readonly<Record<string, number>> = {
  sn: 140,
  state: 84,
  counterparty_sn: 208,
  source_sn: 148,
  line_count: 72,
  regime: 84,
  product_sn: 184,
  product_name: 184,
  name: 180,
  product_code: 110,
  specification_sn: 140,
  specification_name: 140,
  specification_code: 110,
  lot_no: 120,
  location: 96,
  area: 96,
  code: 124,
  warehouse_model_inner_sn: 128,
  warehouse_name: 128,
  department_inner_sn: 120,
  department_name: 120,
  handler_inner_sn: 92,
  created_by_name: 92,
  reviewed_by_name: 92,
  manufacturer_sn: 200,
  manufacturer_name: 200,
  owner_org_sn: 200,
  supplier_sn: 200,
  registration_no: 168,
  invoice_no: 184,
  registration_certificate_sn: 168,
  certificate_no: 180,
  social_credit_code: 168,
}

/** The widths of fields that are shorter than their kind usually is; the label still fits. */
const NARROW: Readonly<Record<string, number>> = { unit_name: 64 }

export function columnFor(name: string, field: FieldSpec, pin: Pin = null): Column {
  return {
    name,
    field,
    title: field.label,
    pin,
    hidden: false,
    sortable: !unsortable.has(field.as),
    ...(field.readOnly && field.hint ? { says: [field.hint] } : {}),
    width: field.width ?? WIDE[name] ?? Math.max(NARROW[name] ?? faces[field.as].width, field.label.length * 14 + 40),
  }
}

/** Pinned at the left when scrolling: the document number and its state. */
const visibleTo = ['sn', 'state']

/** The columns or filters of a screen relevant to an organisation of this type. */
export function meant(screen: Screen, names: readonly string[], org?: OrgType): readonly string[] {
  const without = (org === undefined ? undefined : screen.without?.[org]) ?? []
  return names.filter(name => !without.includes(name))
}

export function documentColumns(definition: AnyDocument, screen: Screen, org?: OrgType): readonly Column[] {
  const shown = meant(screen, screen.columns, org)
  const names = [...visibleTo.filter(name => shown.includes(name)), ...shown.filter(name => !visibleTo.includes(name))]
  return names.map(name =>
    columnFor(name, listField(definition, name, screen), visibleTo.includes(name) ? 'left' : null),
  )
}
