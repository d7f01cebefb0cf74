import { utils, write } from '@e965/xlsx'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openTestServer, type Reply, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

type Rows = (string | number)[][]
const workbook = (rows: Rows, bookType: 'xlsx' | 'biff8' = 'xlsx'): Buffer =>
  write({ Sheets: { 员工: utils.aoa_to_sheet(rows) }, SheetNames: ['员工'] }, { type: 'buffer', bookType })

async function upload(kind: string, file: Buffer, name = 'data.xlsx', client = hospital): Promise<Reply> {
  const border = 'xxBORDERxx'
  const payload = Buffer.concat([
    Buffer.from(
      `--${border}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ` +
        'application/octet-stream\r\n\r\n',
    ),
    file,
    Buffer.from(`\r\n--${border}--\r\n`),
  ])
  const reply = await client.raw({
    method: 'POST',
    url: `/v1/business/${kind}/import`,
    headers: { 'content-type': `multipart/form-data; boundary=${border}` },
    payload,
  })
  return { status: reply.statusCode, ...reply.json() }
}

const HEAD = ['工号', '姓名', '性别', '所属部门', '手术医生', '入职日期']

describe('importing a sheet', () => {
  it('starts with a template that has the headings', async () => {
    const reply = await hospital.raw({ method: 'GET', url: '/v1/business/employee/template' })
    const sheet = strFromU8(unzipSync(new Uint8Array(reply.rawPayload))['xl/worksheets/sheet1.xml'] as Uint8Array)
    for (const heading of HEAD) expect(sheet).toContain(heading)
  })

  it.each(['xlsx', 'biff8'] as const)(
    'takes all rows of an %s file, names and choices as people write them',
    async type => {
      const rows: Rows = [
        HEAD,
        [`${type}-1`, '导入甲', '男', '心内科', '是', '2026/1/5'],
        [`${type}-2`, '导入乙', '', 'H01-K05', '否', '2026-02-01'],
      ]
      expect(await upload('employee', workbook(rows, type), type === 'xlsx' ? 'a.xlsx' : 'a.xls')).toMatchObject({
        status: 200,
        code: 0,
        info: { count: 2 },
      })
      const { list } = await hospital.get('/v1/business/employee/list', { code: type, sort: 'code' })
      expect(list).toMatchObject([
        { name: '导入甲', sex: '男', department_name: '心内科', is_surgeon: true, entry_date: '2026-01-05' },
        { name: '导入乙', is_surgeon: false, entry_date: '2026-02-01' },
      ])
    },
  )

  it('imports nothing when one row is wrong, and reports the error by cell', async () => {
    const rows: Rows = [
      HEAD,
      ['ok-1', '好的', '', '', '', ''],
      ['ok-1', '重号', '', '', '', ''],
      ['', '无号', '', '没有的科', '也许', '2026-02-30'],
    ]
    const reply = await upload('employee', workbook(rows))
    expect(reply).toMatchObject({ status: 200, code: 3000 })
    expect(reply.errors).toEqual([
      { row: 3, column: '工号', msg: '工号【ok-1】已存在' },
      { row: 4, column: '所属部门', msg: '“没有的科”不存在' },
      { row: 4, column: '手术医生', msg: '【手术医生】应为 true 或 false' },
      { row: 4, column: '入职日期', msg: expect.stringContaining('不是有效日期') },
    ])
    expect((await hospital.get('/v1/business/employee/list', { code: 'ok-1' })).total).toBe(0)
  })

  it('refuses a file that is no sheet, an unknown or empty heading, and users who may not add', async () => {
    expect(await upload('employee', Buffer.from('not a workbook at all'))).toMatchObject({
      status: 200,
      code: expect.any(Number),
    })
    expect((await upload('employee', Buffer.from('PKbroken'))).msg).toBe(
      '这是一个不完整或已损坏的文件，这里要 Excel 或 CSV 文件（.xlsx、.xls、.csv），请重新下载或保存后再上传',
    )
    // The content of a file decides, not its name.
    expect((await upload('employee', workbook([HEAD]), 'data.pdf')).msg).toBe('导入文件有误：第2行没有可导入的数据')
    expect(
      (
        await upload(
          'employee',
          workbook([
            ['工号', '颜色'],
            ['1', '红'],
          ]),
        )
      ).errors,
    ).toEqual([{ row: 1, column: '颜色', msg: '模板里没有这一列' }])
    expect((await upload('employee', workbook([HEAD]))).code).toBe(3000)
    expect(
      (await upload('employee', workbook([HEAD, ['n-1', 'n', '', '', '', '']]), 'a.xlsx', await server.as('nurse')))
        .code,
    ).toBe(403)
    expect((await hospital.raw({ method: 'POST', url: '/v1/business/employee/import', payload: {} })).json().code).toBe(
      2000,
    )
  })
})

describe('an exported cell', () => {
  it('is a figure where it is one, and never a formula', async () => {
    await hospital.post('/v1/business/department/add', { code: '=1+1', name: '=HYPERLINK("http://x")', sort_no: 7 })
    const reply = await hospital.raw({ method: 'GET', url: '/v1/business/department/export', query: { code: '=1+1' } })
    const sheet = strFromU8(unzipSync(new Uint8Array(reply.rawPayload))['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toContain('<t xml:space="preserve">=1+1</t>')
    expect(sheet).toMatch(/<c r="[A-Z]2" s="2"><v>7<\/v><\/c>/)
    expect(sheet).not.toContain('<f>')
  })
})
