import type { Sql, TransactionSql } from 'postgres'
import { isDay } from '#kernel/values/date.ts'
import { isGtin } from '#kernel/codes/check-digit.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { catalogueOf } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import type { UdiRecord } from '#modules/trade/catalogue/udi/udi-record.ts'
import { fileReader, readInPieces } from '#server/public/files.ts'
import type { FileStore } from '#server/public/files.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { takeOver } from '#modules/trade/catalogue/udi/udi-adoption.server.ts'
import { checkPacks } from '#modules/trade/catalogue/udi/udi-packaging.server.ts'
import type { RecordRules } from '#server/public/records.ts'
import { inOrganisation } from '#server/public/database.ts'

const CHUNK = 500
/**
 * The size in bytes of the pieces in which a package is sent to a worker, so that a piece's unpacked content fits into
 * one answer.
 */
const PIECE = 16 * 1024
const packageFile = fileReader<typeof import('./udi-package.server.ts').default>(
  new URL('./udi-package.server.ts', import.meta.url),
)

/** The devices of a package of any size, as they are read; `read` gets the number of bytes done. */
export async function* devicesOf(bytes: AsyncIterable<Buffer>, read: (done: number) => void) {
  let done = 0
  async function* counted() {
    for await (const chunk of bytes)
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE)
        yield piece
        read((done += piece.length))
      }
  }
  yield* readInPieces(packageFile, counted(), undefined, { person: 'udi', organisation: 'platform' })
}

/** A job silent for this long is assumed to have died with its process. */
const SILENCE = '5 minutes'

const yes = (text: string | null): boolean | null =>
  text === null ? null : text === '是' || text === '1' || /^true$/i.test(text)
const dayIn = (text: string | null): string | null => {
  const written = text?.slice(0, 10) ?? null
  return isDay(written) ? written : null
}
const wholeIn = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? parseInteger(text) : null

/** A record as stored in the table; null if it lacks its key fields. */
export function rowOf(record: UdiRecord) {
  const of = (name: string): string | null => record.said[name] ?? null
  const [key, di] = [of('deviceRecordKey'), of('zxxsdycpbs')]
  if (key === null || di === null || (/^\d+$/.test(di) && !isGtin(di))) return null
  return {
    record_key: key,
    version_number: wholeIn(of('versionNumber')) ?? 1,
    version_time: dayIn(of('versionTime')),
    published_on: dayIn(of('cpbsfbrq')),
    primary_di: /^\d{8,13}$/.test(di) ? di.padStart(14, '0') : di,
    product_name: of('cpmctymc'),
    trade_name: of('spmc'),
    specification: of('ggxh'),
    catalogue_no: of('cphhhbh'),
    certificate_no: of('zczbhhzbapzbh'),
    registrant: of('ylqxzcrbarmc'),
    credit_code: of('tyshxydm'),
    class_code: of('flbm'),
    device_class: of('qxlb'),
    insurance_code: of('ybbm'),
    is_kit: yes(of('sfwblztlcp')),
    is_single_use: yes(of('sfbjwycxsy')),
    is_sterile: yes(of('sfwwjbz')),
    lot_on_label: yes(of('scbssfbhph')),
    serial_on_label: yes(of('scbssfbhxlh')),
    made_on_label: yes(of('scbssfbhscrq')),
    expiry_on_label: yes(of('scbssfbhsxrq')),
    delisted_on: dayIn(of('tsrq')),
    use_unit_di: of('sydycpbs'),
    use_units: wholeIn(of('zxxsdyzsydydsl')),
    packs: record.packs,
  }
}
type UdiRow = NonNullable<ReturnType<typeof rowOf>>

const columns = `record_key text, version_number int, version_time date, published_on date, primary_di text,
  product_name text, trade_name text, specification text, catalogue_no text, certificate_no text,
  registrant text, credit_code text, class_code text, device_class text, insurance_code text, is_kit boolean,
  is_single_use boolean, is_sterile boolean, lot_on_label boolean, serial_on_label boolean,
  made_on_label boolean, expiry_on_label boolean, delisted_on date, use_unit_di text, use_units int, packs jsonb`
const names = columns.replace(/ (text|int|date|boolean|jsonb)/g, '')

type Counts = { added: number; renewed: number; unchanged: number; rejected: number }

/**
 * Which version of each record is current, and from when to when each was valid; an identifier belongs to one record
 * at a time, the one published last. All records that ever named an identifier of a touched record are recomputed
 * with it, so the order of arrival does not matter.
 */
