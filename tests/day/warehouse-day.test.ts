import { wholePieces } from '#kernel/values/decimal.ts'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { openDatabase } from '#server/plugins/database.ts'
import { story } from '../support/chromium.ts'
import { call, handsOn } from '../support/ui-driver.ts'
import { openSite, type Site, type Visit } from '../support/site.ts'

/**
 * A scripted day of a hospital's central warehouse, entirely by hand in the browser; the ledgers are checked at the
 * end.
 */
const [RECEIPTS, GRANTS, DIFFERENCES] = [30, 80, 40]
const [STORE, WARD] = ['中心库', '心内科二级库']
const GOODS = 'P009-01'
const OPENING = '/hospital/hInitialInventory'
const RECEIVING = '/hospital/purchaseGrn'
const GRANTING = '/hospital/hospitalgrantOdo'

let site: Site
let visit: Visit
let hands: ReturnType<typeof handsOn>
beforeAll(async () => {
  site = await openSite({ documents: false })
  const database = await openDatabase(site.config)
  await database.owner`update app_user set is_administrator = true where login = any(array['keeper', 'finance'])`
  await database.close()
  visit = await site.visit('hospital')
  await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  hands = handsOn(visit.page, visit.open)
})
afterAll(() => site?.close())

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000 + 28_800_000).toISOString().slice(0, 10)
const lotsOf = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`)
const idOf = async (store: string): Promise<string> =>
  (await call(visit.page, 'warehouse/list')).list.find((row: { name: string }) => row.name === store)
    .warehouse_model_inner_sn
/** Stock on hand in a warehouse, by lot. */
async function shelf(store: string): Promise<Record<string, number>> {
  const { list } = await call(
    visit.page,
    `stockBalance/list?warehouse_model_inner_sn=${await idOf(store)}&pageSize=500`,
  )
  return Object.fromEntries(
    list.map((row: { lot_no: string; quantity: string }) => [row.lot_no, wholePieces(row.quantity)]),
  )
}
const total = (lots: Record<string, number>) => Object.values(lots).reduce((sum, each) => sum + each, 0)

/** Users cannot approve their own counts or losses: a colleague does. */
async function secondPerson(
  kind: string,
  sn: string,
  action = 'review',
  more: object = {},
  who = 'keeper',
): Promise<void> {
  const colleague = await site.visit(who)
  const { info } = await call(colleague.page, `${kind}/info?sn=${sn}`)
  const body = { sn, version: info.version, ...more }
  const first = await call(colleague.page, `${kind}/${action}`, body)
  const reply =
    first.code === 2200
      ? await call(colleague.page, `${kind}/${action}`, { ...body, confirm: first.info.token })
      : first
  expect(reply).toMatchObject({ code: 0 })
  await colleague.leave()
}

describe('a day of the central warehouse', () => {
  story('begins with what lies on the shelves: 45 lots from a workbook', async () => {
    const { page } = visit
    await hands.begin(OPENING)
    await hands.choose('仓库', STORE)
    await page.getByRole('button', { name: /导入$/ }).click()
    const rows = [
      ['产品编码', '批号', '生产日期', '有效期至', '数量', '含税单价', '税率'],
      ...lotsOf('QC', 45).map((lot, at) => [GOODS, lot, day(-100), day(300 + at), '20', '80', '13']),
    ]
    const buffer = write(
      { Sheets: { a: utils.aoa_to_sheet(rows) }, SheetNames: ['a'] },
      { type: 'buffer', bookType: 'xlsx' },
    )
    await page
      .getByLabel('选择要导入的文件')
      .setInputFiles({ name: '期初.xlsx', mimeType: 'application/octet-stream', buffer })
    await page.getByRole('button', { name: '导入 45 行' }).click()
    await hands.save()
    await hands.act('openingStock', '提交', ['submitted'])
    await hands.act('openingStock', '审核', ['reviewed'])
    expect(total(await shelf(STORE))).toBe(900)
  })

  story(`${RECEIPTS} deliveries are received`, async () => {
    const { list } = await call(visit.page, `hospitalProduct/list?q=${GOODS}`)
    for (const lot of lotsOf('RK', RECEIPTS)) {
      await hands.begin(RECEIVING)
      await hands.choose('供应商', list[0].supplier_name)
      await hands.choose('入库仓库', STORE)
      await hands.addLine()
      await hands.paste(1, '产品名称', [[GOODS, '', lot, day(-30), day(900)]])
      await hands.paste(1, '数量', [['5']])
      await hands.paste(1, '含税单价', [['90', '13']])
      await expect.poll(async () => (await hands.cell(1, 1)).textContent()).toMatch(/\S/)
      await hands.save()
      await hands.act('purchaseGrn', '提交', ['submitted'])
      await hands.act('purchaseGrn', '审核', ['reviewed'])
    }
    expect(total(await shelf(STORE))).toBe(900 + RECEIPTS * 5)
  })

  story(`${GRANTS} grants leave for the wards, first expiry first`, async () => {
    const { page } = visit
    for (let at = 0; at < GRANTS; at++) {
      await hands.begin(GRANTING)
      await hands.choose('发放仓库', STORE)
      await hands.choose('领入仓库', WARD)
      await hands.addLine()
      await hands.paste(1, '产品名称', [[GOODS]])
      await hands.paste(1, '发放数量', [['3']])
      await expect.poll(async () => (await hands.cell(1, 1)).textContent()).toMatch(/\S/)
      await page.getByRole('button', { name: '分配批号' }).click()
      const lot = await hands.columnAt('批号')
      await expect.poll(() => hands.cell(1, lot).textContent()).toMatch(/^QC\d+$/)
      await hands.save()
      await hands.act('grantOdo', '提交', ['submitted'])
      await hands.act('grantOdo', '审核', ['reviewed', 'partial', 'completed'])
    }
    const left = await shelf(STORE)
    expect(total(left)).toBe(900 + RECEIPTS * 5 - GRANTS * 3)
    // The first twelve lots are gone, oldest first, and the new ones are untouched.
    expect(Object.keys(left)).not.toContain('QC12')
    expect(left.QC13).toBe(20)
    expect(left.RK1).toBe(5)
  })

  story('the ward receives all of it at once', async () => {
    const { page, open } = visit
    await open('/hospital/receiveInwarehouse?pageSize=100')
    const list = page.locator('section:visible, main:visible').last()
    await list.getByText(`共 ${GRANTS} 条`).first().waitFor()
    await list.getByRole('checkbox').first().check()
    await list
      .getByRole('button', { name: /确认收货/ })
      .first()
      .click()
    const sure = page.locator('.ant-modal:visible').getByRole('button').last()
    const waiting = async () => (await call(page, 'wardReceipt/list?state=submitted')).total
    await expect
      .poll(
        async () => {
          if (await sure.isVisible()) await sure.click({ timeout: 1_000 }).catch(() => null)
          return waiting()
        },
        { timeout: 60_000 },
      )
      .toBe(0)
    expect(total(await shelf(WARD))).toBe(GRANTS * 3)
    await page.keyboard.press('Escape')
  })

  story(`a count finds ${DIFFERENCES} differences; finds and losses set the books right`, async () => {
    const before = await shelf(STORE)
    await hands.begin('/commonView/takeStock')
    await hands.choose('仓库', STORE)
    const sn = await hands.save()
    await visit.page.locator('article:visible').getByRole('button', { name: '开始盘点', exact: true }).click()
    await expect
      .poll(async () => (await call(visit.page, `stockTake/info?sn=${sn}`)).info.count_state, { timeout: 30_000 })
      .toBe('2')
    const { info } = await call(visit.page, `stockTake/info?sn=${sn}`)
    const counted: number[] = info.lines.map(
      (line: { book_quantity: string }, at: number) =>
        wholePieces(line.book_quantity) + (at < DIFFERENCES ? (at % 2 === 0 ? 1 : -1) : 0),
    )
    expect(counted.length).toBeGreaterThan(DIFFERENCES)
    await visit.open('/commonView/takeStock')
    await hands.open('/commonView/takeStock', sn)
    await hands.paste(
      1,
      '初盘数量',
      counted.map(each => [String(each)]),
    )
    await hands.paste(
      1,
      '差异原因',
      counted.map((_, at) => [at < DIFFERENCES ? '点数有误' : '']),
    )
    await hands.save()
    await hands.act('stockTake', '提交', ['submitted'])
    await secondPerson('stockTake', sn)
    for (const [kind, route] of [
      ['overflow', '/commonView/reportOverflow'],
      ['loss', '/commonView/frmLoss'],
    ] as const) {
      const [draft] = (await call(visit.page, `${kind}/list?source_sn=${sn}`)).list
      await hands.open(route, draft.sn)
      await hands.act(kind, '提交', ['submitted'])
      await secondPerson(kind, draft.sn)
    }
    const after = await shelf(STORE)
    expect(total(after)).toBe(counted.reduce((sum, each) => sum + each, 0))
    expect(total(after)).toBe(total(before))
  })

  story('goods go to another store, and the other store receives them', async () => {
    const before = total(await shelf(STORE))
    await hands.begin('/commonView/productTransferOrder')
    await hands.choose('调出仓库', STORE)
    await hands.choose('调入仓库', '高值库')
    await hands.addLine()
    await hands.paste(1, '产品名称', [[GOODS]])
    await hands.paste(1, '调拨数量', [['4']])
    await visit.page.getByRole('button', { name: '分配批号' }).click()
    await hands.save()
    await hands.act('transfer', '提交', ['submitted'])
    const sn = await hands.act('transfer', '审核', ['reviewed', 'partial', 'completed'])
    expect(total(await shelf(STORE))).toBe(before - 4)
    const [receipt] = (await call(visit.page, `transferReceipt/list?source_sn=${sn}`)).list
    expect(
      await call(visit.page, 'transferReceipt/review', { sn: receipt.sn, version: receipt.version }),
    ).toMatchObject({ code: 0 })
    expect(total(await shelf('高值库'))).toBe(4)
  })

  story('a recalled lot is held the moment it is reported, and stays until it is decided', async () => {
    const { page } = visit
    const lot = 'QC45'
    const held = (await shelf(STORE))[lot]!
    await hands.begin('/commonView/stopSellList')
    await hands.choose('停售原因', '召回')
    await page.locator('article:visible').getByLabel('召回/通知编号').fill('ZH-2026-01')
    await hands.choose('仓库', STORE)
    await hands.addLine()
    await hands.paste(1, '产品名称', [[GOODS, '', lot]])
    await hands.paste(1, '停售数量', [[String(held)]])
    await expect.poll(async () => (await hands.cell(1, 1)).textContent()).toMatch(/\S/)
    const sn = await hands.save()
    await hands.act('stopSale', '提交', ['submitted'])
    const goods = (await call(page, `specification/list?q=${GOODS}`)).list[0].specification_sn
    const grant = await call(page, 'grantOdo/add', {
      warehouse_model_inner_sn: await idOf(STORE),
      to_warehouse_model_inner_sn: await idOf(WARD),
      lines: [{ specification_sn: goods, lot_no: lot, quantity: '1' }],
    })
    const submit = { sn: grant.info.sn, version: 1 }
    // An earlier lot is on hand: choosing this one needs a reason, and the user is shown that it is held.
    const asked = await call(page, 'grantOdo/submit', submit)
    const insisted = await call(page, 'grantOdo/submit', { ...submit, confirm: asked.info.token, reason: '点名要此批' })
    expect(insisted.msg).toMatch(/库存不足|不能发放/)
    await call(page, 'grantOdo/del', { sn: grant.info.sn, version: 1 })
    await secondPerson('stopSale', sn, 'check', { conclusion: 'open', disposal: 'hold' })
    await secondPerson('stopSale', sn, 'review', {}, 'finance')
    const { list } = await call(page, `stockBalance/list?lot_no=${lot}&warehouse_model_inner_sn=${await idOf(STORE)}`)
    expect(
      list.map((row: { quality_state: string; quantity: string }) => [row.quality_state, wholePieces(row.quantity)]),
    ).toEqual([['stopped', held]])
  })

  story('ends with the month: closed, it takes nothing more, and the books are without a flaw', async () => {
    const { page, open } = visit
    const month = day(0).slice(0, 7)
    const { list } = await call(page, 'accountingPeriod/list')
    for (const period of [...list]
      .reverse()
      .filter((row: { state: string; period: string }) => row.state === 'open' && row.period < month))
      expect(
        await call(page, 'accountingPeriod/closePeriod', { sn: period.accounting_period_sn, version: period.version }),
      ).toMatchObject({ code: 0 })
    await open('/commonView/stockFinance?tab=期间结账')
    const row = page.locator('tr:visible').filter({ hasText: month })
    await row.getByText('查看').click()
    const drawer = page.locator('.ant-drawer:visible')
    await drawer.getByRole('button', { name: '期间结账' }).click()
    const sure = page.locator('.ant-modal:visible').getByRole('button').last()
    await expect
      .poll(
        async () => {
          if (
            (await call(page, 'accountingPeriod/list')).list.some(
              (each: { state: string; period: string }) => each.period === month && each.state === 'closed',
            )
          )
            return true
          if (await sure.isVisible()) await sure.click({ timeout: 1_000 }).catch(() => null)
          return false
        },
        { timeout: 15_000 },
      )
      .toBe(true)
    const [lots] = (await call(page, 'purchaseGrn/list')).list
    const copy = await call(page, 'purchaseGrn/unreview', { sn: lots.sn, version: lots.version })
    expect(copy.msg).toContain('已月结，不能再发生业务')
    const database = await openDatabase(site.config)
    const findings = await checkLedgers(database.owner)
    await database.close()
    expect(findings.map(finding => finding.msg)).toEqual([])
    expect(visit.problems).toEqual([])
  })
})
