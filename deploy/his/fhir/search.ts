import type { Bundle, BundleEntry, FhirResource } from 'fhir/r4'
import { addDays, isDay, startOf } from '#kernel/values/date.ts'
import type { Books } from '../books.ts'
import {
  accountResource,
  chargeResource,
  deliveryResources,
  encounterResource,
  itemResource,
  organizationResource,
  patientResource,
  practitionerResource,
  procedureResource,
  roleResource,
} from './resources.ts'

/** A search that the server does not understand. */
export class BadSearch extends Error {}

/** All resources of a type, in the order of the books. */
const resources: Readonly<Record<string, (books: Books) => FhirResource[]>> = {
  Patient: books => books.patients.map(patientResource),
  Encounter: books => books.visits.map(encounterResource),
  Account: books => books.visits.map(accountResource),
  Procedure: books => books.operations.map(procedureResource),
  Practitioner: books => books.staff.map(practitionerResource),
  PractitionerRole: books => books.staff.map(roleResource),
  Organization: books => books.departments.map(organizationResource),
  ChargeItemDefinition: books => books.items.map(itemResource),
  ChargeItem: books => books.charges.map(chargeResource),
  SupplyDelivery: books => books.receipts.flatMap(deliveryResources),
}
export const types = Object.keys(resources)
export const allOf = (books: Books, type: string): FhirResource[] | null => resources[type]?.(books) ?? null

type Loose = FhirResource & {
  identifier?: { system?: string; value?: string }[]
  meta?: { lastUpdated?: string }
  [field: string]: unknown
}
const referenceIn = (value: unknown): string => (value as { reference?: string } | undefined)?.reference ?? ''

/** A token: `system|value`, or the value alone. */
function hasToken(resource: Loose, asked: string): boolean {
  const bar = asked.indexOf('|')
  const [system, value] = bar < 0 ? [null, asked] : [asked.slice(0, bar), asked.slice(bar + 1)]
  return (resource.identifier ?? []).some(
    each => each.value === value && (system === null || system === '' || each.system === system),
  )
}

const prefixes: Readonly<Record<string, (at: string, bound: string) => boolean>> = {
  ge: (at, bound) => at >= bound,
  gt: (at, bound) => at > bound,
  le: (at, bound) => at <= bound,
  lt: (at, bound) => at < bound,
  eq: (at, bound) => at.slice(0, bound.length) === bound,
}

/** A date: a prefix and a day or an instant; days are days of UTC+8. */
function isAt(at: unknown, asked: string): boolean {
  const prefix = /^[a-z]{2}/.exec(asked)?.[0] ?? 'eq'
  const text = asked.replace(/^[a-z]{2}/, '')
  const bound = isDay(text) ? new Date(startOf(text)).toISOString() : text
  const compare = prefixes[prefix]
  if (!compare || Number.isNaN(Date.parse(bound))) throw new BadSearch(`不是日期：${asked}`)
  if (typeof at !== 'string') return false
  if (prefix === 'eq' && isDay(text)) {
    const next = new Date(startOf(addDays(text, 1))).toISOString()
    return at >= bound && at < next
  }
  return compare(at, prefix === 'eq' ? bound : new Date(bound).toISOString())
}

/** The condition of each search parameter on a resource. */
const parameters: Readonly<Record<string, (resource: Loose, asked: string) => boolean>> = {
  _id: (resource, asked) => asked.split(',').includes(resource.id ?? ''),
  _lastUpdated: (resource, asked) => isAt(resource.meta?.lastUpdated, asked),
  identifier: (resource, asked) => asked.split(',').some(each => hasToken(resource, each)),
  type: (resource, asked) => JSON.stringify(resource.type ?? '').includes(`"${asked}"`),
  'entered-date': (resource, asked) => isAt(resource.enteredDate, asked),
  occurrence: (resource, asked) => isAt(resource.occurrenceDateTime, asked),
  'planned-date': (resource, asked) => isAt(plannedAt(resource), asked),
}
const plannedAt = (resource: Loose): unknown =>
  (resource.extension as { valueDateTime?: string }[] | undefined)?.[0]?.valueDateTime

/** `patient.identifier` and `encounter.identifier`: by the number of who or what is referred to. */
const chains: Readonly<Record<string, readonly [field: string, type: string]>> = {
  'patient.identifier': ['subject', 'Patient'],
  'encounter.identifier': ['encounter', 'Encounter'],
}

