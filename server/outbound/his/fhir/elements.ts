import type { Bundle, CodeableConcept, FhirResource, HumanName, Identifier, Meta, Period, Reference } from 'fhir/r4'
import { addDays, type Day, instant, isDay, momentOf as isoMoment, startOf } from '#kernel/values/date.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { isDecimal, type Decimal } from '#kernel/values/decimal.ts'
import { HisError, type HisSex, type Moment } from '#server/outbound/his/contract.ts'
import { hasIdeographs, joinedName } from '#server/outbound/his/person-name.ts'
import { identifierTypes, systems } from '#server/outbound/his/fhir/profile.ts'

/** Reads single elements of FHIR resources; what is asked for and missing is an unreadable answer. */

export type Found = {
  readonly matches: readonly FhirResource[]
  readonly byReference: ReadonlyMap<string, FhirResource>
}

const unreadable = (what: string): HisError => new HisError('unreadable', `HIS的答复缺少${what}`)

export function needed<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined || value === '') throw unreadable(what)
  return value
}

/** The resources of a bundle: those that matched, and all by the reference under which others name them. */
export function readBundle(body: unknown): Bundle {
  const bundle = body as Bundle | null
  if (bundle?.resourceType !== 'Bundle') throw new HisError('unreadable', 'HIS的答复不是FHIR Bundle')
  return bundle
}

export function resourcesOf(bundle: Bundle): Found {
  const entries = bundle.entry ?? []
  const all = entries.flatMap(entry => (entry.resource ? [entry.resource as FhirResource] : []))
  const [failed] = ofType(all, 'OperationOutcome')
    .flatMap(({ issue }) => issue)
    .filter(({ severity }) => severity === 'error' || severity === 'fatal')
  // Its words may repeat the question, which names a patient; its code does not.
  if (failed) throw new HisError('refused', `HIS未能完成查询（${failed.code}）`)
  return {
    matches: entries.flatMap(entry =>
      entry.resource && entry.search?.mode !== 'include' && entry.search?.mode !== 'outcome'
        ? [entry.resource as FhirResource]
        : [],
    ),
    byReference: new Map(
      entries.flatMap(({ fullUrl, resource }) => {
        if (!resource) return []
        const names = [`${resource.resourceType}/${resource.id}`, ...(fullUrl ? [fullUrl] : [])]
        return names.map(name => [name, resource as FhirResource] as const)
      }),
    ),
  }
}

/** Those of one type, wherever they stand in a bundle. */
export const ofType = <Type extends FhirResource['resourceType']>(
  resources: Iterable<FhirResource>,
  type: Type,
): Extract<FhirResource, { resourceType: Type }>[] =>
  [...resources].filter((each): each is Extract<FhirResource, { resourceType: Type }> => each.resourceType === type)

type Identified = { readonly identifier?: Identifier[] | undefined }

type Dated = { readonly period?: Period | undefined }
/** True for what holds now: its period has begun and is not over. */
export const isCurrent = ({ period }: Dated): boolean =>
  (period?.start === undefined || momentOrNull(period.start) === null || momentOrNull(period.start)! <= instant()) &&
  (period?.end === undefined || (endOf(period.end) ?? instant()) >= instant())
const endOf = (text: string): Moment | null =>
  DAY.test(text) ? momentOf(startOf(addDays(text as Day, 1)), '时间') : momentOrNull(text)

const numbersBy = (resource: Identified | undefined, holds: (each: Identifier) => boolean): string[] =>
  (resource?.identifier ?? []).filter(holds).flatMap(each => each.value || [])

/**
 * By our system; else by the type that stands for it, which servers with systems of their own write. Old numbers and
 * those whose time is over are none.
 */
export function numberOf(resource: Identified | undefined, system: string): string | null {
  const inForce = (each: Identifier) => each.use !== 'old' && isCurrent(each)
  const type = identifierTypes[system]
  const found = [
    ...numbersBy(resource, each => each.system === system && inForce(each)),
    ...numbersBy(
      resource,
      each => type !== undefined && inForce(each) && each.type?.coding?.some(({ code }) => code === type) === true,
    ),
  ]
  return found[0] ?? null
}

/** True if a resource bears the number that was asked for, old ones included: a lenient server answers with others. */
export const bears = (resource: Identified, number: string): boolean =>
  numbersBy(resource, each => each.value === number).length > 0

/**
 * The number of who or what is referred to: said in the reference, or that of the resource beside it. A number in the
 * reference that is of another kind (an identity card for a patient) is not taken for it.
 */
