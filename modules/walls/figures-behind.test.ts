import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare } from '#kernel/values/decimal.ts'
import { systemSession } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { measuredOrganisations } from '#server/reports/measures.ts'
import { otherThanTheirPages } from '../../tests/support/figures-behind.ts'
import { lotOf, openScene, type Scene } from '../../tests/support/fixture.ts'

/** A figure of a wall or a board, a gauge's too, is the sum of the rows that a click on it opens. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, dealer, shop, inflator, stent } = scene
  await scene.shelve(hospital, central, [lotOf(inflator, 'QM1', { quantity: '30' })])
  await scene.shelve(dealer, shop, [lotOf(inflator, 'QM2', { quantity: '8' })])
  // One certificate has a scan and the other has none; one lot has a certificate of quality and the other has none.
  await scene.one(
    `update registration_certificate set attachments = array['a'] where id =
      (select registration_certificate_id from specification where id = $1) returning 1`,
    stent,
  )
})
afterAll(() => scene?.close())

test('the rows behind each figure add up to it, for each type of organisation', async () => {
  const { database } = scene.server
  const all = await measuredOrganisations(database.owner)
  const wrong: unknown[] = []
  let compared = 0
  for (const [first] of Map.groupBy(all, ({ type }) => type).values())
    await inOrganisation(database.app, first!.id, '0', async tx => {
      const found = await otherThanTheirPages(tx, systemSession(first!))
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
