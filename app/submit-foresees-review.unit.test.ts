import { describe, expect, it } from 'vitest'
import type { ActionSpec, AnyDocument } from '#kernel/definition/document.ts'
import { documents } from '#app/modules.ts'
import { hooks } from '#app/modules.server.ts'

/**
 * At submit a user learns everything that the review of the same day would refuse. The kinds with something that only
 * the review can judge are listed here; everything else is refused at submit by the engine
 * (`server/documents/action/checks.ts`).
 */
const JUDGED_AT_REVIEW: Readonly<Record<string, string>> = {
  inspectionOrder: 'the reviewer is neither inspector nor receiver',
  saleOdo: 'goods are rechecked while it waits',
  saleReturn: 'the inspection of what came back is written while it waits',
  recall: 'the reviewer at the platform has not written it',
  transfer: 'the reviewer belongs to the store that sends, or receives',
  transferReceipt: 'the reviewer belongs to the store that receives',
  stockTake: 'the reviewer has not counted',
  dispatch: 'codes are picked while it waits',
  grantOdo: 'goods are picked while it waits',
  wardReceipt: 'the reviewer belongs to the ward',
  departmentUse: 'the HIS charges while it waits',
  surgeryUse: 'the HIS charges while it waits',
  grantReturn: 'the reviewer belongs to the store',
  bonePresale: 'the hospital counts the goods while it waits',
  boneBack: 'the hospital gives the goods up, or says that they were used, while it waits',
  inboundInvoice: 'an invoice may come before its goods and waits for their receipt',
  admission: 'licences are told at submit and may come; the price is negotiated while it waits',
}
const rules = new Map(hooks.documents.map(each => [each.kind, each]))
const conditionsOf = (kind: string, action: string) => {
  const asked = rules.get(kind)?.validate?.[action] ?? []
  return typeof asked === 'function' ? [asked] : asked
}
const judged = (documents as readonly AnyDocument[]).filter(({ actions }) => actions.submit && actions.review)

/** Fields whose value is decided by the quantity of the line: approved, received. */
const isQuantity = (name: string) => name.endsWith('quantity')

/** The names that people or the system may still write between submit and review. */
function writtenBetween(definition: AnyDocument): (name: string) => boolean {
  const { editableWhenSubmitted: waits = [] } = definition.lifecycle
  const between = Object.values(definition.actions).filter(
    (action: ActionSpec<never>) => action.from.includes('submitted') && action !== definition.actions.submit,
  )
  const written = new Set(between.flatMap(({ inputs = [], sets = {} }) => [...inputs, ...Object.keys(sets)]))
  const kept = { ...definition.lines, ...definition.header, ...definition.internalFields } as Record<
    string,
    { readOnly?: boolean }
  >
  return name =>
    waits === true ||
    (Array.isArray(waits) && (waits.includes(name) || (name === 'quantity' && waits.some(isQuantity)))) ||
    written.has(name) ||
    (name in kept && kept[name]!.readOnly === true) ||
    name in (definition.internalFields ?? {})
}

/** The names that a guard reads of documents: empty, filled, and with each choice of each field. */
function namesRead(definition: AnyDocument, guard: (doc: never) => unknown): Set<string> {
  const read = new Set<string>()
  const choices = Object.entries({ ...definition.lines, ...definition.header }).flatMap(
    ([name, { choices: of = {} }]) => Object.keys(of).map(choice => ({ [name]: choice })),
  )
  for (const value of [null, '1', true, []])
    for (const chosen of [{}, ...choices]) {
      const noting = (given: Readonly<Record<string, unknown>>) =>
        new Proxy(given, {
          get: (target, name) => {
            if (typeof name !== 'string') return undefined
            read.add(name)
            return name in target ? target[name] : value
          },
          has: () => true,
          getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value }),
        })
      try {
        guard(noting({ ...chosen, lines: [noting({ ...chosen, line_no: 1 })] }) as never)
      } catch {
        // A guard that cannot read such a value has read the names before it.
      }
    }
  return read
}

describe('what the review refuses', () => {
  it('is refused at submit, but for what the house says that only the review can judge', () => {
    const later = judged.filter(({ kind }) => conditionsOf(kind, 'review').some(({ atReviewOnly }) => atReviewOnly))
    expect(later.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(JUDGED_AT_REVIEW).toSorted())
  })

  it.each(judged.map(definition => [definition.kind as string, definition] as const))(
    '%s: its guards are those of the submit, or read what is written while it waits',
    (_kind, definition) => {
      const { submit, review } = definition.actions as Record<string, ActionSpec<never>>
      const asked = new Set(submit!.guards ?? [])
      const isWritten = writtenBetween(definition)
      const blind = (review!.guards ?? [])
        .filter(guard => !asked.has(guard))
        .map(guard => [...namesRead(definition, guard as (doc: never) => unknown)])
        .filter(names => !names.some(isWritten))
      expect(blind).toEqual([])
    },
  )
})