export function numberIn(found: Found, reference: Reference | undefined, system: string): string | null {
  if (!reference) return null
  const { identifier: said } = reference
  const isUnnamed = said !== undefined && said.system === undefined && said.type === undefined
  const number = isUnnamed ? said.value : numberOf(said && { identifier: [said] }, system)
  return number || numberOf(referred(found, reference) as Identified | undefined, system)
}

/** The resource that is referred to, in whatever version. */
export function referred(found: Found, reference: Reference | undefined): FhirResource | undefined {
  const address = reference?.reference?.replace(/\/_history\/[^/]*$/, '') ?? ''
  return found.byReference.get(address) ?? found.byReference.get(address.split('/').slice(-2).join('/'))
}

export const codeOf = (concept: CodeableConcept | undefined, system: string): string | null =>
  concept?.coding?.find(each => each.system === system)?.code || null

type Extended = { readonly extension?: { url: string }[] | undefined }
const extensionOf = (resource: Extended, url: string): Record<string, unknown> | undefined =>
  resource.extension?.find(each => each.url === url) as Record<string, unknown> | undefined

export function textIn(resource: Extended, url: string): string | null {
  const value = extensionOf(resource, url)
  return ((value?.valueString ?? value?.valueDateTime) as string | undefined) || null
}
export const figureIn = (resource: Extended, url: string): Decimal | null =>
  decimalOrNull(extensionOf(resource, url)?.valueDecimal)
export const countIn = (resource: Extended, url: string): number | null => {
  const value = extensionOf(resource, url)?.valueInteger
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? parseInt(value, 10) : null
}

/** Figures arrive as their digits (`exact-json.ts`), whatever the types of FHIR say. */
export const decimalOrNull = (value: unknown): Decimal | null => (isDecimal(value) ? value : null)

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** An instant or a dateTime; a day is when it begins in Shanghai. What says less than a day is none. */
export function momentOf(value: string | undefined, what: string): Moment {
  const text = needed(value, what)
  const moment = isoMoment(DAY.test(text) && isDay(text) ? startOf(text) : text)
  if (moment === null) throw unreadable(what)
  return moment
}
/** Null where the server leaves it out or says a month or a year only. */
export const momentOrNull = (value: string | null | undefined): Moment | null =>
  value && !/^\d{4}(-\d{2})?$/.test(value) ? momentOf(value, '时间') : null
/** The time at which a resource was changed; the present time, where the server does not give it. */
export const changedAt = (row: { readonly meta?: Meta | undefined }): Moment =>
  momentOrNull(row.meta?.lastUpdated) ?? instant()
export const dayOrNull = (value: string | undefined): Day | null => {
  const day = value?.slice(0, 10)
  return isDay(day) ? day : null
}

export const sexOf = (gender: string | undefined): HisSex =>
  gender === 'male' || gender === 'female' || gender === 'other' ? gender : 'unknown'

type Named = { readonly name?: HumanName[] | undefined }
const REPRESENTATION = 'http://hl7.org/fhir/StructureDefinition/iso21090-EN-representation'
/** The order in which names are taken by their use; others are no name of today. */
const uses: readonly (string | undefined)[] = ['official', 'usual', undefined, 'temp']

/** The name in force: official before usual, in Chinese characters before letters. */
export function nameOf(resource: Named): string | null {
  const names = (resource.name ?? []).filter(name => uses.includes(name.use) && isCurrent(name))
  const isIdeographic = (name: HumanName) =>
    name.extension?.some(({ url, valueCode }) => url === REPRESENTATION && valueCode === 'IDE') === true ||
    hasIdeographs(textOf(name))
  const [name] = names
    .filter(each => textOf(each) !== '')
    .toSorted(
      (one, other) =>
        uses.indexOf(one.use) - uses.indexOf(other.use) || falseFirst(!isIdeographic(one), !isIdeographic(other)),
    )
  return name ? textOf(name) : null
}
const textOf = ({ text, family, given }: HumanName): string => text?.trim() || joinedName(family ?? '', given ?? [])

/** An identifier of ours, as it is written. */
export const identifier = (system: string, value: string): Identifier => ({ system, value })
export const byNumber = (system: string, value: string): Reference => ({ identifier: identifier(system, value) })
export const requestIdentifiers = (key: string, line: number): Identifier[] => [
  identifier(systems.request, key),
  identifier(systems.requestLine, `${key}#${line}`),
]
