import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { type FileStore, type Received, receiveFile } from '#server/public/files.ts'
import { askOutbound, type Carrier, carrierOf, type UdiFeed } from '#server/public/outbound.ts'
import { inOrganisation } from '#server/public/database.ts'

const SYSTEM = 'udi'
const BY = '系统自动'

/**
 * Once a day, if a source is set: requests what the regulator published. A failed attempt is listed among the
 * platform's calls and is repeated.
 */
export async function askForPackages(owner: Sql): Promise<void> {
  if (!carrierOf(SYSTEM)) return
  const [platform] = await owner<
    { id: string }[]
  >`select id from organisation where system_type = 0 order by id limit 1`
  if (!platform) return
  await inOrganisation(owner, platform.id, '0', async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('udi feed'))`
    const [asked] = await tx`
      select 1 from outbound_call where org_id = ${platform.id} and system = ${SYSTEM} and object_no = ${today()}
        limit 1`
    if (asked) return
    await askOutbound(tx, platform.id, {
      system: SYSTEM,
      name: 'FetchPackages',
      subject: 'UDI数据包',
      objectNo: today(),
      payload: {},
      request: JSON.stringify({ day: today() }),
    })
  })
}

/** Stores every package not here yet, oldest first, to be read in the background: a missed day comes with the next. */
export const udiCarrier =
  (owner: Sql, store: FileStore, feed: UdiFeed): Carrier =>
  async () => {
    const offered = await feed()
    const known = await owner<{ title: string }[]>`
      select title from udi_file where title = any(${offered.map(({ title }) => `${title}.zip`)})`
    const fresh = offered
      .filter(({ title }) => !known.some(row => row.title === `${title}.zip`))
      .toSorted((one, other) => (one.title < other.title ? -1 : 1))
    for (const { title, open } of fresh) {
      const file = await receiveFile(store, await open(), `${title}.zip`, { extensions: ['zip'], mostBytes: Infinity })
      if (!(await storePackage(owner, file))) await store.remove(file.name)
    }
    return { text: fresh.length === 0 ? '没有新的数据包' : `新的数据包：${fresh.map(({ title }) => title).join('、')}` }
  }

/** Another process may have fetched the same one meanwhile: it is stored once. */
const storePackage = (owner: Sql, file: Received): Promise<boolean> =>
  owner.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('udi feed'))`
    const created = await tx`
      insert into udi_file (files, title, created_by, bytes_total)
      select ${[file.name]}, ${file.original_name}, ${BY}, ${file.size}
        where not exists (select 1 from udi_file where title = ${file.original_name}) returning id`
    if (created.length === 0) return false
    await tx`
      insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by, is_shared)
      select id, ${file.name}, ${file.original_name}, ${file.content_type}, ${file.size}, ${file.digest}, 0, true
        from organisation where system_type = 0 order by id limit 1`
    return true
  }) as Promise<boolean>
