import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganisation } from '#server/database/transaction.ts'
import { type Cause, type TraceRow, writeTrace } from '#server/ledger/trace.ts'
import { undoTrace } from '#server/ledger/undo-trace.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** The trace that a document wrote is undone, and nothing of another document with the same number. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

test('copies of two senders with one number and one lot are undone apart, also without codes', async () => {
  const { dealer, shop, inflator, server, d } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'UT1', { quantity: '9' })])
  const { id: lot_id } = await scene.one(
    'select id from lot where specification_id = $1 and lot_no = $2',
    inflator,
    'UT1',
  )
  const cause = (document: string): Cause => ({ org: d, kind: 'departmentUse', sn: 'KS1', document, actor: '系统' })
  const end = { org: null, place: null, warehouse: null }
  const used = (quantity: string) =>
    ({
      line_no: 1,
      step: 'use',
      lot_id,
      unit_id: '0',
      quantity,
      from: end,
      to: end,
      before: null,
      after: null,
    }) as TraceRow
  await inOrganisation(server.database.app, d, '0', async tx => {
    await writeTrace(tx, cause('1'), [used('2.000')])
    await writeTrace(tx, cause('2'), [used('5.000')])
    await undoTrace(tx, cause('1'), [lot_id])
  })
  const events = await server.database.owner`
    select step, trim_scale(quantity)::text as quantity, document_id from trace_event
     where lot_id = ${lot_id} and document_sn = 'KS1' order by seq`
  expect(events.map(({ step, quantity, document_id: of }) => [step, quantity, of])).toEqual([
    ['use', '2', '1'],
    ['use', '5', '2'],
    ['undo', '2', '1'],
  ])
})
