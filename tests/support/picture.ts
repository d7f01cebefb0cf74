import sharp from 'sharp'
import type { Person } from './story.ts'

/** A picture that somebody uploads: gives the name under which papers hold it. */
export async function uploadPicture(who: Person): Promise<string> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#333' } })
    .png()
    .toBuffer()
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const reply = await who.client.raw({
    method: 'POST',
    url: '/v1/file/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
  return reply.json().info.name
}
