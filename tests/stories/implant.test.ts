import { afterAll, beforeAll, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { story } from '../support/chromium.ts'
import { openSite, type Site, type Visit } from '../support/site.ts'

/**
 * One stent from the manufacturer's stock to the patient, clicked through by four users; then one scan shows it all.
 */
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

// oxlint-disable-next-line typescript/no-explicit-any -- a story knows what it asked for
type Row = any

/** A call in the page's own session, where the test is not about typing. */
const call = (page: Page, path: string, body?: object): Promise<Row> =>
  page.evaluate(
    async ([to, sent]) => {
      const headers = { 'content-type': 'application/json' }
      const init = sent ? { method: 'POST', headers, body: JSON.stringify(sent) } : {}
      const reply = await (await fetch(`/v1/business/${to}`, init)).json()
      if (reply.code !== 0) throw new Error(`${to}: ${reply.msg}`)
      return reply
    },
    [path, body] as const,
  )

/** Opens a document and clicks its buttons one after another; each confirms success. */
async function press({ page, open }: Visit, route: string, sn: string, buttons: readonly string[]): Promise<void> {
  await open(`${route}/${sn}`)
  await page.getByText(sn).locator('visible=true').first().waitFor()
  for (const name of buttons) {
    await page.locator('main').getByRole('button', { name, exact: true }).locator('visible=true').first().click()
    const done = page.getByText(`${sn} 已${name}`).first()
    // A posting action first shows a preview, and a second click continues. The same for answering a confirmation
    // question.
    const onwards = page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`${name}|确认并继续`) })
      .locator('visible=true')
      .last()
    const goesOn = async (): Promise<boolean> => {
      if (await onwards.isVisible()) await onwards.click({ timeout: 1000 }).catch(() => null)
      return done.isVisible()
    }
    await expect.poll(goesOn, { timeout: 30_000 }).toBe(true)
  }
}

const passed = ['提交', '审核']
const newest = async (page: Page, kind: string, query: string): Promise<Row> =>
  (await call(page, `${kind}/list?${query}`)).list[0]
/** A delivery of the order with a serial not reserved by any demo document: which ones are reserved differs by seed. */
async function deliveryOfAFreePiece(page: Page, order: Row, shelf: string): Promise<readonly [sn: string, unit: Row]> {
  for (const unit of (await call(page, shelf)).list) {
    const { sn } = (
      await call(page, 'saleOdo/add', {
        source_type: 4,
        source_sn: order.sn,
        source_org_sn: order.org_sn,
        warehouse_model_inner_sn: unit.warehouse_model_inner_sn,
        lines: [{ source_line_no: 1, unit_codes: [unit.code] }],
      })
    ).info
    const trial = await call(page, 'saleOdo/rehearse', { sn, version: 1, action: 'submit' })
    if (trial.info.refusals.length === 0) return [sn, unit]
    await call(page, 'saleOdo/del', { sn, version: 1 })
  }
  throw new Error('every piece is in some document')
}
const storeOf = async (page: Page, model: string): Promise<string> =>
  (await call(page, 'warehouse/list')).list.find((store: Row) => store.model === model).warehouse_model_inner_sn

