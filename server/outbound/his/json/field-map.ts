import { hisEnvelope, type EnvelopePart, hisResources, type ResourceName } from '#server/outbound/his/json/shapes.ts'

/**
 * What a hospital's HIS calls the fields of the contract: a path within its JSON for each, `brjbxx.xm` or `ks[0].dm`,
 * and its codes where it has some for a pick. What nobody mapped has the name of the contract.
 */
export type FieldMap = {
  readonly path: (resource: ResourceName, field: string) => string
  /** The HIS's code of each word of ours. */
  readonly codes: (resource: ResourceName, field: string) => Readonly<Record<string, string>>
  readonly address: (resource: ResourceName) => string
  readonly envelope: (part: EnvelopePart) => string
}

/** A row of the page. `resource` is one of `hisResources`, or `envelope`; `field` one of its fields, or `address`. */
export type MappedField = {
  readonly resource: string
  readonly field: string
  readonly path: string
  readonly codes: string | null
}

export const HIS_ENVELOPE = 'envelope'
export const HIS_ADDRESS = 'address'

const STEP = '[\\p{L}\\p{N}_$-]+(?:\\[\\d{1,3}\\])*'
const PATH = new RegExp(`^${STEP}(?:\\.${STEP})*$`, 'u')
const PLACE = /^[A-Za-z0-9_.~-]+(?:\/[A-Za-z0-9_.~-]+)*$/

/** The fault of a mapping's path, in a sentence; null where it may be kept. */
export function wrongPath({ resource, field, path }: MappedField): string | null {
  if (field === HIS_ADDRESS && resource !== HIS_ENVELOPE) return wrongAddress(path)
  return PATH.test(path) ? null : 'JSON路径应形如 data.patient.name 或 rows[0].code'
}

const wrongAddress = (path: string): string | null =>
  PLACE.test(path) && !path.split('/').some(step => /^\.+$/.test(step))
    ? null
    : '地址应为相对路径，如 api/patients，不含域名和参数'

/** The same of its codes. */
export function wrongCodes({ resource, field, codes }: MappedField): string | null {
  if (codes === null || codes === '') return null
  const shape = hisResources[resource as ResourceName]?.fields[field]
  if (shape?.is !== 'pick' && shape?.is !== 'flag') return '只有选项和是否可以对照代码'
  const known = shape.is === 'pick' ? Object.keys(shape.of) : ['true', 'false']
  const said = Object.entries(parseCodes(codes))
  const unknown = said.find(([ours]) => !known.includes(ours))
  if (said.length === 0 || unknown) return `代码对照应形如 ${known[0]}=1,${known[1]}=2，可用的有${known.join('、')}`
  if (new Set(said.map(([, theirs]) => theirs)).size < said.length) return '代码对照有重复的代码'
  return null
}

/** `male=1,female=2`. */
export const parseCodes = (codes: string | null): Record<string, string> =>
  Object.fromEntries(
    (codes ?? '')
      .split(/[,，;；\s]+/)
      .map(each => each.split('='))
      .filter((each): each is [string, string] => each.length === 2 && each.every(part => part !== '')),
  )

/** The presets, with what a hospital mapped otherwise. */
export function fieldMap(mapped: readonly MappedField[]): FieldMap {
  const known = new Map(mapped.map(row => [`${row.resource}.${row.field}`, row]))
  const at = (resource: string, field: string) => known.get(`${resource}.${field}`)
  return {
    path: (resource, field) => at(resource, field)?.path ?? field,
    codes: (resource, field) => parseCodes(at(resource, field)?.codes ?? null),
    address: resource => at(resource, HIS_ADDRESS)?.path ?? hisResources[resource].address ?? '',
    envelope: part => at(HIS_ENVELOPE, part)?.path ?? hisEnvelope[part].path,
  }
}

const stepsOf = (path: string): string[] => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')

/** The value at a path; undefined where there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  stepsOf(path).reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? (found as Record<string, unknown>)[step]
        : undefined,
    value,
  )

type Bag = Record<string, unknown>

/** Writes a value at a path, with the objects and lists that lead to it. Paths come from the page: no prototypes. */
export function writeAt(target: Bag, path: string, value: unknown): void {
  const steps = stepsOf(path)
  let place: Bag = target
  steps.forEach((step, index) => {
    if (index === steps.length - 1) return void define(place, step, value)
    if (!Object.hasOwn(place, step)) define(place, step, /^\d+$/.test(steps[index + 1]!) ? [] : {})
    place = place[step] as Bag
  })
}

const define = (place: Bag, step: string, value: unknown): void =>
  void Object.defineProperty(place, step, { value, enumerable: true, writable: true, configurable: true })

/** Fields of goods and money, which tell of no patient, under the names that the HIS has for them. */
const ofGoods: readonly ResourceName[] = ['charge_item']

/** Names within the messages of a HIS whose values people may read: those of its envelope, and of goods. */
export function plainNames(map: FieldMap): ReadonlySet<string> {
  const last = (path: string): string => (path.split('.').at(-1) ?? path).replace(/\[\d+\]/g, '')
  const fields = ofGoods.flatMap(resource =>
    Object.keys(hisResources[resource].fields).map(field => map.path(resource, field)),
  )
  return new Set([map.envelope('words'), map.envelope('state'), ...fields].map(last))
}
