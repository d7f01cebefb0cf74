import type { Bundle, FhirResource, Identifier } from 'fhir/r4'
import type { Faults } from '../faults.ts'

type Loose = Record<string, unknown>
const over = { start: '2001-01-01', end: '2002-01-01' }

/** Old numbers, names and places before those in force. */
function disordered(resource: FhirResource): FhirResource {
  const row = structuredClone(resource) as unknown as Loose
  if (Array.isArray(row.identifier))
    row.identifier = [
      ...(row.identifier as Identifier[]).map(each => ({ ...each, use: 'old', value: `OLD-${each.value}` })),
      ...(row.identifier as Identifier[]).map(each => ({ ...each, period: over, value: `OVER-${each.value}` })),
      ...(row.identifier as Identifier[]),
    ]
  if (Array.isArray(row.name))
    row.name = [
      { use: 'maiden', text: '旧名' },
      { use: 'official', text: '过期名', period: over },
      { use: 'official', family: 'Pinyin', given: ['Name'] },
      ...row.name,
    ]
  if (Array.isArray(row.location))
    row.location = [
      { status: 'completed', location: { display: '旧床' }, period: over },
      { status: 'planned', location: { display: '预约床' } },
      ...(row.location as Loose[]).map(each => ({ ...each, status: 'active' })),
    ]
  if (Array.isArray(row.participant))
    row.participant = [{ individual: { display: '前任' }, period: over }, ...row.participant]
  return row as unknown as FhirResource
}

/** The resource without the elements that FHIR does not ask of a server, and that this program does not need. */
function sparse(resource: FhirResource): FhirResource {
  const { meta: _, gender: _gender, birthDate: _birth, location: _place, ...row } = resource as unknown as Loose
  if (Array.isArray(row.participant)) delete row.participant
  return row as unknown as FhirResource
}

/** A searchset in the manner that was switched on. */
export function mannered(bundle: Bundle, faults: Pick<Faults, 'sparse' | 'disordered'>): Bundle {
  const dressed = (resource: FhirResource) => {
    const one = faults.sparse ? sparse(resource) : resource
    return faults.disordered ? disordered(one) : one
  }
  return {
    ...bundle,
    ...(bundle.entry
      ? {
          entry: bundle.entry.map(each =>
            each.resource ? { ...each, resource: dressed(each.resource as FhirResource) } : each,
          ),
        }
      : {}),
  }
}
