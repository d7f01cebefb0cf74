import { type FieldSpec, type Fields, nameKeyOf } from '#kernel/definition/field.ts'
import { places } from '#kernel/values/decimal.ts'

export type Schema = Readonly<Record<string, unknown>>

const decimal = (decimals: number): Schema => ({ type: 'string', pattern: `^-?\\d{1,14}(\\.\\d{1,${decimals}})?$` })
/** Kinds of values that nearly every object has. */
export const valueTypes: Readonly<Record<string, Schema>> = {
  quantity: decimal(places.quantity),
  price: decimal(places.price),
  amount: decimal(places.amount),
  rate: decimal(4),
  taxRate: { type: 'integer', enum: [0, 1, 3, 6, 9, 13] },
  codes: { type: 'array', items: { type: 'string' } },
}

/** A wire field as a JSON schema. */
export function schemaOf(field: FieldSpec): Schema {
  const title = {
    title: field.label,
    ...(field.hint ? { description: field.hint } : {}),
    ...(field.readOnly ? { readOnly: true } : {}),
  }
  switch (field.as) {
    case 'quantity':
    case 'price':
    case 'amount':
    case 'rate':
    case 'taxRate':
    case 'codes':
      return { ...title, ...refTo('schemas', field.as) }
    case 'count':
      return { ...title, type: 'integer' }
    case 'flag':
      return { ...title, type: 'boolean' }
    case 'day':
      return { ...title, type: 'string', format: 'date' }
    case 'instant':
      return { ...title, type: 'string', format: 'date-time' }
    case 'pick':
      return {
        ...title,
        type: 'string',
        enum: Object.keys(field.choices ?? {}),
        // In the order of the values.
        description: Object.values(field.choices ?? {}).join('、'),
      }
    case 'files':
      return { ...title, ...refTo('schemas', 'codes') }
    case 'ref':
      return { ...title, type: 'string', 'x-of': field.target }
    default:
      return {
        ...title,
        type: 'string',
        ...(typeof field.max === 'number' ? { maxLength: field.max } : {}),
        ...(field.match ? { pattern: field.match.source } : {}),
      }
  }
}

export const propertiesOf = (fields: Fields): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]))

/** The fields that must be sent. */
export const requiredOf = (fields: Fields): string[] =>
  Object.entries(fields)
    .filter(([, field]) => field.required && !field.readOnly)
    .map(([name]) => name)

/** The readable name beside each reference, as replies have it. */
export const namesBeside = (fields: Fields): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, field]) => field.as === 'ref' && !Object.hasOwn(fields, nameKeyOf(name)))
      .map(([name]) => [nameKeyOf(name), { type: 'string' }]),
  )

/** An object of fields of which none needs to be there. */
export const objectOf = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
})

export const refTo = (part: 'schemas' | 'parameters' | 'requestBodies' | 'responses', name: string): Schema => ({
  $ref: `#/components/${part}/${name}`,
})

type Properties = Readonly<Record<string, Schema>>
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const isField = (schema: Schema): boolean => schema.title !== undefined
/** True if references to one schema are shorter than the schema in every place. */
const isWorthSharing = (name: string, field: Schema, times: number): boolean =>
  times * (bytes(field) - bytes(refTo('schemas', name))) > bytes(field) + bytes(name)

/** Fields that several objects have in the same way become schemas of their own, under their name on the wire. */
export function withSharedFields(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const times = new Map<string, number>()
  const names = new Map<string, string>()
  const shared: Record<string, Schema> = {}
  const onProperties = (schema: Schema, change: (name: string, field: Schema) => Schema): Schema => ({
    ...schema,
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties as Properties).map(([name, field]) => [
              name,
              isField(field) ? change(name, field) : field,
            ]),
          ),
        }
      : {}),
    ...(schema.allOf ? { allOf: (schema.allOf as readonly Schema[]).map(part => onProperties(part, change)) } : {}),
  })
  const count = (_name: string, field: Schema) => {
    const text = JSON.stringify(field)
    times.set(text, (times.get(text) ?? 0) + 1)
    return field
  }
  for (const schema of Object.values(schemas)) onProperties(schema, count)
  const freeName = (name: string) => {
    let free = name
    for (let at = 2; Object.hasOwn(schemas, free) || Object.hasOwn(shared, free); at++) free = `${name}.${at}`
    return free
  }
  const share = (name: string, field: Schema): Schema => {
    const text = JSON.stringify(field)
    const known = names.get(text)
    if (known !== undefined) return refTo('schemas', known)
    const free = freeName(name)
    if (!isWorthSharing(free, field, times.get(text) ?? 0)) return field
    names.set(text, free)
    shared[free] = field
    return refTo('schemas', free)
  }
  const described = Object.entries(schemas).map(([name, schema]) => [name, onProperties(schema, share)] as const)
  return { ...Object.fromEntries(described), ...shared }
}
