import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import type { Person } from './story.ts'

/** Uploads a picture; returns the name under which documents store it. */
export async function uploadPicture(who: Person): Promise<string> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#333' } })
  return uploadFile(who, 'a.png', await picture.png().toBuffer())
}

/** Who of them may open the file: the reply is 200, or that it does not exist. */
export const openedBy = (name: string, ...people: readonly Person[]): Promise<number[]> =>
  Promise.all(
    people.map(async who => {
      const reply = await who.client.raw({ method: 'GET', url: `/file/${name}` })
      return reply.headers['content-type'] === 'image/png' ? 200 : 404
    }),
  )

/** Uploads a scan with this many pages. */
export async function uploadPdf(who: Person, pages: number): Promise<string> {
  const pdf = await PDFDocument.create()
  for (let page = 0; page < pages; page++)
    pdf.addPage([595, 842]).drawRectangle({ x: 10, y: 10, width: 50, height: 50 })
  return uploadFile(who, 'a.pdf', Buffer.from(await pdf.save()))
}

/** Number of pictures on each page of a PDF: a watermark is one. */
export const picturesOnPages = async (bytes: Buffer): Promise<number[]> =>
  (await PDFDocument.load(bytes)).getPages().map(
    page =>
      page.node
        .Resources()
        ?.toString()
        .match(/\/Image-\d+ /g)?.length ?? 0,
  )

export async function uploadFile(who: Person, name: string, bytes: Buffer): Promise<string> {
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const reply = await who.client.raw({
    method: 'POST',
    url: '/v1/file/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
  return reply.json().info.name
}
