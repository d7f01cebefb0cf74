import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { enterRegistrant, registerCode } from '#tests/support/outbox.ts'
import { storeOf } from '#app/app.ts'
import type { Config } from '#server/config.ts'
import { sweepScans } from '#server/identity/scans.ts'

let server: TestServer
let hospital: Client
let picture: Buffer
let platform: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
  platform = await server.as('platform')
  picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#0c7f79' } })
    .png()
    .toBuffer()
})
afterAll(() => server?.close())

const LINE = '\r\n'
async function upload(client: Client, name: string, bytes: Buffer) {
  const head =
    `--x${LINE}content-disposition: form-data; name="file"; filename="${name}"${LINE}content-type: ` +
    `application/octet-stream${LINE}${LINE}`
  const reply = await client.raw({
    method: 'POST',
    url: '/v1/file/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`${LINE}--x--${LINE}`)]),
  })
  return { status: reply.statusCode, ...reply.json() }
}
const kept = async () => (await upload(hospital, '验收照片.png', picture)).info.name as string

describe('a file', () => {
  it('is stored under a meaningless name, and is returned complete under its original name', async () => {
    const { info } = await upload(hospital, '验收照片.png', picture)
    expect(info).toMatchObject({ original_name: '验收照片.png', content_type: 'image/png', size: picture.length })
    expect(info.name).toMatch(/^[\w-]{22}\.png$/)
    const reply = await hospital.raw({ method: 'GET', url: `/file/${info.name}` })
    expect(reply.rawPayload.equals(picture)).toBe(true)
    expect(reply.headers['content-disposition']).toContain(encodeURIComponent('验收照片.png'))
    expect((await hospital.get('/v1/file/info', { names: info.name })).list).toHaveLength(1)
  })

  it('has thumbnails of 200 pixels, or of the stored size nearest to the requested one', async () => {
    const name = await kept()
    for (const [asked, width] of [
      ['-', 200],
      ['-64', 64],
      ['-7', 64],
      ['-201', 400],
      ['-9999', 640],
    ] as const) {
      const reply = await hospital.raw({ method: 'GET', url: `/file/${name}${asked}` })
      expect((await sharp(reply.rawPayload).metadata()).width, asked).toBe(width)
    }
  })

  it('that is a PDF is counted and shown page by page, as pictures that can be printed', async () => {
    const pdf = await PDFDocument.create()
    for (const width of [300, 600]) pdf.addPage([width, 400]).drawRectangle({ x: 10, y: 10, width: 50, height: 50 })
    const { name } = (await upload(hospital, '许可证.pdf', Buffer.from(await pdf.save()))).info
    const { list } = await hospital.get('/v1/file/info', { names: name, pages: '1' })
    expect(list).toMatchObject([{ name, pages: 2 }])
    const page = (asked: string, of = name) => hospital.raw({ method: 'GET', url: `/file/${of}?page=${asked}` })
    const widths: number[] = []
    for (const asked of ['1', '2']) {
      const reply = await page(asked)
      expect(reply.headers['content-type']).toBe('image/jpeg')
      widths.push((await sharp(reply.rawPayload).metadata()).width)
    }
    expect(widths).toEqual([750, 1500])
    expect((await page('3')).json().code).toBe(2106)
    for (const wrong of ['0', '-1', 'x']) expect((await page(wrong)).json().code, wrong).toBe(2000)
    expect((await page('1', await kept())).json().code).toBe(2000)
  })

  it('of another organisation, or of no one, does not exist', async () => {
    const name = await kept()
    const dealer = await server.as('dealer')
    expect((await dealer.get(`/file/${name}`)).code).toBe(2106)
    expect((await dealer.get(`/file/${name}-64`)).code).toBe(2106)
    expect((await dealer.get('/v1/file/info', { names: name })).list).toEqual([])
    expect((await server.outsider.raw({ method: 'GET', url: `/file/${name}` })).statusCode).toBe(401)
    for (const trick of ['..%2f..%2fpg.secret', '%00.png', `${name}-x`, 'a'.repeat(22), `${name}%2f..`])
      expect((await hospital.raw({ method: 'GET', url: `/file/${trick}` })).json().code, trick).not.toBe(0)
  })

  it('gets its type from its first bytes, whatever its name says', async () => {
    const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    expect((await upload(hospital, 'a.png', page)).msg).toMatch(/^不支持这种文件/)
    expect((await upload(hospital, 'a.zip', Buffer.from('PK\u0003\u0004 and so on'))).msg).toMatch(/^不支持这种文件/)
    expect((await upload(hospital, 'a.png', Buffer.alloc(0))).msg).toBe('文件为空，请重新选择')
    const disguised = await upload(
      hospital,
      '../../报告.exe',
      Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(100)]),
    )
    expect(disguised.info.name).toMatch(/\.pdf$/)
  })

  it('of a bank that is a page or a text under the name of a workbook is kept, and never shown', async () => {
    for (const text of ['<html><table><tr><td>金额</td></tr></table></html>', '金额\t状态\n1\t成功\n']) {
      const { info, msg } = await upload(hospital, '回盘.xls', Buffer.from(text))
      expect(info?.name, msg).toMatch(/\.xls$/)
      const reply = await hospital.raw({ method: 'GET', url: `/file/${info.name}` })
      expect(reply.headers['content-disposition']).toMatch(/^attachment/)
    }
  })

  it('that is too large is refused, and nothing of it is kept', async () => {
    const reply = await upload(
      hospital,
      'a.pdf',
      Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(21 * 1024 * 1024)]),
    )
    expect(reply.msg).toBe('文件大小不能超过20MB')
  })

  it('that is not a picture has no thumbnail, and breaks nothing', async () => {
    const { info } = await upload(hospital, 'a.png', Buffer.from('\u0089PNG and nothing behind it', 'latin1'))
    expect((await hospital.get(`/file/${info.name}-64`)).code).toBe(2106)
  })
})

