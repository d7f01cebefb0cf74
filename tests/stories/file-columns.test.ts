import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { AskedColumns } from '#kernel/tables/foreign-table.ts'
import { headingsOf, suggestedPicks, wantedOf } from '#kernel/tables/foreign-table.ts'
import { recorderTable } from '#modules/trade/transport/cold-chain/recorder-table.ts'
import { seriousOn } from '../support/axe.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

/** 列对应: the dialog in which somebody names the columns of a file, with the keyboard, also on a phone. */
let site: Site
beforeAll(async () => {
  site = await openSite({ documents: false })
})
afterAll(() => site?.close())

const rows = [
  ['某某冷链记录报告', '', '', '', ''],
  ['编号', '记录点', '一号探头读数', '二号探头读数', '备注'],
  ['1', '2026-11-26 08:00:00', '4.2', '4.6', ''],
  ['2', '2026-11-26 08:05:00', '4.3', '4.7', '开门'],
  ['3', '昨天', '热', '热', ''],
]
const headings = rows.map(cells => headingsOf(recorderTable, cells))
const columns: AskedColumns = {
  kind: recorderTable.kind,
  title: recorderTable.title,
  file: '导出.csv',
  wanted: wantedOf(recorderTable),
  rows,
  headings,
  places: ['第1列', '第2列', '第3列', '第4列', '第5列'],
  row: 1,
  picks: suggestedPicks(recorderTable, headings[1]!),
  preview: null,
}
const preview = {
  headings: ['时间', '温度', '湿度'],
  rows: [
    ['2026-11-26 08:00', '4.2℃', ''],
    ['2026-11-26 08:00', '4.6℃', ''],
    ['2026-11-26 08:05', '4.3℃', ''],
  ],
  said: '读到4条，1行未能读取',
  refused: null,
}

/** A call that asks for the columns, then shows, then is done; returns what was sent last. */
async function askingCall(page: Page): Promise<() => string | null> {
  let last: string | null = null
  await page.route('**/v1/business/paymentBatch/generate', async route => {
    last = new URLSearchParams(route.request().postData() ?? '').get('columns')
    const msg = '文件【导出.csv】没有认出时间、温度所在的列，请指定'
    const reply =
      last === null
        ? { code: 2201, msg, info: { columns } }
        : last.includes('"preview":true')
          ? { code: 2201, msg: '', info: { columns: { ...columns, wanted: [], preview } } }
          : { code: 0, msg: '', info: { result: '已读取' } }
    await route.fulfill({ json: reply })
  })
  return () => last
}

for (const size of [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
])
  story(`columns are named with the keyboard at ${size.width} pixels`, async () => {
    const { page, open, problems, leave } = await site.visit('hospital', size)
    const sent = await askingCall(page)
    await open(`/commonView/paymentAttachment/paymentOrder?tab=${encodeURIComponent('付款批次')}`)
    await page.getByRole('button', { name: '生成批次' }).click()
    await page.getByLabel('付款账户').last().fill('工行6222')
    await page.getByRole('button', { name: /^确\s?定$/ }).click()
    const dialog = page.getByRole('dialog', { name: '指定温度记录文件的列' })
    await dialog.waitFor()
    const { FILE_COLUMNS_SHOTS: into } = process.env
    const shoot = async (name: string) => {
      if (into) await page.screenshot({ path: `${into}/${name}-${size.width}.png` })
    }
    await shoot('asked')

    const choose = async (label: string, keys: readonly string[]) => {
      const box = dialog.getByRole('combobox', { name: new RegExp(`^${label}[*\\s]*$`) })
      for (let tabs = 0; !(await box.evaluate(each => each === document.activeElement)); tabs++) {
        expect(tabs, `${label} is reached by Tab`).toBeLessThan(30)
        await page.keyboard.press('Tab')
      }
      for (const key of keys) {
        await page.keyboard.type(key)
        await page.locator('.ant-select-item-option-active:visible').filter({ hasText: key }).waitFor()
        await page.keyboard.press('Enter')
      }
    }
    await choose('时间', ['记录点'])
    await choose('温度', ['一号', '二号'])
    await choose('温度单位', [])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.getByText('读到4条，1行未能读取').waitFor()
    expect(await seriousOn(page)).toEqual([])
    await shoot('shown')
    const isWithin = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    expect(isWithin).toBe(true)
    const confirm = dialog.getByRole('button', { name: '按此读取并记住' })
    await confirm.focus()
    await page.keyboard.press('Enter')
    await page.getByText('已读取').waitFor()
    expect(JSON.parse(sent()!)).toMatchObject([
      { picks: { time: ['记录点'], temperature: ['一号探头读数', '二号探头读数'] }, units: { temperature: 'celsius' } },
    ])
    expect(problems).toEqual([])
    await leave()
  })
