import { lineField } from '#kernel/definition/common-fields.ts'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { readableFields } from '#server/access/sensitive-fields.ts'
import { usesAgreedPrice } from '#server/documents/lines/agreed-price.ts'
import type { Session } from '#server/access/session.ts'
import { EXAMPLE } from '#server/sheets/sheet.ts'

/** The columns by which a row names its goods; the first one filled and known decides, the others must agree. */
export const itemColumns = {
  code: '产品编码',
  udi: 'UDI-DI',
  his: 'HIS编码',
  product: '产品名称',
  model: '规格型号',
} as const
export type GoodsColumn = keyof typeof itemColumns

/** A column of the line sheet. */
export type SheetField = {
  readonly title: string
  readonly required: boolean
  /** The note on how to fill in the column. */
  readonly note: string
  readonly example: string
  readonly choices: readonly string[]
  /** Null: one of the columns that name the goods. */
  readonly name: string | null
  readonly field: FieldSpec | null
}

const GOODS = 'specification_sn'
const UNIT = 'unit_inner_sn'

const goodsNotes: Readonly<Record<GoodsColumn, readonly [note: string, example: string]>> = {
  code: ['产品规格的编码；编码、UDI-DI、HIS编码、产品名称加规格型号，任填一种即可', `${EXAMPLE}（本行导入时忽略）`],
  udi: ['最小销售单元或包装的产品标识；也可整串扫入，批号效期随之带出', '06901234567892'],
  his: ['本院 HIS 中的物资编码', ''],
  product: ['与规格型号一起填写', ''],
  model: ['与产品名称一起填写', ''],
}

const goodsFields = (session: Session): SheetField[] =>
  (Object.keys(itemColumns) as GoodsColumn[])
    .filter(column => column !== 'his' || session.org.type === 'H')
    .map(column => ({
      title: itemColumns[column],
      required: false,
      note: goodsNotes[column][0],
      example: goodsNotes[column][1],
      choices: [],
      name: null,
      field: null,
    }))

const examples: Partial<Record<FieldSpec['as'], string>> = {
  day: '2026-01-31',
  quantity: '10',
  count: '10',
  price: '100.00',
  amount: '1000.00',
  taxRate: '13',
  flag: '是',
}

function exampleOf(name: string, field: FieldSpec): string {
  if (name === 'lot_no') return 'L20260131'
  if (name === 'production_date') return '2025-01-31'
  if (name === 'expiry_date') return '2028-01-30'
  return choicesOf(field)[0] ?? examples[field.as] ?? ''
}

function choicesOf(field: FieldSpec): readonly string[] {
  if (field.as === 'pick') return Object.values(field.choices ?? {})
  if (field.as === 'flag') return ['是', '否']
  return field.as === 'taxRate' ? taxRates.map(String) : []
}

const notes: Partial<Record<FieldSpec['as'], string>> = {
  day: '日期，如 2026-01-31',
  quantity: '数字，最多3位小数',
  price: '数字，最多4位小数',
  amount: '数字，最多2位小数',
  taxRate: '百分数：0、1、3、6、9、13',
  flag: '是或否',
  codes: '多个编码用逗号隔开',
}

const noteOf = (name: string, field: FieldSpec): string =>
  [
    name === UNIT ? '基本单位可不填；包装单位填其名称' : field.as === 'ref' ? '名称或编码' : notes[field.as],
    choicesOf(field).length > 0 && field.as === 'pick' ? `可填：${choicesOf(field).join('、')}` : undefined,
    field.hint,
  ]
    .filter(Boolean)
    .join('；')

/** Fields whose values no user of this organisation determines: prices that were agreed. */
const isSettled = (session: Session, definition: AnyDocument, field: FieldSpec): boolean =>
  (field.as === 'price' || field.as === 'amount') && usesAgreedPrice(definition, session)

/** Columns that a file may have and a template does not ask for: what they say must be what applies. */
export const settledColumns = (session: Session, definition: AnyDocument): SheetField[] =>
  lineColumns(session, definition).flatMap(column =>
    column.field !== null && isSettled(session, definition, column.field) ? [{ ...column, required: false }] : [],
  )

/**
 * The columns of a kind's line sheet: those that name the goods, then all line fields that users enter and may
 * determine.
 */
export function importColumns(session: Session, definition: AnyDocument): SheetField[] {
  const own = lineColumns(session, definition).filter(
    ({ field }) => field === null || !isSettled(session, definition, field),
  )
  return [...(GOODS in definition.lines ? goodsFields(session) : []), ...own]
}

/** The columns of the line fields that a user enters. */
function lineColumns(session: Session, definition: AnyDocument): SheetField[] {
  const readable = readableFields(session, definition.lines)
  const matched = typeof definition.lineRules.import === 'object' ? definition.lineRules.import : null
  const asked = matched && new Set([...matched.by, ...matched.writes])
  return Object.keys(readable).flatMap((name): SheetField[] => {
    const field = lineField(definition, name)
    if (
      !field ||
      field.readOnly ||
      field.byReviewer ||
      field.as === 'files' ||
      name === GOODS ||
      asked?.has(name) === false
    )
      return []
    return [
      {
        title: field.label,
        required: field.required === true,
        note: noteOf(name, field),
        example: exampleOf(name, field),
        choices: choicesOf(field),
        name,
        field,
      },
    ]
  })
}
