import { read, utils } from '@e965/xlsx'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { takeUpExports, tidyExports } from '#server/exports/jobs.ts'
import { diskStore } from '#server/files/store.ts'
import { findExport } from './exports.ts'

let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer({ EXPORT_LONG_ROWS: '6' })
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

const begin = (address: string, client = hospital) => client.post('/v1/export', { address })
const PRODUCTS = '/v1/business/hospitalProduct/export'

async function ended(job: string) {
  let state = { state: 'running' } as Record<string, unknown>
  await expect
    .poll(async () => {
      state = (await hospital.get('/v1/export/info', { sn: job })).info
      return state.state
    })
    .not.toBe('running')
  return state
}

story('an export', step => {
  step("of a few rows is fetched from its own address, with the system's number formats", async () => {
    const address = `${PRODUCTS}?status=disabled`
    expect(await begin(address)).toMatchObject({ code: 0, info: { address } })
    const report = '/v1/report/inventorySummary/export'
    expect((await begin(`${report}?as_of=2026-01-31`)).code).toBe(0)
    const reply = await hospital.raw({ method: 'GET', url: PRODUCTS })
    const parts = unzipSync(new Uint8Array(reply.rawPayload))
    const styles = strFromU8(parts['xl/styles.xml']!)
    for (const format of ['#,##0.000', '#,##0.0000', '#,##0.00', '0.00%', 'yyyy-mm-dd'])
      expect(styles).toContain(`formatCode="${format}"`)
  })

  step('of documents keeps the order on screen', async () => {
    const keeper = await server.as('dealer')
    for (const remark of ['乙', '丙', '甲']) await keeper.post('/v1/business/purchasePlan/add', { remark, lines: [] })
    const inOrder = async (sort: string) => {
      const url = `/v1/business/purchasePlan/export?sort=${sort}`
      const reply = await keeper.raw({ method: 'GET', url })
      const [sheet] = Object.values(read(reply.rawPayload, { type: 'buffer' }).Sheets)
      return utils.sheet_to_json<Record<string, string>>(sheet!).map(row => row.单号)
    }
    const rising = await inOrder('sn')
    expect(rising).toEqual(rising.toSorted())
    expect(rising.length).toBe(3)
    expect(await inOrder('-sn')).toEqual(rising.toReversed())
  })

  step('of a report begins with its title, the conditions in words, the time and the user', async () => {
    const store = server.masters.warehouses.get('H01-W01')!
    const reply = await hospital.raw({
      method: 'GET',
      url: `/v1/report/stockByProduct/export?warehouse_model_inner_sn=${store}`,
    })
    const [sheet] = Object.values(read(reply.rawPayload, { type: 'buffer' }).Sheets)
    const rows = utils.sheet_to_json<string[]>(sheet!, { header: 1 })
    expect(rows[0]![0]).toMatch(/医院 .+/)
    expect(rows[1]![0]).toMatch(/^查询条件：.*仓库：(?!\d)/)
    expect(rows[2]![0]).toMatch(/^导出时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d　导出人：./)
    expect(rows[3]!.length).toBeGreaterThan(3)
    // The server ends a page's statement on timeout, whatever the browser does.
    const [limit] = await server.database.slow<{ statement_timeout: string }[]>`show statement_timeout`
    expect(limit!.statement_timeout).toBe('1min')
  })

  step('checks sign-in and right before anything is fetched, in the usual reply envelope', async () => {
    expect((await begin(PRODUCTS, server.outsider)).status).toBe(401)
    const nurse = await server.as('nurse')
    expect((await begin('/v1/business/purchaseOrder/export', nurse)).code).toBe(403)
    expect((await begin('/v1/business/purchaseOrder/list')).msg).toBe('没有这个导出')
    expect((await begin(`${PRODUCTS}?colour=red`)).code).toBe(2000)
    expect((await begin('https://elsewhere/v1/x/export')).msg).toBe('没有这个导出')
  })

  step("of many rows runs in the background and arrives as a file in the user's message centre", async () => {
    await server.database.owner`
      insert into export_job (org_id, user_id, title, path, query) select org_id, id, '同条件',
        '/v1/business/hospitalProduct/export', '{}' from app_user where login = 'hospital'`
    expect((await begin(PRODUCTS)).msg).toBe('相同条件的导出任务正在执行')
    await server.database.owner`delete from export_job where title = '同条件'`
    const { info } = await begin(PRODUCTS)
    const { total, list } = await hospital.get('/v1/business/hospitalProduct/list', { pageSize: '500' })
    expect(info).toMatchObject({ job: expect.any(String), rows_total: total })
    expect(await ended(info.job)).toMatchObject({ state: 'done', rows_done: total, rows_total: total })
    const messages = (await hospital.get('/v1/business/message/list', { q: '导出完成' })).list
    expect(messages).toMatchObject([{ title: '医院产品目录导出完成', body: `共${total}行，点击下载，文件保留7天` }])
    const file = await hospital.raw({ method: 'GET', url: messages[0].uri })
    expect(file.headers['content-disposition']).toContain(encodeURIComponent('医院产品目录'))
    const [sheet] = Object.values(read(file.rawPayload, { type: 'buffer' }).Sheets)
    expect(utils.sheet_to_json(sheet!)).toHaveLength(list.length)
    // No other user is notified, not even in the same organisation.
    const finance = await server.as('finance')
    expect((await finance.get('/v1/business/message/list', { q: '导出完成' })).list).toEqual([])
    expect((await finance.get('/v1/export/info', { sn: info.job })).code).toBe(2106)
    expect((await finance.raw({ method: 'GET', url: messages[0].uri })).json().code).toBe(2106)
    const log = await hospital.get('/v1/business/operationLog/list', { action_kind: 'export', pageSize: '5' })
    expect(log.list[0].summary).toBe(`导出${total}行`)
  })

  step('is restarted by another process after a crash, if still permitted; an expired file is gone', async () => {
    const { owner } = server.database
    const store = diskStore(`${server.dataDir}/files`)
    const [done] = await owner`select id, file_name from export_job where state = 'done'`
    await owner`update export_job set ended_at = now() - interval '8 days'`
    const lostOf = async (address: string, tries: number) =>
      (
        await owner`
          insert into export_job (org_id, user_id, title, path, query, tries, touched_at)
          select org_id, user_id, '医院产品目录', ${address}, '{"status": "enabled"}', ${tries}, now() - interval '6 minutes'
            from export_job limit 1 returning id`
      )[0]!.id as string
    const half = await lostOf(PRODUCTS, 1)
    const gone = await lostOf('/x', 1)
    const deadly = await lostOf(PRODUCTS, 3)
    const young = await lostOf(PRODUCTS, 1)
    await owner`update export_job set touched_at = now() where id = ${young}`
    await Promise.all([1, 2].map(() => takeUpExports(server.database, store, findExport)))
    expect(await ended(half)).toMatchObject({ state: 'done', rows_done: expect.any(Number) })
    expect((await hospital.get('/v1/business/message/list', { q: '导出完成' })).total).toBe(2)
    expect(await ended(gone)).toMatchObject({ state: 'failed' })
    expect(await ended(deadly)).toMatchObject({ state: 'failed' })
    expect((await hospital.get('/v1/export/info', { sn: young })).info.state).toBe('running')
    expect((await hospital.get('/v1/business/message/list', { q: '导出中断' })).total).toBe(2)
    await tidyExports(owner, store)
    expect(await ended(done!.id)).toMatchObject({ state: 'done', file_name: null })
    expect((await hospital.raw({ method: 'GET', url: `/file/${done!.file_name}` })).json().code).toBe(2106)
  })
})
