import { expect, test } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { partsOf } from '#server/records/select.ts'

const user = (warehouses: Session['warehouses']): Session => ({
  userId: '1',
  userName: '',
  org: { id: '1', code: '', name: '云栎', type: 'H' },
  flags: 'all',
  warehouses,
  departments: 'all',
  ownOnly: false,
  mustChange: false,
  address: '',
})

/** Writes a fragment as text: names and values as they are. */
const tx = ((first: TemplateStringsArray | string, ...values: readonly unknown[]) =>
  typeof first === 'string' ? first : String.raw(first, ...values)) as unknown as Tx

const record = {
  ...entityOf('operationKit')!,
  wholeOnly: undefined,
  fields: { name: f.text('名称'), balance: f.amount('余额', { readOnly: true, wholeOnly: true }) },
  extras: { owed: f.amount('应付', { wholeOnly: true }), whose: f.text('机构', { ofReadOrganisation: true }) },
} as never

test('what adds up over the organisation is nothing to readers of some of its stores, also to sort and sum by', () => {
  const seenBy = (session: Session, name: string) => String(partsOf(tx, session, record).expression(name))
  for (const [name, column] of [
    ['balance', 't.balance'],
    ['owed', 't.owed'],
  ] as const) {
    expect(seenBy(user('all'), name)).toBe(column)
    expect(seenBy(user(new Set(['1'])), name)).toBe('null::numeric')
  }
  expect(seenBy(user(new Set(['1'])), 'name')).toBe('t.name')
})

test('an extra names the organisation whose rows are read, by whatever name it has', () => {
  expect(String(partsOf(tx, user('all'), record).expression('whose'))).toBe('云栎::text')
})
