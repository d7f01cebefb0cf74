import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCells } from '#tests/support/sheets.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 导出对账单: a sheet for each partner, from the opening to the balance that the ledger has. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.hospital, scene.ward, [
    lotOf(scene.balloon, 'DZD', { unit_codes: ['DZD-1', 'DZD-2'], owner_org_sn: scene.d }),
  ])
})
afterAll(() => scene?.close())

const path = '/v1/report/settlementSummary/statement'
const period = { begin_date: day(-30), end_date: day() }

async function settledAndReceived(): Promise<string> {
  const { hospital, dealer, ward, department, d } = scene
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY01',
    lines: [{ unit_codes: ['DZD-1', 'DZD-2'] }],
  })
  await hospital.pass('departmentUse', use)
  const { info } = await hospital.client.post('/v1/business/settlement/generate', { counterparty_sn: d, ...period })
  await hospital.done('settlement', 'submit', info.sn)
  await dealer.done('settlement', 'confirm', info.sn)
  await hospital.done('settlement', 'review', info.sn)
  const grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: info.sn })
  await hospital.pass('settlementGrn', grn)
  return grn
}

test('it says what is missing, and the closing balance is that of the ledger', async () => {
  const { hospital, d } = scene
  const reply = await hospital.client.post(path, period)
  expectMessage(reply, `${period.begin_date}至${period.end_date}没有已确认的结算，没有可导出的对账单`)
  expectMessage(await hospital.client.post(path, { begin_date: day(), end_date: day(-1) }), '期间止不能早于期间起')
  const grn = await settledAndReceived()
  const said = await hospital.client.post(path, period)
  expect(said).toMatchObject({ code: 0, info: { said: '已导出1个往来单位的对账单' } })
  const { link } = said.info as { link: string }
  const response = await hospital.client.raw({ method: 'GET', url: link })
  expect(response.statusCode).toBe(200)
  const cells = await readCells(response.rawPayload)
  const { list } = await hospital.client.get('/v1/report/receivablePayableSummary', {
    ...period,
    direction: 'payable',
    counterparty_sn: d,
  })
  const closing = (list[0] as Record<string, string>).closing_amount!
  expect(cells.flat().join('\n')).toContain(grn)
  expect(cells.flat()).toContain('期初余额：0.00元')
  expect(cells.flat()).toContain(`期末余额：${closing}元`)
  expect(cells.flat().filter(text => text.includes('（盖章）'))).toHaveLength(2)
})

test('only for whoever may export it and see prices', async () => {
  const clerk = await scene.clerk('hospital', 'dzd-clerk', ['page:/commonView/settlementSummaryReport'])
  expect((await clerk.client.post(path, period)).code).toBe(403)
})

test('it names no organisation that we have nothing to do with; who is bound to a ward reads no balance', async () => {
  const { hospital, ward, h } = scene
  const [outsider] = await scene.server.database.owner<{ id: string; name: string }[]>`
    select o.id, o.name from organisation o
     where o.id <> ${h}
       and not exists (select 1 from account_entry e where e.org_id = ${h} and e.counterparty_id = o.id)
       and not exists (
         select 1 from document d where d.org_id = ${h} and o.id in (d.counterparty_id, d.from_org_id)) limit 1`
  const reply = await hospital.client.post(path, { ...period, counterparty_sn: outsider!.id })
  expectMessage(reply, '与该单位没有往来，没有可导出的对账单，请重新选择往来单位')
  expect(JSON.stringify(reply)).not.toContain(outsider!.name)
  const query = new URLSearchParams({ ...period, counterparty_sn: outsider!.id })
  const url = `/v1/report/settlementSummary/workbook?${query}`
  expect((await hospital.client.raw({ method: 'GET', url })).body).not.toContain(outsider!.name)
  const flags = ['page:/commonView/settlementSummaryReport', 'settlementSummary.statement', 'price']
  const bound = await scene.clerk('hospital', 'statement.bound', flags)
  await scene.one(
    `insert into user_scope (org_id, user_id, warehouse_id)
     select org_id, id, $1 from app_user where login = 'statement.bound' returning 1`,
    ward,
  )
  expect((await bound.client.post(path, period)).msg).toMatch(/^对账单按整个机构统计，仅对不限仓库、科室/)
})
