import { afterEach, expect, it, vi } from 'vitest'
import { packagesIn, rssFeed } from './udi-feed.ts'

const base = 'https://udi.example.cn/rss/download.html?files=daily'
const item = (title: string, link: string) => `<item><title><![CDATA[${title}]]></title><link>${link}</link></item>`
afterEach(() => vi.unstubAllGlobals())

it('packages are those of the list, only at the operator’s own site', async () => {
  const rss =
    `<rss>${item('UDID_DAY_UPDATE_20261101', '/down?file=1&amp;t=2')}${item('通知', '/news')}<item><title>` +
    'UDID_DAY_UPDATE_20261102.zip</title><enclosure url="https://udi.example.cn/2.zip"/></item></rss>'
  expect(await packagesIn(Buffer.from(rss), base)).toEqual([
    { title: 'UDID_DAY_UPDATE_20261101', address: 'https://udi.example.cn/down?file=1&t=2' },
    { title: 'UDID_DAY_UPDATE_20261102', address: 'https://udi.example.cn/2.zip' },
  ])
  for (const link of ['http://169.254.169.254/latest', 'http://udi.example.cn/1.zip', 'file:///etc/passwd'])
    await expect(packagesIn(Buffer.from(item('UDID_DAY_UPDATE_20261101', link)), base)).rejects.toThrow(
      '数据源给出了其他站点的地址',
    )
  await expect(packagesIn(Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]>'), base)).rejects.toThrow(
    '数据文件不能包含DTD声明',
  )
})

it('redirects to another site are not followed', async () => {
  const asked: [string, string | undefined][] = []
  vi.stubGlobal('fetch', (address: string, options: RequestInit) => {
    asked.push([address, options.redirect])
    return Promise.resolve(new Response(address === base ? item('UDID_DAY_UPDATE_20261101', '/1.zip') : 'zip'))
  })
  const [found] = await rssFeed(base)()
  const parts: Buffer[] = []
  for await (const part of await found!.open()) parts.push(part)
  expect(Buffer.concat(parts).toString()).toBe('zip')
  expect(asked).toEqual([
    [base, 'error'],
    ['https://udi.example.cn/1.zip', 'error'],
  ])
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('x', { status: 502 })))
  await expect(rssFeed(base)()).rejects.toThrow('数据源返回502')
})