story(
  'the maker sells, the dealer consigns, the ward uses it on a patient, and the scan shows the chain',
  async () => {
    const [vendor, dealer, hospital] = (await Promise.all(
      ['vendor', 'dealer', 'hospital'].map(login => site.visit(login)),
    )) as [Visit, Visit, Visit]
    const specification_sn = (await call(vendor.page, 'specification/list?q=06999900100016')).list[0].specification_sn
    const shelf = `unitLabel/list?status=in_stock&pageSize=200&specification_sn=${specification_sn}`
    const partner = async (page: Page, type: number, name: string): Promise<string> =>
      (await call(page, `orgRelation/list?system_type=${type}&pageSize=100`)).list.find((row: Row) =>
        row.name.includes(name),
      ).org_sn

    const order = (
      await call(dealer.page, 'purchaseOrder/add', {
        counterparty_sn: await partner(dealer.page, 3, '澜屿'),
        warehouse_model_inner_sn: await storeOf(dealer.page, 'central'),
        lines: [{ specification_sn, quantity: '1' }],
      })
    ).info.sn
    await press(dealer, '/commonView/purchaseOrder', order, passed)
    const sales = await newest(vendor.page, 'salesOrder', `source_sn=${order}&state=submitted`)
    // The message leads to the order itself; an unknown number leads to an empty list.
    await vendor.page.goto(`${site.url}/commonView/salesOrder?salesOrderSn=${sales.sn}`)
    await expect.poll(() => new URL(vendor.page.url()).pathname).toBe(`/commonView/salesOrder/${sales.sn}`)
    await vendor.page.goto(`${site.url}/commonView/salesOrder?so_sn=XS0000000000`)
    await vendor.page.getByText('没有符合条件的单据').first().waitFor()
    await expect.poll(() => new URL(vendor.page.url()).search).toBe('?sn=XS0000000000')
    await press(vendor, '/commonView/salesOrder', sales.sn, ['审核'])
    const [delivery, unit] = await deliveryOfAFreePiece(vendor.page, sales, shelf)
    await press(vendor, '/commonView/saleOdo', delivery, passed)
    await press(
      dealer,
      '/commonView/buyGrn',
      (await newest(dealer.page, 'purchaseGrn', `source_sn=${delivery}&state=draft`)).sn,
      passed,
    )

    const demand = (
      await call(hospital.page, 'purchaseOrder/add', {
        counterparty_sn: await partner(hospital.page, 2, '栎舟'),
        regime: 'consigned',
        lines: [{ specification_sn, quantity: '1' }],
      })
    ).info.sn
    await press(hospital, '/hospital/purchaseOrder', demand, passed)
    const asked = await newest(dealer.page, 'salesOrder', `source_sn=${demand}&state=submitted&sort=-created_at`)
    await press(dealer, '/commonView/salesOrder', asked.sn, ['审核'])
    const sent = (
      await call(dealer.page, 'saleOdo/add', {
        source_type: 4,
        source_sn: asked.sn,
        warehouse_model_inner_sn: await storeOf(dealer.page, 'central'),
        lines: [{ source_line_no: 1, unit_codes: [unit.code] }],
      })
    ).info.sn
    await press(dealer, '/commonView/saleOdo', sent, passed)
    const received = await newest(hospital.page, 'purchaseGrn', `source_sn=${sent}&state=draft`)
    await press(hospital, '/hospital/purchaseGrn', received.sn, passed)

    const ward = (await call(hospital.page, 'warehouse/list')).list.find((store: Row) => store.model === 'ward')
    const from = (await newest(hospital.page, 'purchaseGrn', `sn=${received.sn}`)).warehouse_model_inner_sn
    const grant = (
      await call(hospital.page, 'requisition/add', {
        warehouse_model_inner_sn: from,
        to_warehouse_model_inner_sn: ward.warehouse_model_inner_sn,
        department_inner_sn: ward.department_inner_sn,
        lines: [{ specification_sn, quantity: '1' }],
      })
    ).info.sn
    await press(hospital, '/hospital/SuppliesClaim', grant, passed)
    const given = (
      await call(hospital.page, 'grantOdo/add', {
        source_type: 104,
        source_sn: grant,
        lines: [{ source_line_no: 1, unit_codes: [unit.code] }],
      })
    ).info.sn
    await press(hospital, '/commonView/grantOdo', given, passed)
    const waiting = await newest(hospital.page, 'wardReceipt', `source_sn=${given}`)
    await call(hospital.page, 'wardReceipt/review', { sn: waiting.sn, version: waiting.version })
    const surgeon = (await call(hospital.page, 'employee/list')).list.find(
      (person: Row) => person.is_surgeon,
    ).employee_inner_sn
    const use = (
      await call(hospital.page, 'departmentUse/add', {
        warehouse_model_inner_sn: ward.warehouse_model_inner_sn,
        department_inner_sn: ward.department_inner_sn,
        patient_no: 'STORY-1',
        patient_name: '故事患者',
        implant_site: '左前降支',
        doctor_inner_sn: surgeon,
        lines: [{ unit_codes: [unit.code] }],
      })
    ).info.sn
    await press(hospital, '/hospital/useRecord', use, passed)

    for (const [visit, seesPatient] of [
      [hospital, true],
      [dealer, false],
      [vendor, false],
    ] as const) {
      await visit.open('/hospital/traceabilityManage')
      const { page } = visit
      await page.getByRole('heading', { level: 1, name: '耗材追溯' }).locator('visible=true').waitFor()
      const box = page
        .locator('main')
        .getByRole('searchbox')
        .or(page.locator('main input'))
        .locator('visible=true')
        .first()
      await box.fill(unit.code)
      await page.keyboard.press('Enter')
      await page.getByText('追溯链完整').locator('visible=true').waitFor()
      await expect.poll(() => page.getByText('已使用').locator('visible=true').count()).toBeGreaterThan(0)
      expect((await page.getByText('故事患者').locator('visible=true').count()) > 0).toBe(seesPatient)
      expect(visit.problems).toEqual([])
    }
  },
  240_000,
)