describe('a document or a record', () => {
  it('names only files that its organisation has', async () => {
    const dealer = await server.as('dealer')
    const name = await kept()
    const doc = { warehouse_model_inner_sn: null, attachments: [name], lines: [] }
    expect((await dealer.post('/v1/business/otherGrn/add', doc)).msg).toBe('【附件】中的文件不存在，请重新上传')
    expect((await hospital.post('/v1/business/otherGrn/add', doc)).code).toBe(0)
  })
})

describe('a scan of a licence, before sign-in', () => {
  const leave = async (bytes: Buffer, draft = '', name = '营业执照.png', remoteAddress = '198.51.100.7') => {
    const head =
      `--x${LINE}content-disposition: form-data; name="file"; filename="${name}"${LINE}content-type: image/png` +
      `${LINE}${LINE}`
    const reply = await server.outsider.raw({
      method: 'POST',
      url: `/v1/register/upload${draft && `?draft=${draft}`}`,
      remoteAddress,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`${LINE}--x--${LINE}`)]),
    })
    return { status: reply.statusCode, ...reply.json() }
  }
  const form = (more: Record<string, string>) => ({
    system_type: '2',
    name: '有证公司',
    address: '吴中区东方大道1号',
    registrant: '沈知节',
    registrant_phone: '13900003201',
    social_credit_code: '91320506MA1ABCD201',
    ...more,
  })
  const send = (more: Record<string, string>) => server.outsider.post('/v1/register/org', form(more))

  it('goes to the auditor with the registration, and after approval into the organisation’s archive', async () => {
    const bytes = picture
    const { info: first } = await leave(bytes)
    const { info: second } = await leave(Buffer.from('%PDF-1.7 page'), first.draft, '副本.pdf')
    const { info: wrong } = await leave(bytes, first.draft)
    expect((await server.outsider.raw({ method: 'GET', url: `/file/${first.name}` })).statusCode).toBe(401)
    expect((await platform.raw({ method: 'GET', url: `/file/${first.name}` })).json().code).toBe(2106)
    const verifyCode = await registerCode(server, '13900003201')
    const sent = await send({ verifyCode, draft: first.draft, scans: `${first.name},${second.name}` })
    expect(sent.code, sent.msg).toBe(0)
    const [row] = (await platform.get('/v1/business/registrationAudit/list', { name: '有证公司' })).list
    expect(row.attachments).toEqual([first.name, second.name])
    const shown = await platform.raw({ method: 'GET', url: `/file/${first.name}` })
    expect(shown.rawPayload.equals(bytes)).toBe(true)
    expect((await platform.raw({ method: 'GET', url: `/file/${wrong.name}` })).json().code).toBe(2106)
    const submitAndReview = { sn: row.sn, version: row.version }
    expect((await platform.post('/v1/business/registrationAudit/pass', submitAndReview)).code).toBe(0)
    const client = await enterRegistrant(server, '13900003201')
    const { list } = await client.get('/v1/business/licence/list', { holder_type: 'own' })
    expect(list).toMatchObject([
      { licence_type: '营业执照', licence_no: '91320506MA1ABCD201', attachments: [first.name, second.name] },
    ])
    expect((await client.raw({ method: 'GET', url: `/file/${second.name}` })).statusCode).toBe(200)
    const [org] = (await platform.get('/v1/business/organisation/list', { name: '有证公司' })).list
    expect(org.licence_state).toBe('valid')
    expect((await (await server.as('dealer')).get('/v1/file/info', { names: first.name })).list).toEqual([])
  })

  it('must be a small picture or PDF, one of few, of a live draft, and serves one registration', async () => {
    expect((await leave(Buffer.from('PK\u0003\u0004 sheet'), '', '表.xlsx')).msg).toBe(
      '不支持这种文件，请上传 png、jpg、webp、pdf 格式的文件',
    )
    expect((await leave(Buffer.alloc(0))).msg).toBe('文件为空，请重新选择')
    const large = Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024)])
    expect((await leave(large)).msg).toBe('文件大小不能超过5MB')
    expect((await leave(picture, 'x'.repeat(32))).msg).toBe('注册草稿已过期，请重新上传证照扫描件')
    expect((await leave(picture, "'; drop")).msg).toBe('注册草稿已过期，请重新上传证照扫描件')
    const { info } = await leave(picture)
    const names = [info.name]
    for (let n = 1; n < 10; n++) names.push((await leave(picture, info.draft)).info.name)
    expect((await leave(picture, info.draft)).msg).toBe('上传的文件过多，请关闭窗口后重新填写')
    const phone = '13900003202'
    const verifyCode = await registerCode(server, phone)
    const more = { registrant_phone: phone, social_credit_code: '91320506MA1ABCD202', verifyCode, draft: info.draft }
    expect((await send({ ...more, scans: names.slice(0, 6).join(',') })).msg).toBe('证照扫描件最多5个')
    expect((await send({ ...more, scans: '../../etc' })).msg).toBe('证照扫描件不存在，请重新上传')
    expect((await send({ ...more, draft: 'y'.repeat(32), scans: info.name })).msg).toBe(
      '注册草稿已过期，请重新上传证照扫描件',
    )
    expect((await send({ ...more, scans: info.name })).code).toBe(0)
    const again = { ...more, registrant_phone: '13900003203', social_credit_code: '91320506MA1ABCD203' }
    const code = await registerCode(server, '13900003203')
    expect((await send({ ...again, verifyCode: code, scans: info.name })).msg).toContain('注册草稿已过期')
  })

  it('is limited per address; scans of drafts that are never submitted are deleted', async () => {
    const bytes = picture
    const { info } = await leave(bytes)
    await server.database
      .owner`update registration_draft set at = now() - interval '25 hours' where name = ${info.name}`
    const store = storeOf({ dataDir: server.dataDir } as Config)
    expect(await store.open(info.name)).not.toBeNull()
    await sweepScans(server.database.owner, store)
    expect(await store.open(info.name)).toBeNull()
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await leave(Buffer.from('no'), '', 'x', '198.51.100.9')).status)
    expect(statuses.slice(0, 60).every(status => status === 200)).toBe(true)
    expect(statuses[60]).toBe(429)
  })
})
