import type { Bundle, FhirResource } from 'fhir/r4'
import { HisError, type HisPages, type NamesPatient } from '#server/outbound/his/contract.ts'
import { type Found, readBundle, resourcesOf } from '#server/outbound/his/fhir/elements.ts'
import type { HisHttp } from '#server/outbound/his/http.ts'

export type Query = readonly (readonly [string, string])[]

const MOST_PAGES = 2000
const PAGE = 200

const search = (type: string, query: Query): string =>
  `${type}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`

/** The numbers that are asked for: a server that refuses a question likes to repeat it. */
const numbersIn = (query: Query): string[] =>
  query.flatMap(([name, value]) => (name.endsWith('identifier') ? [value.slice(value.lastIndexOf('|') + 1)] : []))

/** All pages of a search, as the server links them. */
export async function* pages(http: HisHttp, title: string, type: string, query: Query): AsyncGenerator<Found> {
  let address: string | undefined = search(type, [...query, ['_count', String(PAGE)]])
  const read = new Set<string>()
  while (address !== undefined) {
    // A page that links itself would be read for ever.
    if (read.has(address) || read.size >= MOST_PAGES) throw new HisError('unreadable', 'HIS的分页没有结尾')
    read.add(address)
    const bundle: Bundle = readBundle(await http.get(title, address, numbersIn(query)))
    yield resourcesOf(bundle)
    address = bundle.link?.find(link => link.relation === 'next')?.url
  }
}

/** The first page alone: of one thing, or of the newest. */
export const firstPage = async (http: HisHttp, title: string, type: string, query: Query): Promise<Found> =>
  resourcesOf(readBundle(await http.get(title, search(type, query), numbersIn(query))))

export async function* rowsOf<Row>(source: AsyncIterable<Found>, of: (found: Found) => Row[]): HisPages<Row> {
  for await (const found of source) yield of(found)
}

/** Runs a transaction; what was booked is in the answer. */
export async function transact(http: HisHttp, bundle: Bundle, hidden: NamesPatient = []): Promise<FhirResource[]> {
  const answer = await http.post('', { body: bundle, headers: { prefer: 'return=representation' }, hidden })
  return (readBundle(answer).entry ?? []).flatMap(({ resource }) => (resource ? [resource as FhirResource] : []))
}
