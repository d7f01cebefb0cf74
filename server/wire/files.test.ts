import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type House, openHouse } from '../../tests/support/house.ts'

let house: House
let hospital: Client
let picture: Buffer
beforeAll(async () => {
  house = await openHouse()
  hospital = await house.as('hospital')
  picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#0c7f79' } })
    .png()
    .toBuffer()
}, 60_000)
afterAll(() => house?.close())

const LINE = '\r\n'
async function upload(client: Client, name: string, bytes: Buffer) {
  const head = `--x${LINE}content-disposition: form-data; name="file"; filename="${name}"${LINE}content-type: application/octet-stream${LINE}${LINE}`
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
  it('is kept under a name that says nothing, and comes back whole under the name it had', async () => {
    const { info } = await upload(hospital, '验收照片.png', picture)
    expect(info).toMatchObject({ original_name: '验收照片.png', content_type: 'image/png', size: picture.length })
    expect(info.name).toMatch(/^[\w-]{22}\.png$/)
    const reply = await hospital.raw({ method: 'GET', url: `/file/${info.name}` })
    expect(reply.rawPayload.equals(picture)).toBe(true)
    expect(reply.headers['content-disposition']).toContain(encodeURIComponent('验收照片.png'))
    expect((await hospital.get('/v1/file/info', { names: info.name })).list).toHaveLength(1)
  })

  it('has thumbnails of 200 pixels, or as many as asked for', async () => {
    const name = await kept()
    for (const [asked, width] of [
      ['-', 200],
      ['-64', 64],
      ['-9999', 640],
    ] as const) {
      const reply = await hospital.raw({ method: 'GET', url: `/file/${name}${asked}` })
      expect((await sharp(reply.rawPayload).metadata()).width, asked).toBe(width)
    }
  })

  it('of another organisation, or of nobody, does not exist', async () => {
    const name = await kept()
    const dealer = await house.as('dealer')
    expect((await dealer.get(`/file/${name}`)).code).toBe(2106)
    expect((await dealer.get(`/file/${name}-64`)).code).toBe(2106)
    expect((await dealer.get('/v1/file/info', { names: name })).list).toEqual([])
    expect((await house.stranger.raw({ method: 'GET', url: `/file/${name}` })).statusCode).toBe(401)
    for (const trick of ['..%2f..%2fpg.secret', '%00.png', `${name}-x`, 'a'.repeat(22), `${name}%2f..`])
      expect((await hospital.raw({ method: 'GET', url: `/file/${trick}` })).json().code, trick).not.toBe(0)
  })

  it('is what its first bytes say, whatever it calls itself', async () => {
    const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    expect((await upload(hospital, 'a.png', page)).msg).toMatch(/^不支持这种文件/)
    expect((await upload(hospital, 'a.zip', Buffer.from('PK\u0003\u0004 and so on'))).msg).toMatch(/^不支持这种文件/)
    expect((await upload(hospital, 'a.png', Buffer.alloc(0))).msg).toBe('文件是空的，请重新选择')
    const disguised = await upload(
      hospital,
      '../../报告.exe',
      Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(100)]),
    )
    expect(disguised.info.name).toMatch(/\.pdf$/)
  })

  it('that is too large is refused, and nothing of it stays', async () => {
    const reply = await upload(
      hospital,
      'a.pdf',
      Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(21 * 1024 * 1024)]),
    )
    expect(reply.msg).toBe('文件不能超过20MB')
  })

  it('that is no picture after all has no thumbnail, and breaks nothing', async () => {
    const { info } = await upload(hospital, 'a.png', Buffer.from('\u0089PNG and nothing behind it', 'latin1'))
    expect((await hospital.get(`/file/${info.name}-64`)).code).toBe(2106)
  })
})

describe('a paper or a record', () => {
  it('names only files that its organisation has', async () => {
    const dealer = await house.as('dealer')
    const name = await kept()
    const paper = { warehouse_model_inner_sn: null, attachments: [name], lines: [] }
    expect((await dealer.post('/v1/business/otherGrn/add', paper)).msg).toBe('【附件】中的文件不存在，请重新上传')
    expect((await hospital.post('/v1/business/otherGrn/add', paper)).code).toBe(0)
  })
})
