import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { today } from '#kernel/values/date.ts'
import { type RunningHis, startHis } from '../../deploy/his/server.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'
import { day } from '../support/story.ts'
import { call } from '../support/ui-driver.ts'

/** A nurse at the bedside, by finger: wristband, piece, one confirmation; on a phone and on a ten-inch tablet. */
let his: RunningHis
let site: Site
beforeAll(async () => {
  his = await startHis({ token: 'T', hospital: 'H01' })
  site = await openSite({
    documents: false,
    env: { HIS_H01_BASE_URL: `${his.url}/fhir`, HIS_H01_ADAPTER: 'fhir', HIS_H01_TOKEN: 'T' },
  })
})
afterAll(async () => {
  await site?.close()
  await his?.close()
})

const PHONE = { width: 390, height: 844, hasTouch: true }
const TABLET = { width: 1024, height: 768, hasTouch: true }
const FINGER = 44

const sizeOf = async (what: Locator) => {
  const { width, height } = (await what.boundingBox())!
  return { width, height }
}
async function expectForFingers(...targets: Locator[]): Promise<void> {
  for (const target of targets) {
    await target.waitFor()
    const { width, height } = await sizeOf(target)
    expect([await target.evaluate(each => each.outerHTML.slice(0, 120)), width >= FINGER, height >= FINGER]).toEqual([
      expect.any(String),
      true,
      true,
    ])
  }
}
const ok = async (page: Page, path: string, body?: object) => {
  const reply = await call(page, path, body)
  expect([path, reply.code, reply.msg]).toEqual([path, 0, ''])
  return reply
}

/** Coded pieces of the hospital in one of its wards. */
async function stocked(page: Page, codes: readonly string[]): Promise<{ ward: string; department: string }> {
  const stores = (await ok(page, 'warehouse/list?pageSize=200')).list
  const store = stores.find((each: { model: string }) => each.model === 'ward')
  const [size] = (await ok(page, 'specification/list?q=P002-01')).list
  const line = {
    specification_sn: size.specification_sn,
    lot_no: `BS-${codes[0]}`,
    expiry_date: day(700),
  }
  const { sn } = (
    await ok(page, 'openingStock/add', {
      warehouse_model_inner_sn: store.warehouse_model_inner_sn,
      lines: [{ ...line, production_date: today(), price: '100', unit_codes: codes }],
    })
  ).info
  for (const action of ['submit', 'review']) {
    const { version } = (await ok(page, `openingStock/info?sn=${sn}`)).info
    await ok(page, `openingStock/${action}`, { sn, version })
  }
  return { ward: store.warehouse_model_inner_sn, department: store.department_inner_sn }
}

for (const [device, size, code] of [
  ['a phone', PHONE, 'BED-1'],
  ['a tablet', TABLET, 'BED-2'],
] as const)
  story(
    `on ${device} a wristband fills in the patient and a scanned piece its line; what is touched is large`,
    async () => {
      const { page, open, problems } = await site.visit('hospital', size)
      const { ward, department } = await stocked(page, [code])
      const patient = his.books.patients.find(each => each.patient_no === 'H01P200627')!
      await open(`/hospital/useRecord/new?new.warehouse_model_inner_sn=${ward}&new.department_inner_sn=${department}`)
      const band = page.getByRole('textbox', { name: '患者编号' })
      await expectForFingers(
        band,
        page.getByRole('button', { name: '查询HIS' }),
        page.getByRole('button', { name: '用摄像头扫腕带' }),
      )
      await band.tap()
      await page.keyboard.type(`(8018)${patient.wristband}(8019)1`)
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByRole('textbox', { name: '患者姓名' }).inputValue()).toBe(patient.patient_name)
      const scan = page.getByRole('textbox', { name: '扫码添加' })
      await expectForFingers(scan)
      await scan.tap()
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await page.getByText(code).locator('visible=true').first().waitFor()
      const save = page.getByRole('button', { name: /^保\s*存$/ }).locator('visible=true')
      await expectForFingers(save.first())
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
      await save.first().tap()
      await expect.poll(async () => (await call(page, `departmentUse/list?unit_code=${code}`)).total).toBe(1)
      const [use] = (await call(page, `departmentUse/list?unit_code=${code}`)).list
      const { lines, patient_no } = (await call(page, `departmentUse/info?sn=${use.sn}`)).info
      expect([patient_no, lines.map((line: { unit_codes: string[] }) => line.unit_codes)]).toEqual([
        patient.patient_no,
        [[code]],
      ])
      expect(problems).toEqual([])
    },
  )
