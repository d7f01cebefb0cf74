import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#kernel/registry.ts'
import { arrivesAs, receiverRefusals } from '#modules/trade/licensing/receiver-refusals.server.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { settingsFor } from '#server/settings/settings.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** Goods that a customer will refuse to receive do not leave, so that nothing stays in transit. */
let scene: Scene
let nth = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

/** Every kind that sends priced goods to a customer, and the kind that it becomes there. */
const sent = () => documents().flatMap(definition => (arrivesAs(definition) ? [definition] : []))

/** Runs the check of a document of a kind at this price, as its submit does. */
async function asked(definition: ReturnType<typeof sent>[number], price: string): Promise<readonly string[]> {
  const { d, h, inflator } = scene
  return inOrganisation(scene.server.database.app, d, '0', async tx => {
    const line = { line_no: 1, specification_sn: inflator, quantity: '1', base_quantity: '1.000', price }
    const doc = { id: '1', kind: definition.kind, counterparty_sn: h, business_date: day(), lines: [line] }
    const refused: string[] = []
    const ctx = {
      tx,
      session: await systemSessionOf(tx, d),
      definition,
      action: 'submit',
      doc,
      settings: await settingsFor(tx, d),
      warnings: [],
      hold: async (condition: () => unknown) => {
        try {
          await condition()
        } catch (error) {
          refused.push((error as Error).message)
        }
      },
    } as unknown as ActionContext
    await receiverRefusals.check(ctx)
    const [row] = await tx<{ org: string }[]>`select current_setting('app.org_id', true) as org`
    expect(row?.org).toBe(d)
    return [...refused, ...ctx.warnings.map(({ msg }) => msg)]
  })
}

test('a price above the agreement is refused for every kind that sends priced goods to a customer', async () => {
  const kinds = sent()
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['saleOdo', 'boneSale']))
  for (const definition of kinds) {
    const [above, ...more] = await asked(definition, '2000')
    expect([definition.kind, above]).toEqual([
      definition.kind,
      expect.stringMatching(/^第1行：【.+】单价2000高于客户的协议价145，客户不能入库，请按协议价销售或先办理调价$/),
    ])
    expect(more).toEqual([])
    expect([definition.kind, ...(await asked(definition, '145'))]).toEqual([definition.kind])
  }
})

test('what the customer’s file of our licences does not name is refused for every such kind', async () => {
  const { one, h, d } = scene
  const { owner } = scene.server.database
  const licences = await owner<{ id: string; scope: string | null }[]>`
    select id, scope from licence where org_id = ${h} and holder_id = ${d}
       and licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证')`
  const write = (scopeOf: (was: string | null) => string | null) =>
    Promise.all(
      licences.map(({ id, scope }) =>
        one('update licence set scope = $2 where id = $1 returning 1', id, scopeOf(scope)),
      ),
    )
  await write(() => '2002年目录：6801；2017年目录：21')
  for (const definition of sent()) {
    const found = await asked(definition, '145')
    expect([definition.kind, ...found]).toEqual([
      definition.kind,
      expect.stringMatching(/经营范围不含\d+【.+】，不能入库：以客户存档的证照为准，请先向客户更新证照$/),
    ])
  }
  await write(was => was)
})

test('60 where 46 was agreed does not leave; at the agreed price it leaves and is received', async () => {
  const { dealer, hospital, shop, inflator, h } = scene
  const lot_no = `RR${++nth}`
  await scene.shelve(dealer, shop, [lotOf(inflator, lot_no, { quantity: '5' })])
  const lines = (price: string) => [{ specification_sn: inflator, lot_no, quantity: '1', price }]
  const header = { counterparty_sn: h, warehouse_model_inner_sn: shop }
  const sn = await dealer.add('saleOdo', { ...header, lines: lines('160') })
  expectMessage(
    await dealer.do('saleOdo', 'submit', sn),
    /^第1行：【.+】单价160高于客户的协议价145，客户不能入库，请按协议价销售或先办理调价$/,
  )
  const right = await dealer.add('saleOdo', { ...header, lines: lines('145') })
  await dealer.pass('saleOdo', right)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', right)).sn)
})