async function settleCurrent(tx: TransactionSql, touched: readonly string[]): Promise<void> {
  if (touched.length === 0) return
  const rows = await tx<{ record_key: string; primary_di: string }[]>`
    select distinct o.record_key, o.primary_di from udi_device o
     where o.primary_di in (select d.primary_di from udi_device d where d.record_key = any(${touched as string[]}))`
  const keys = [...new Set(rows.map(row => row.record_key))]
  await tx`
    update udi_device d set is_current = x.is_last, begins_on = x.begins, ends_on = x.ends
      from (select id, row_number() over w = 1 as is_last, coalesce(version_time, published_on) as begins,
                   (lag(coalesce(version_time, published_on)) over w) as ends
              from udi_device
                where record_key = any(${keys}) window w as (partition by record_key order by version_number desc)) x
     where d.id = x.id and (d.is_current, d.begins_on, d.ends_on) is distinct from (x.is_last, x.begins, x.ends)`
  await tx`
    update udi_device d set is_current = false
     where d.is_current
       and d.primary_di in (select k.primary_di from udi_device k where k.record_key = any(${keys}) and k.is_current)
       and exists (select 1 from udi_device o where o.primary_di = d.primary_di and o.is_current
         and o.record_key <> d.record_key
                      and (coalesce(o.published_on, date '1900-01-01'),
                        o.record_key) > (coalesce(d.published_on, date '1900-01-01'), d.record_key))`
}

/** A chunk in a transaction of its own. Versions come in any order. */
export async function keepChunk(owner: Sql, records: readonly UdiRecord[]): Promise<Counts & { dis: string[] }> {
  const read = records.map(rowOf)
  const good = read.filter((row): row is UdiRow => row !== null)
  const rejected = read.length - good.length
  if (good.length === 0) return { added: 0, renewed: 0, unchanged: 0, rejected, dis: [] }
  return owner.begin(async tx => {
    const kept = await tx<{ record_key: string; primary_di: string; known: boolean }[]>`
      with sent as (select distinct on (record_key, version_number) *
        from jsonb_to_recordset(${tx.json(good)}::jsonb) r(${tx.unsafe(columns)}) order by record_key,
        version_number),
      known as (select distinct d.record_key from udi_device d join sent on sent.record_key = d.record_key),
      made as (insert into udi_device (${tx.unsafe(names)}) select ${tx.unsafe(names)}
        from sent on conflict (record_key, version_number) do nothing returning record_key, primary_di)
      select m.record_key, m.primary_di, k.record_key is not null as known from made m left
        join known k on k.record_key = m.record_key`
    await settleCurrent(tx, [...new Set(kept.map(row => row.record_key))])
    const renewed = kept.filter(row => row.known).length
    return {
      added: kept.length - renewed,
      renewed,
      unchanged: good.length - kept.length,
      rejected,
      dis: kept.map(row => row.primary_di),
    }
  }) as Promise<Counts & { dis: string[] }>
}

/**
 * Reads the next waiting package to its end, reporting progress; if interrupted, it is read again from the beginning
 * and changes nothing twice.
 */
export async function importWaiting(owner: Sql, store: FileStore): Promise<void> {
  await checkPacks(owner)
  const [job] = await owner<{ id: string; files: string[]; created_at: Date }[]>`
    update udi_file set state = 'running', touched_at = now(), rows_done = 0, bytes_done = 0, added = 0, renewed = 0,
      unchanged = 0, rejected = 0, concerned = 0, packs_wrong = 0, error = null
     where id = (select id from udi_file
       where state = 'waiting' or (state = 'running' and touched_at < now() - ${SILENCE}::interval) order by id
       limit 1 for update skip locked)
    returning id, files, created_at`
  if (!job) return
  const counted: Counts = { added: 0, renewed: 0, unchanged: 0, rejected: 0 }
  try {
    const bytes = await store.open(job.files[0] ?? '')
    if (!bytes) throw new BusinessError('notFound', '数据文件不存在，请重新上传')
    let [rows, done] = [0, 0]
    let chunk: UdiRecord[] = []
    const flush = async () => {
      const { dis, ...more } = await keepChunk(owner, chunk)
      rows += chunk.length
      chunk = []
      for (const name of Object.keys(counted) as (keyof Counts)[]) counted[name] += more[name]
      await owner`
        update udi_file set rows_done = ${rows}, bytes_done = ${done}, added = ${counted.added},
          renewed = ${counted.renewed}, unchanged = ${counted.unchanged}, rejected = ${counted.rejected},
          touched_at = now()
         where id = ${job.id}`
      return dis
    }
    for await (const devices of devicesOf(bytes as AsyncIterable<Buffer>, packed => (done = packed)))
      for (const device of devices) {
        chunk.push(device)
        if (chunk.length >= CHUNK) await flush()
      }
    await flush()
    if (rows === 0) throw new BusinessError('invalid', '压缩包里没有UDI数据文件')
    await checkPacks(owner)
    const concerned = await sendUpdateToHolders(owner, job.created_at)
    const wrong = owner`(select count(*)::int from udi_pack k join udi_device d on d.id = k.udi_device_id
      where d.at >= ${job.created_at} and k.problem is not null)`
    await owner`update udi_file set state = 'done', bytes_done = bytes_total, concerned = ${concerned},
      packs_wrong = ${wrong}, ended_at = now(), version = version + 1 where id = ${job.id}`
  } catch (error) {
    const said = error instanceof BusinessError ? error.message : '读取失败，请重新导入'
    await owner`update udi_file set state = 'failed', error = ${said}, ended_at = now(), version = version + 1
      where id = ${job.id}`
    if (!(error instanceof BusinessError)) throw error
  }
}

