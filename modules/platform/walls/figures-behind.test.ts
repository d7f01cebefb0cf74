import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare } from '#kernel/values/decimal.ts'
import { type Session, systemSession } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { measuredOrganisations } from '#server/reports/measures.ts'
import { otherThanTheirPages } from '#tests/support/figures-behind.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** A figure of a wall or a board, a gauge's too, is the sum of the rows that a click on it opens. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, dealer, shop, inflator, stent } = scene
  await scene.shelve(hospital, central, [lotOf(inflator, 'QM1', { quantity: '30' })])
  await scene.shelve(dealer, shop, [lotOf(inflator, 'QM2', { quantity: '8' })])
  // A ward whose goods are at the lower limit of its store, and a lot of which expires within the days of warning.
  await scene.shelve(hospital, scene.ward, [
    lotOf(inflator, 'QM3', { quantity: '3', expiry_date: day(20) }),
    lotOf(inflator, 'QM4', { quantity: '2' }),
    lotOf(scene.balloon, 'QM5', { quantity: '5' }),
  ])
  await scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
     values ($1, $2, $3, 5, 5, 9)
     on conflict (org_id, warehouse_id, specification_id) do update set min_quantity = 5, max_quantity = 9 returning 1`,
    scene.h,
    scene.ward,
    inflator,
  )
  // A size was admitted this month, and one is not used any more.
  await scene.one(
    'update hospital_product set admitted_on = $2 where specification_id = $1 returning 1',
    inflator,
    day(),
  )
  await scene.one(
    "update hospital_product set status = 'disabled' where org_id = $1 and specification_id = $2 returning 1",
    scene.h,
    stent,
  )
  // One certificate has a scan and the other has none; one lot has a certificate of quality and the other has none.
  await scene.one(
    `update registration_certificate set attachments = array['a'] where id =
      (select registration_certificate_id from specification where id = $1) returning 1`,
    stent,
  )
})
afterAll(() => scene?.close())

/** Somebody who reads all, and in the hospital those who are bound to a ward or to a store. */
function readersOf(org: Session['org']): readonly Session[] {
  const whole = systemSession(org)
  if (org.id !== scene.h) return [whole]
  return [
    whole,
    { ...whole, warehouses: new Set([scene.ward]) },
    { ...whole, warehouses: new Set([scene.central]) },
    { ...whole, departments: new Set([scene.department]) },
  ]
}

test('the rows behind each figure add up to it, for each type of organisation', async () => {
  const { database } = scene.server
  const all = await measuredOrganisations(database.owner)
  const wrong: unknown[] = []
  let compared = 0
  // Those of the scene: others have nothing that could be counted.
  for (const org of all.filter(({ id }) => [scene.h, scene.d, scene.v].includes(id)))
    for (const reader of readersOf(org))
      await inOrganisation(database.app, org.id, '0', async tx => {
        const found = await otherThanTheirPages(tx, reader)
        compared += found.compared
        wrong.push(...found.wrong)
      })
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(40)
})

test('behind the certificates of the wall are those of the catalogue alone, and of those without a scan these alone', async () => {
  const { client } = scene.hospital
  const { info } = await client.get('/v1/business/wall/screenCertificate', {})
  const [all, unscanned] = [info.cards.all.all, info.cards.all.unscanned]
  const pageOf = async (asked: object) => String((await client.get('/v1/report/wallCertificates', { ...asked })).total)
  expect(compare(all.rows[0].certificates, unscanned.rows[0].certificates)).toBe(1)
  expect(await pageOf(all.asked)).toBe(all.rows[0].certificates)
  expect(await pageOf(unscanned.asked)).toBe(unscanned.rows[0].certificates)
})