function matches(books: Books, resource: Loose, name: string, asked: string): boolean {
  const chain = chains[name]
  if (chain) {
    const [field, type] = chain
    const target = (allOf(books, type) ?? []).filter(each => hasToken(each as Loose, asked))
    return target.some(each => referenceIn(resource[field]) === `${type}/${each.id}`)
  }
  const test = parameters[name]
  if (!test) throw new BadSearch(`不支持的检索参数：${name}`)
  return test(resource, asked)
}

/** `_include=Procedure:encounter`: what the named element of a resource refers to. */
const elements: Readonly<Record<string, string>> = {
  patient: 'subject',
  encounter: 'encounter',
  context: 'context',
  account: 'account',
  practitioner: 'practitioner',
  organization: 'organization',
  partof: 'partOf',
  performer: 'performer',
  'service-provider': 'serviceProvider',
}
function elementOf(asked: string): { type: string; element: string } {
  const [type = '', name = ''] = asked.split(':')
  const element = name === 'practitioner' && type === 'Encounter' ? 'participant' : elements[name]
  if (!element) throw new BadSearch(`不支持的_include：${asked}`)
  return { type, element }
}

/** References of an element: its own, and those within a performer or a participant. */
const referencesIn = (resource: Loose, element: string): string[] =>
  [resource[element]].flat().flatMap(value => {
    const within = value as { actor?: unknown; onBehalfOf?: unknown; individual?: unknown } | undefined
    return [value, within?.actor, within?.onBehalfOf, within?.individual].map(referenceIn).filter(Boolean)
  })

function included(books: Books, found: readonly FhirResource[], asked: readonly string[]): FhirResource[] {
  const wanted = asked.flatMap(each => {
    const { type, element } = elementOf(each)
    const from = found.filter(one => one.resourceType === type)
    return from.flatMap(resource => referencesIn(resource as Loose, element))
  })
  return [...new Set(wanted)].flatMap(reference => {
    const [type = '', id] = reference.split('/')
    return allOf(books, type)?.find(one => one.id === id) ?? []
  })
}

function referring(books: Books, found: readonly FhirResource[], asked: readonly string[]): FhirResource[] {
  const wanted = new Set(found.map(one => `${one.resourceType}/${one.id}`))
  return asked.flatMap(each => {
    const { type, element } = elementOf(each)
    return (allOf(books, type) ?? []).filter(one =>
      referencesIn(one as Loose, element).some(reference => wanted.has(reference)),
    )
  })
}

const PAGE = 50
const MOST = 200

/** A searchset: a page of what matches, and the link to the next. Leniently, everything matches. */
export function search(
  books: Books,
  base: string,
  type: string,
  query: URLSearchParams,
  isLenient = false,
): Bundle | null {
  const all = allOf(books, type)
  if (all === null) return null
  const conditions = [...query].filter(
    ([name]) => !/^_(count|offset|sort|include|revinclude|include:iterate)$/.test(name),
  )
  const found = all.filter(resource =>
    conditions.every(([name, asked]) => isLenient || matches(books, resource as Loose, name, asked)),
  )
  const count = Math.min(countOf(query, '_count', PAGE), MOST)
  const offset = countOf(query, '_offset', 0)
  const page = found.slice(offset, offset + count)
  const referred = referring(books, page, query.getAll('_revinclude'))
  const beside = [
    ...included(books, page, query.getAll('_include')),
    ...referred,
    ...included(books, [...page, ...referred], query.getAll('_include:iterate')),
  ]
  const more = offset + count < found.length
  const next = new URLSearchParams(query)
  next.set('_count', String(count))
  next.set('_offset', String(offset + count))
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total: found.length,
    link: [
      { relation: 'self', url: `${base}/${type}?${query}` },
      ...(more ? [{ relation: 'next', url: `${base}/${type}?${next}` }] : []),
    ],
    entry: [
      ...page.map(resource => entry(base, resource, 'match')),
      ...beside.map(resource => entry(base, resource, 'include')),
    ],
  }
}

function countOf(query: URLSearchParams, name: string, preset: number): number {
  const text = query.get(name)
  if (text === null) return preset
  if (!/^\d{1,6}$/.test(text)) throw new BadSearch(`${name}应为整数`)
  return parseInt(text, 10)
}

const entry = (base: string, resource: FhirResource, mode: 'match' | 'include'): BundleEntry => ({
  fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
  resource,
  search: { mode },
})