/**
 * Holders of goods for which the regulator's data changed are notified once for the whole file; returns how many
 * specifications are concerned.
 */
async function sendUpdateToHolders(owner: Sql, since: Date): Promise<number> {
  const rows = await owner<{ org_id: string; sizes: number; ids: string[] }[]>`
    select b.org_id, count(distinct b.specification_id)::int as sizes,
      array_agg(distinct b.specification_id::text) as ids
      from udi_difference x join udi_device u on u.id = x.udi_device_id and u.at >= ${since}
        join stock_balance b on b.specification_id = x.specification_id and b.quantity > 0
     group by b.org_id order by b.org_id`
  for (const { org_id: org, sizes } of rows)
    await inOrganisation(owner, org, '0', tx =>
      sendMessage(tx, org, {
        title: 'UDI数据有变化',
        body: `在库的${sizes}个规格与最新UDI数据不一致，请核对`,
        uri: `/ptm/productReleased?tab=${encodeURIComponent('UDI差异')}`,
        objectId: '',
        kind: 'product',
        type: 'audit',
      }),
    )
  return new Set(rows.flatMap(row => row.ids)).size
}

export const udiFileRules: RecordRules = {
  kind: 'udiFile',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    progress: tx`(case when t.state = 'done' then 1 when t.bytes_total = 0 then 0
      else least(t.bytes_done::numeric / t.bytes_total, 0.99) end)::numeric(5,2)`,
  }),
  mayWrite(_session, action, row) {
    if (action === 'edit') throw new BusinessError('forbidden', '数据文件不能修改，请重新上传')
    if (row?.state === 'running') throw new BusinessError('wrongState', '正在导入，请等待导入完成')
    if (action === 'again' && row?.state !== 'failed')
      throw new BusinessError('wrongState', '只有失败的导入可以重新开始')
  },
  async check(tx, session, change) {
    const files = (change.after.files as string[] | null) ?? []
    const [file] = await tx<
      { original_name: string; size: string }[]
    >`select original_name, size from stored_file where name = ${files[0] ?? ''}`
    if (files.length !== 1 || !file || !/\.zip$/i.test(files[0] ?? ''))
      return [{ field: 'files', msg: '请上传一个UDID开头的zip数据包' }]
    Object.assign(change.after, { title: file.original_name, created_by: session.userName })
    return []
  },
  alsoWrites: async (tx, _session, change) => {
    const [file] = await tx<
      { size: string }[]
    >`select size from stored_file where name = ${(change.after.files as string[])[0] ?? ''}`
    return { bytes_total: parseInteger(file?.size ?? 0) }
  },
  actions: { again: async () => ({ state: 'waiting', error: null }) },
}

export const udiDeviceRules: RecordRules = {
  kind: 'udiDevice',
  columns: tx => ({
    our_product: tx`(select p.name || ' ' || s.name from specification s join product p on p.id = s.product_id
      where s.udi_di = t.primary_di limit 1)`,
  }),
}

export const udiDifferenceRules: RecordRules = {
  kind: 'udiDifference',
  calls: { takeOver },
  visible: (tx, session) =>
    session.org.type === 'P' ? tx`true` : tx`t.specification_id in (${catalogueOf(tx, session)})`,
  columns: (tx, session) => ({
    stock: tx`(select coalesce(sum(b.quantity), 0) from stock_balance b
      where b.org_id = ${session.org.id} and b.specification_id = t.specification_id)::numeric(18,3)`,
  }),
}
