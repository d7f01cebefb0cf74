import { isDay, momentOf as isoMoment } from '#kernel/values/date.ts'
import { isDecimal } from '#kernel/values/decimal.ts'
import { HisError } from '#server/outbound/his/contract.ts'
import { exactNumber } from '#server/outbound/exact-json.ts'
import { type FieldMap, valueAt, writeAt } from '#server/outbound/his/json/field-map.ts'
import { type FieldShape, hisResources, type ResourceName } from '#server/outbound/his/json/shapes.ts'

type Row = Record<string, unknown>

/** A row of the HIS in the words of the contract; what is needed and missing, or no such value, is unreadable. */
export function readRow(map: FieldMap, resource: ResourceName, value: unknown): Row {
  const { label, fields } = hisResources[resource]
  return Object.fromEntries(
    Object.entries(fields).map(([field, shape]) => {
      const found = valueAt(value, map.path(resource, field))
      const read = shape.is === 'rows' ? rowsIn(map, shape.of, found) : one(shape, map.codes(resource, field), found)
      if (read === undefined || (read === null && shape.needed))
        throw new HisError('unreadable', `HIS的${label}缺少${shape.label}，或其内容不能识别`)
      return [field, read]
    }),
  )
}

const rowsIn = (map: FieldMap, resource: string, value: unknown): Row[] =>
  (Array.isArray(value) ? value : []).map(each => readRow(map, resource as ResourceName, each))

/** One value; null where there is none, undefined where it is not what it should be. */
function one(shape: FieldShape, codes: Readonly<Record<string, string>>, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  const said = Object.entries(codes).find(([, theirs]) => theirs === plainOf(value))?.[0] ?? plainOf(value)
  if (said === undefined) return undefined
  if (shape.is === 'pick') return Object.hasOwn(shape.of, said) ? said : undefined
  return shape.is === 'rows' ? undefined : readers[shape.is](said)
}

/** Numbers arrive as their digits; anything deeper is no value. */
const plainOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.trim() : typeof value === 'boolean' ? String(value) : undefined

const YES = ['true', '1', 'y', 'yes', '是']
const NO = ['false', '0', 'n', 'no', '否']

const readers: Readonly<Record<'text' | 'decimal' | 'moment' | 'day' | 'flag' | 'count', (said: string) => unknown>> = {
  text: said => said,
  decimal: said => (isDecimal(said) ? said : undefined),
  count: said => (/^\d{1,9}$/.test(said) ? parseInt(said, 10) : undefined),
  flag: said => (YES.includes(said.toLowerCase()) ? true : NO.includes(said.toLowerCase()) ? false : undefined),
  day: said => {
    const day = /^\d{8}$/.test(said) ? said.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3') : said.slice(0, 10)
    return isDay(day) ? day : undefined
  },
  moment: momentOf,
}

/** ISO 8601; or a Chinese clock: 2026-11-26 08:30:00, 20261126083000. */
function momentOf(said: string): string | undefined {
  const digits = /^(\d{4})-?(\d\d)-?(\d\d)[ T]?(\d\d):?(\d\d):?(\d\d)?$/.exec(said)
  const [, year, month, day, hour, minute, second = '00'] = digits ?? []
  return isoMoment(digits ? `${year}-${month}-${day}T${hour}:${minute}:${second}+08:00` : said) ?? undefined
}

/** An order as the HIS reads it. */
export function writeRow(map: FieldMap, resource: ResourceName, row: Readonly<Row>): Row {
  const written: Row = {}
  for (const [field, shape] of Object.entries(hisResources[resource].fields)) {
    const value = row[field] ?? null
    const codes = map.codes(resource, field)
    const said =
      shape.is === 'rows'
        ? (value as Row[]).map(each => writeRow(map, shape.of as ResourceName, each))
        : shape.is === 'decimal' && typeof value === 'string'
          ? exactNumber(value)
          : (codes[String(value)] ?? value)
    writeAt(written, map.path(resource, field), said)
  }
  return written
}
