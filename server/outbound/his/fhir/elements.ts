import type { Bundle, CodeableConcept, FhirResource, HumanName, Identifier, Reference } from 'fhir/r4'
import { isDay, type Day } from '#kernel/values/date.ts'
import { isDecimal, type Decimal } from '#kernel/values/decimal.ts'
import { HisError, type HisSex, type Moment } from '#server/outbound/his/contract.ts'
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
  return {
    matches: entries.flatMap(entry =>
      entry.resource && entry.search?.mode !== 'include' && entry.search?.mode !== 'outcome'
        ? [entry.resource as FhirResource]
        : [],
    ),
    byReference: new Map(all.map(resource => [`${resource.resourceType}/${resource.id}`, resource])),
  }
}

/** Those of one type, wherever they stand in a bundle. */
export const ofType = <Type extends FhirResource['resourceType']>(
  resources: Iterable<FhirResource>,
  type: Type,
): Extract<FhirResource, { resourceType: Type }>[] =>
  [...resources].filter((each): each is Extract<FhirResource, { resourceType: Type }> => each.resourceType === type)

type Identified = { readonly identifier?: Identifier[] | undefined }

/** By our system; else by the type that stands for it, which servers with systems of their own write. */
export function numberOf(resource: Identified | undefined, system: string): string | null {
  const all = resource?.identifier ?? []
  const type = identifierTypes[system]
  const found =
    all.find(each => each.system === system) ??
    (type === undefined ? undefined : all.find(each => each.type?.coding?.some(({ code }) => code === type)))
  return found?.value || null
}

/** The number of who or what is referred to: said in the reference, or that of the resource beside it. */
export function numberIn(found: Found, reference: Reference | undefined, system: string): string | null {
  if (!reference) return null
  if (reference.identifier?.value) return reference.identifier.value
  return numberOf(referred(found, reference) as Identified | undefined, system)
}

export const referred = (found: Found, reference: Reference | undefined): FhirResource | undefined =>
  found.byReference.get(reference?.reference?.split('/').slice(-2).join('/') ?? '')

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

export function momentOf(value: string | undefined, what: string): Moment {
  const at = Date.parse(needed(value, what))
  if (Number.isNaN(at)) throw unreadable(what)
  return new Date(at).toISOString()
}
export const momentOrNull = (value: string | null | undefined): Moment | null =>
  value ? momentOf(value, '时间') : null
export const dayOrNull = (value: string | undefined): Day | null => {
  const day = value?.slice(0, 10)
  return isDay(day) ? day : null
}

export const sexOf = (gender: string | undefined): HisSex =>
  gender === 'male' || gender === 'female' || gender === 'other' ? gender : 'unknown'

type Named = { readonly name?: HumanName[] | undefined }
/** Chinese names are written without a space between family and given name. */
export function nameOf(resource: Named): string | null {
  const [name] = resource.name ?? []
  return name?.text || `${name?.family ?? ''}${(name?.given ?? []).join('')}` || null
}

/** An identifier of ours, as it is written. */
export const identifier = (system: string, value: string): Identifier => ({ system, value })
export const byNumber = (system: string, value: string): Reference => ({ identifier: identifier(system, value) })
export const requestIdentifiers = (key: string, line: number): Identifier[] => [
  identifier(systems.request, key),
  identifier(systems.requestLine, `${key}#${line}`),
]
