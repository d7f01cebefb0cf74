import { expect, test } from 'vitest'
import { headerField } from '#kernel/definition/common-fields.ts'
import { documents } from '#kernel/registry.ts'
import type { Session } from '#server/access/session.ts'
import { presentRow } from '#server/documents/list/present.ts'

const user = (warehouses: Session['warehouses']): Session => ({
  userId: '1',
  userName: '',
  org: { id: '1', code: '', name: '', type: 'H' },
  flags: 'all',
  warehouses,
  departments: 'all',
  ownOnly: false,
  mustChange: false,
  address: '',
})

test('balances of the whole organisation are withheld from whoever sees some of its stores', () => {
  const shown = documents().flatMap(definition =>
    [...new Set(definition.screens.flatMap(({ columns }) => columns))]
      .filter(name => headerField(definition, name)?.wholeOnly)
      .map(name => ({ definition, name })),
  )
  expect(shown.length).toBeGreaterThan(1)
  for (const { definition, name } of shown) {
    const row = { id: '1', role: 'own', state: 'draft', fields: {}, [name]: '5.00' }
    const seenBy = (session: Session) => presentRow(session, definition, row)[name]
    expect(seenBy(user('all'))).toBe('5.00')
    expect(seenBy(user(new Set(['1'])))).toBeNull()
  }
})
