import type { Bundle, CapabilityStatement, FhirResource, OperationOutcome } from 'fhir/r4'
import { instant } from '#kernel/values/date.ts'
import { parseExact } from '#server/outbound/exact-json.ts'
import { type Books, Refused } from '../books.ts'
import { type Faults, noFaults } from '../faults.ts'
import type { Answer, Asked } from '../server.ts'
import { mannered } from './manners.ts'
import { allOf, BadSearch, search, types } from './search.ts'
import { runTransaction } from './transaction.ts'

const TYPE = 'application/fhir+json; charset=utf-8'
const answer = (status: number, resource: object): Answer => ({ status, type: TYPE, body: JSON.stringify(resource) })

export const outcome = (status: number, code: string, text: string): Answer =>
  answer(status, {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code, diagnostics: text }],
  } as OperationOutcome)

/** FHIR R4 over HTTP: searches, reads, the capability statement, and transactions. */
export function answerFhir(
  books: Books,
  base: string,
  { method, path, query, body }: Asked,
  faults: Faults = noFaults(),
): Answer {
  try {
    if (method === 'POST' && path === '') return answer(200, runTransaction(books, parseExact(body) as Bundle))
    if (method !== 'GET') return outcome(405, 'not-supported', '不支持的方法')
    if (path === 'metadata') return answer(200, capabilities())
    const [type = '', id] = path.split('/')
    if (id !== undefined) {
      const found = allOf(books, type)?.find(each => each.id === id)
      return found ? answer(200, found) : outcome(404, 'not-found', `没有${path}`)
    }
    const found = search(books, base, type, query, faults.lenient)
    return found ? answer(200, mannered(found, faults)) : outcome(404, 'not-supported', `没有资源${type}`)
  } catch (error) {
    if (error instanceof Refused) return outcome(422, 'business-rule', error.message)
    if (error instanceof BadSearch) return outcome(400, 'invalid', error.message)
    if (error instanceof SyntaxError) return outcome(400, 'structure', '不是JSON')
    throw error
  }
}

const capabilities = (): CapabilityStatement => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  kind: 'instance',
  date: instant(),
  fhirVersion: '4.0.1',
  format: ['application/fhir+json'],
  rest: [
    {
      mode: 'server',
      interaction: [{ code: 'transaction' }],
      resource: types.map(type => ({
        type: type as FhirResource['resourceType'],
        interaction: [{ code: 'read' }, { code: 'search-type' }],
      })),
    },
  ],
})
