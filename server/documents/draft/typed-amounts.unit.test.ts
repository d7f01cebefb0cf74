import { expect, test } from 'vitest'
import { takesAmounts } from '#kernel/definition/line-content.ts'
import { documents } from '#kernel/registry.ts'
import { parseInput } from '#server/documents/draft/input.ts'

const typed = { taxed_amount: '0.01', untaxed_amount: '5000', tax_amount: '-4999.99' }

/** Sends every amount that a line of the kind can be given. */
const read = (definition: ReturnType<typeof documents>[number], name: keyof typeof typed) => {
  try {
    return parseInput(definition, { lines: [{ [name]: typed[name] }] }).lines?.[0]
  } catch {
    return 'refused'
  }
}

test.each(documents().map(definition => [definition.kind, definition] as const))(
  '%s: no amount of a call is taken where the program computes it',
  (_, definition) => {
    for (const name of Object.keys(typed) as (keyof typeof typed)[])
      if (!takesAmounts(definition)) expect([{}, 'refused']).toContainEqual(read(definition, name))
  },
)

test('amounts are taken where the document is about one, and from invoices', () => {
  const takers = documents().filter(takesAmounts)
  expect(takers.filter(({ lineRules }) => lineRules.basis !== 'amount').map(({ kind }) => kind)).toEqual([
    'inboundInvoice',
    'outboundInvoice',
  ])
  expect(takers.length).toBeGreaterThan(3)
})
