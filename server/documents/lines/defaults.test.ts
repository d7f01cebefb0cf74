import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#kernel/registry.ts'
import { type Decimal, round } from '#kernel/values/decimal.ts'
import { completeLines } from '#server/documents/lines/complete.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSession } from '#server/access/session.ts'
import { day } from '#tests/support/story.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'

/** Every line is completed here, wherever it comes from: defaults hold for pages, calls, workbooks and copies. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const defaulted = documents().flatMap(definition =>
  Object.entries(definition.lines).flatMap(([name, field]) =>
    field.default === undefined || field.default === 'today' || field.default === 'now'
      ? []
      : [{ title: `${definition.title} ${field.label}`, definition, name, field }],
  ),
)

test.each(defaulted)('$title is filled in where it is left out or empty', async ({ definition, name, field }) => {
  const { server, h, inflator, central } = scene
  const header = { counterparty_sn: scene.d, warehouse_model_inner_sn: central, business_date: day() }
  const line: Record<string, unknown> = { specification_sn: inflator, quantity: '0', taxed_amount: '1.00' }
  delete line[name]
  const expected = field.as === 'quantity' ? round(field.default as Decimal, 3) : field.default
  await inOrganisation(server.database.app, h, '0', async tx => {
    const session = systemSession({ id: h, type: 'H' } as never)
    const lines = await completeLines(tx, session, definition, header as never, [line, { ...line, [name]: null }], 0)
    expect(lines).toHaveLength(2)
    for (const filled of lines) expect(filled).toMatchObject({ [name]: expected })
  })
})
