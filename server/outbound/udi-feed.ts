import { readFile } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'
import { mostMovieBytes } from '#server/files/kinds.ts'
import { boundedFetch } from '#server/network/bounded-fetch.ts'

/** A package of device identifiers offered by the regulator: its name, and its bytes on request. */
export type UdiPackage = { readonly title: string; readonly open: () => Promise<AsyncIterable<Buffer>> }
/** The list of packages on offer; tests use a fake. */
export type UdiFeed = () => Promise<readonly UdiPackage[]>

const LIST_MS = 20_000
const PACKAGE_MS = 10 * 60_000
const LONGEST_LIST = 2 * 1024 * 1024

const listFile = fileReader<typeof import('#server/file-readers/package-list.reader.ts').default>(
  new URL('../file-readers/package-list.reader.ts', import.meta.url),
  { mostBytes: LONGEST_LIST },
)

/** Packages of an RSS list with their addresses. A list cannot point to another site than the operator's. */
export async function packagesIn(rss: Buffer, base: string): Promise<{ title: string; address: string }[]> {
  const items = await readFile(listFile, rss, undefined, { person: 'udi', organisation: 'platform' })
  return items.flatMap(({ title, address: written }) => {
    if (!/^UDID_\w{1,60}$/.test(title)) return []
    const address = URL.canParse(written, base) ? new URL(written, base) : null
    if (address?.origin !== new URL(base).origin)
      throw new Error(`数据源给出了其他站点的地址：${written.slice(0, 100)}`)
    return [{ title, address: address.href }]
  })
}

async function get(address: string, patience: number, mostBytes: number): Promise<Response> {
  const reply = await boundedFetch(address, { mostBytes, signal: AbortSignal.timeout(patience) })
  if (!reply.ok || !reply.body) throw new Error(`数据源返回${reply.status}`)
  return reply
}

async function* bytesOf(reply: Response): AsyncGenerator<Buffer> {
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) yield Buffer.from(part)
}

/** The list at the operator's address. */
export const rssFeed =
  (address: string): UdiFeed =>
  async () =>
    (await packagesIn(Buffer.from(await (await get(address, LIST_MS, LONGEST_LIST)).arrayBuffer()), address)).map(
      ({ title, address: place }) => ({
        title,
        open: async () => bytesOf(await get(place, PACKAGE_MS, mostMovieBytes)),
      }),
    )
