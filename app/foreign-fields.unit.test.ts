import { expect, test } from 'vitest'
import type { Fields } from '#kernel/definition/field.ts'
import { documents, entities } from '#kernel/registry.ts'
import { type OrgType, orgTypeName } from '#kernel/values/organisation-type.ts'
import { hidePrices } from '#server/access/sensitive-fields.ts'
import { systemSession } from '#server/access/session.ts'

/** Fields of kinds that several organisation types share, where some types have no business with them. */
const kinds = [
  ...documents().map(({ kind, header, lines }) => ({ kind, parts: [header, lines] as readonly Fields[] })),
  ...entities().map(({ kind, fields, extras = {} }) => ({ kind, parts: [fields, extras] as readonly Fields[] })),
]
const types = Object.keys(orgTypeName) as OrgType[]
const reader = (type: OrgType) => systemSession({ id: '1', code: 'X', name: '机构', type })

test('no reply about a kind has a field that is for organisations of other types, and each has its own', () => {
  const wrong: string[] = []
  let limited = 0
  for (const { kind, parts } of kinds)
    for (const type of types) {
      const fields = Object.assign({}, ...parts) as Fields
      const row = Object.fromEntries(Object.keys(fields).map(name => [name, '1']))
      const reply = hidePrices(reader(type), kind, { info: { ...row, lines: [row] }, list: [row] })
      for (const [name, { orgs }] of Object.entries(fields)) {
        const isTheirs = parts.some(part => name in part && (part[name]!.orgs?.includes(type) ?? true))
        if (orgs !== undefined) limited += 1
        for (const shown of [reply.info, reply.info.lines[0]!, reply.list[0]!])
          if (name in shown !== isTheirs) wrong.push(`${kind}.${name} for ${type}`)
      }
    }
  expect(limited).toBeGreaterThan(40)
  expect([...new Set(wrong)]).toEqual([])
})
