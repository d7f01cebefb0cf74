/** A package of device identifiers offered by the regulator: its name, and its bytes on request. */
export type UdiPackage = { readonly title: string; readonly open: () => Promise<AsyncIterable<Buffer>> }
/** Where packages are offered; tests use a fake. */
export type UdiFeed = () => Promise<readonly UdiPackage[]>

const LIST_MS = 20_000
const PACKAGE_MS = 10 * 60_000
const LONGEST_LIST = 2 * 1024 * 1024

const tagIn = (item: string, tag: string): string | null =>
  new RegExp(`<${tag}[^>]*>\\s*(?:<!\\[CDATA\\[)?([^<\\]]+?)(?:\\]\\]>)?\\s*</${tag}>`, 'i').exec(item)?.[1]?.trim() ??
  null

/** Packages of an RSS list with their addresses. A list cannot point to another site than the operator's. */
export function packagesIn(rss: string, base: string): { title: string; address: string }[] {
  if (/<!(DOCTYPE|ENTITY)/i.test(rss)) throw new Error('数据源的列表不能包含DTD声明')
  return [...rss.matchAll(/<item\b[^>]*>([\s\S]*?)<\/item>/gi)].flatMap(([, item = '']) => {
    const title = tagIn(item, 'title')?.replace(/\.zip$/i, '')
    const written = (/<enclosure\b[^>]*\burl="([^"]+)"/i.exec(item)?.[1] ?? tagIn(item, 'link'))?.replaceAll(
      '&amp;',
      '&',
    )
    if (!title || !written || !/^UDID_\w{1,60}$/.test(title)) return []
    const address = URL.canParse(written, base) ? new URL(written, base) : null
    if (address?.origin !== new URL(base).origin)
      throw new Error(`数据源给出了其他站点的地址：${written.slice(0, 100)}`)
    return [{ title, address: address.href }]
  })
}

async function get(address: string, patience: number): Promise<Response> {
  // The operator configured this site and no other: redirects to another are not followed.
  const reply = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patience) })
  if (!reply.ok || !reply.body) throw new Error(`数据源返回${reply.status}`)
  return reply
}

async function textOf(reply: Response): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > LONGEST_LIST) throw new Error('数据源的列表过长')
    parts.push(Buffer.from(part))
  }
  return Buffer.concat(parts).toString('utf8')
}

async function* bytesOf(reply: Response): AsyncGenerator<Buffer> {
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) yield Buffer.from(part)
}

/** The list at the operator's address. */
export const rssFeed =
  (address: string): UdiFeed =>
  async () =>
    packagesIn(await textOf(await get(address, LIST_MS)), address).map(({ title, address: place }) => ({
      title,
      open: async () => bytesOf(await get(place, PACKAGE_MS)),
    }))
