import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { repairWithdrawals } from '#server/documents/intercompany/resend.ts'
import { withdrawCopies } from '#server/documents/intercompany/withdraw.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { bring, make, type Market, openMarket, ship, take, useOf } from '#tests/invariants/cases/fuzz-world.ts'

/** Nothing is lost between the other side's step and ours, whichever process crashes. */
let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const findings = async () => (await checkLedgers(market.stage.server.database.owner)).map(finding => finding.msg)
afterEach(async () => expect(await findings()).toEqual([]))

const line = (lot: string, quantity: string) => ({ specification_sn: market.plain, lot_no: lot, quantity })
const delivered = async (lot: string) => {
  await make(market, { specification: market.plain, lot, quantity: 4 })
  return ship(market, 'V01', 'D01', [line(lot, '4')])
}
/** The other side releases its copy, and the process crashes before our own step. */
async function dieHalfWay(sn: string): Promise<void> {
  const { app, owner } = market.stage.server.database
  await withdrawCopies(app, await systemSessionOf(app, market.org.V01), definitionOf('saleOdo'), sn, '反审核')
  await owner`update intercompany_message set withdrawn_at = withdrawn_at - interval '5 minutes'
    where withdrawn_at is not null and taken_back_at is null`
}
const repair = () => repairWithdrawals(market.stage.server.database.app, market.stage.server.database.owner)

it('a server that crashes while withdrawing a delivery gives the customer the notice again', async () => {
  const sn = await delivered('GO-1')
  await dieHalfWay(sn)
  expect(await findings()).toEqual([expect.stringContaining('单据失去对方副本')])
  await repair()
  expect(await findings()).toEqual([])
  await take(market, 'D01', sn)
  expect((await market.vendor.info('saleOdo', sn)).receive_state).toBe('3')
})

it('one that crashes before the customer released it leaves the notice in place', async () => {
  const sn = await delivered('GO-2')
  await market.stage.server.database.owner`
    update intercompany_message h set withdrawn_at = now() - interval '5 minutes' from document d
     where d.org_id = h.org_id and d.id = h.document_id and d.sn = ${sn} and d.role = 'own'`
  const receipt = await take(market, 'D01', sn)
  await repair()
  expect(await findings()).toEqual([])
  expect((await market.dealer.info('purchaseGrn', receipt)).state).toBe('reviewed')
})

it("one owner's part of a use is taken back whole: that owner loses the copy, the others keep theirs", async () => {
  const { hospital } = market
  await bring(market, { specification: market.plain, lot: 'GO-3', quantity: 1 }, 'consigned')
  await bring(market, { specification: market.plain, lot: 'GO-4', quantity: 1 }, 'purchased')
  const sn = await hospital.add('departmentUse', {
    ...useOf(market, [line('GO-3', '1'), line('GO-4', '1')]),
    warehouse_model_inner_sn: market.shelf.H01,
  })
  await hospital.pass('departmentUse', sn)
  await hospital.done('departmentUse', 'redReverse', sn, { reason: '退用', lines: [{ line_no: 1, quantity: '1' }] })
  expect((await hospital.info('departmentUse', sn)).state).toBe('reviewed')
})
