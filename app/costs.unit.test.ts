import { expect, test } from 'vitest'
import { fieldsOfDocument, isAtCost } from '#kernel/definition/common-fields.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type FieldSpec, rightsToRead } from '#kernel/definition/field.ts'
import { documents, entities } from '#kernel/registry.ts'
import { checkPriceQuery, dropUnreadablePrices, hidePrices } from '#server/access/sensitive-fields.ts'
import { type Session, systemSession } from '#server/access/session.ts'
import { exportDocuments } from '#server/documents/list/export.ts'
import { listColumns } from '#server/documents/list/list.ts'
import { readyRoles } from '#modules/base/settings/default-roles.ts'
import { writableLineFields } from '#server/documents/repository/document.ts'

/** What goods cost a trader is for those who may see costs: on every document, whatever shows it. */
const reader = (...lacks: string[]): Session => ({
  ...systemSession({ id: '1', code: 'D01', name: '经销商', type: 'D' }),
  flags: Object.assign(new Set<string>(), { has: (flag: string) => !lacks.includes(flag) }),
})
const prices = reader('profit')
const atCost = (): readonly AnyDocument[] => documents().filter(isAtCost)
const isCost = (field: FieldSpec) => rightsToRead(field, 'D').includes('profit')
const costsOf = (definition: AnyDocument): readonly string[] =>
  Object.entries(fieldsOfDocument(definition)).flatMap(([name, field]) => (isCost(field) ? [name] : []))
const names = ['price', 'untaxed_amount', 'tax_amount', 'taxed_amount']

test('documents that are priced at cost, and those whose words say cost, have costs and no prices', () => {
  const isMoney = ({ as }: FieldSpec) => as === 'price' || as === 'amount'
  const saysCost = ({ header, lines }: AnyDocument) =>
    Object.values({ ...header, ...lines }).some(field => isMoney(field) && field.label.startsWith('成本'))
  const priced = documents().filter(one => one.pricing.costing !== undefined || saysCost(one))
  expect(priced.length).toBeGreaterThan(10)
  const wrong = priced.flatMap(definition =>
    names.filter(name => !costsOf(definition).includes(name)).map(name => `${definition.kind}.${name}`),
  )
  expect(wrong).toEqual([])
  const kinds = atCost().map(({ kind }) => kind)
  for (const kind of ['transfer', 'transferArrival', 'loss', 'giveOdo', 'otherOdo', 'otherGrn', 'stockTake'])
    expect(kinds).toContain(kind)
  expect(kinds).not.toContain('saleOdo')
})

test('what is called a cost is one', () => {
  const named = [
    ...documents().map(({ kind, header, lines }) => ({ kind, fields: { ...header, ...lines } })),
    ...entities().map(({ kind, fields, extras }) => ({ kind, fields: { ...fields, ...extras } })),
  ].flatMap(({ kind, fields }) =>
    Object.entries(fields).flatMap(([name, field]) =>
      (field.as === 'price' || field.as === 'amount') && field.label.includes('成本') && field.worth === undefined
        ? [`${kind}.${name}`]
        : [],
    ),
  )
  expect(named).toEqual([])
})

test('no reply about a document tells a cost to whoever may see prices alone', () => {
  const wrong: string[] = []
  for (const definition of atCost()) {
    const costs = costsOf(definition)
    const money = Object.fromEntries([...costs, 'amount', 'value', 'amount_in_words'].map(name => [name, '7']))
    const row = { ...money, sn: 'X' }
    const reply = { ...row, list: [row], info: { ...row, lines: [{ ...row, line_no: 1 }] }, summary: money }
    if (JSON.stringify(hidePrices(prices, definition.kind, reply)).includes('"7"')) wrong.push(definition.kind)
    expect(hidePrices(reader(), definition.kind, reply)).toEqual(reply)
  }
  expect(wrong).toEqual([])
})

test('no list is exported, filtered or sorted by a cost, and no cost is written, by whoever may not see it', () => {
  const wrong: string[] = []
  for (const definition of atCost()) {
    const fields = fieldsOfDocument(definition)
    const costs = costsOf(definition)
    const labels = new Set(costs.map(name => fields[name]!.label))
    const named = exportDocuments(prices, definition, {}).columns.filter(({ title }) => labels.has(title))
    wrong.push(...named.map(({ title }) => `${definition.kind} exports ${title}`))
    const { columns } = listColumns(definition)
    for (const name of costs.filter(one => one in columns))
      for (const asked of [
        { conditions: [], order: [{ name, descending: false }] },
        { conditions: [{ name, field: columns[name]!, is: 'equal', value: '1' } as const], order: [] },
      ])
        if (!isRefused(() => checkPriceQuery(prices, asked, columns))) wrong.push(`${definition.kind} finds ${name}`)
    const lines = writableLineFields(definition)
    for (const name of costs.filter(one => one in lines))
      if (!isRefused(() => dropUnreadablePrices(prices, lines, { [name]: '1' }, 1)))
        wrong.push(`${definition.kind} writes ${name}`)
  }
  expect(wrong).toEqual([])
})

test('of the roles of a new trader the keeper, who writes other receipts, knows costs, and a salesman does not', () => {
  const menuOf = (kind: string) =>
    documents()
      .find(one => one.kind === kind)!
      .screens.map(({ menu }) => menu)
  const writes = (role: { readonly groups: readonly string[] }) =>
    menuOf('otherGrn').some(menu => menu !== undefined && role.groups.includes(menu))
  for (const type of ['D', 'V'] as const) {
    const rights = new Map(readyRoles[type].map(role => [role.name, role]))
    expect(rights.get('销售员')!.also).not.toContain('profit')
    expect(readyRoles[type].filter(writes).map(({ name }) => name)).toEqual(['库管员'])
    for (const role of readyRoles[type].filter(writes)) expect(role.also).toContain('profit')
  }
})

function isRefused(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch (refused) {
    return String(refused).includes('没有成本毛利权限')
  }
}
