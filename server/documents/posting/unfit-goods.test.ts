import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyDocument, Unfit } from '#kernel/definition/document.ts'
import type { Move } from '#kernel/ledger/posting.ts'
import { documents } from '#kernel/registry.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { leavingBy, refuseUnfit } from '#server/documents/posting/unfit-goods.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** Goods that may not be used, and every kind whose posting takes goods out of a store. */
let scene: Scene
const lots: Partial<Record<Unfit | 'good', string>> = {}
/** A lot that is frozen by a record, from the moment of the record on; its stock keeps its quality state. */
let held = ''
const reasons = { recalled: '已召回', expired: '已过期', stopped: '已停售', frozen: '已冻结' } as const
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, v, server } = scene
  for (const [at, name] of ['good', ...Object.keys(reasons)].entries()) {
    await scene.shelve(hospital, central, [lotOf(inflator, `JY${at}`, { quantity: '5' })])
    const { id } = await scene.one(
      'select id from lot where specification_id = $1 and lot_no = $2',
      inflator,
      `JY${at}`,
    )
    lots[name as Unfit] = id
  }
  const { owner } = server.database
  await owner`
    insert into lot_recall (lot_id, org_id, document_id, recall_sn) values (${lots.recalled!}, ${v}, 1, 'ZH1')`
  await scene.shelve(hospital, central, [lotOf(inflator, 'JYF', { quantity: '5' })])
  held = (await scene.one('select id from lot where specification_id = $1 and lot_no = $2', inflator, 'JYF')).id
  const frozen = await hospital.client.post('/v1/business/goodsFreeze/freeze', { code: 'JYF', reason: '可疑' })
  expect(frozen.code, frozen.msg).toBe(0)
  await owner`update stock_lot set expiry_date = ${day(-1)} where lot_id = ${lots.expired!}`
})
afterAll(() => scene?.close())

/** A document of a kind with one line of this lot, as its posting reads it. */
function documentWith(lot: string, quality: string): StoredDocument {
  const { h, d, central, ward, inflator } = scene
  const line = {
    line_no: 1,
    specification_sn: inflator,
    product_name: '压力泵',
    lot_id: lot,
    lot_no: 'JY',
    base_quantity: '4.000',
    quantity: '4.000',
    price: '1.0000',
    tax_rate: 0,
    taxed_amount: '4.00',
    untaxed_amount: '4.00',
    tax_amount: '0.00',
    unit_codes: [],
    owner_org_sn: h,
    quality_state: quality,
    location: '',
    source_sn: 'S1',
    source_line_no: 1,
    unqualified_quantity: '0.000',
    disposition: null,
  }
  return {
    sn: 'JY-1',
    org_sn: h,
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    regime: 'purchased',
    source_sn: 'S1',
    source_type: 0,
    business_date: day(),
    taxed_amount: '4.00',
    lines: [line],
  } as unknown as StoredDocument
}

const movesOf = (definition: AnyDocument, doc: StoredDocument): readonly Move[] =>
  definition.posting.postings?.(doc as never, { org: scene.h as never, type: 'H' }).moves ?? []

const posting = documents().filter(({ posting: { postings } }) => postings)

describe.each(posting.map(each => [each.title, each] as const))('%s', (_title, definition) => {
  const cases = [...Object.keys(reasons), 'frozen by a record'] as const
  test.each(cases)('takes out nothing %s, unless its definition says why', async said => {
    proves('stock.unfitStays')
    const isHeld = said === 'frozen by a record'
    const reason = (isHeld ? 'frozen' : said) as Unfit
    const word = reasons[reason]
    const isState = !isHeld && (reason === 'stopped' || reason === 'frozen')
    const lot = isHeld ? held : lots[isState ? 'good' : reason]!
    const doc = documentWith(lot, isState ? reason : 'qualified')
    const leaving = leavingBy(doc, movesOf(definition, doc))
    const judged = inOrganisation(scene.server.database.app, scene.h, '0', tx =>
      refuseUnfit(tx, scene.h, definition, doc, leaving),
    )
    const isDeclared = definition.compliance.takesUnfit?.some(
      ({ when, into, what }) => !into && (!when || when(doc as never)) && (!what || what.includes(reason)),
    )
    if (leaving.length === 0 || isDeclared) await judged
    else await expect(judged).rejects.toMatchObject({ reason: 'rule', message: expect.stringContaining(word) })
  })

  test('takes out what is good', async () => {
    const doc = documentWith(lots.good!, 'qualified')
    await inOrganisation(scene.server.database.app, scene.h, '0', tx =>
      refuseUnfit(tx, scene.h, definition, doc, leavingBy(doc, movesOf(definition, doc))),
    )
  })
})

test('kinds that take goods out are among them, and each exception says why', () => {
  const out = posting.filter(definition => definition.posting.stockDirection === 'out').map(({ kind }) => kind)
  expect(out).toEqual(expect.arrayContaining(['saleOdo', 'grantOdo', 'transfer', 'pack', 'kitLoading', 'surgeryUse']))
  for (const { compliance } of documents())
    for (const { why } of compliance.takesUnfit ?? []) expect(why.length).toBeGreaterThan(5)
})
