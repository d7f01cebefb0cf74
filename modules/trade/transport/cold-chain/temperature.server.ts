import type { logistics } from '#modules/trade/transport/logistics/logistics.doc.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import type { StoredDocument, TypedDocument } from '#server/public/documents.ts'
import { minuteOf } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inOrder, type Reading } from '#modules/trade/transport/cold-chain/recorder-file.ts'
import { recorderTable } from '#modules/trade/transport/cold-chain/recorder-table.ts'
import {
  boundsText,
  commonBounds,
  curveOf,
  gapsIn,
  type Journey,
  judged,
} from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import { happened } from '#modules/trade/transport/logistics/tracking-events.server.ts'
import { type TemperatureBounds, temperatureBounds } from '#modules/base/vocabulary/storage-conditions.ts'
import { fileReader, readForeignFiles } from '#server/public/files.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof logistics>
type Logistics = TypedDocument<typeof logistics>

const recorderFiles = {
  table: recorderTable,
  reader: fileReader<typeof import('./recorder-reading.server.ts').default>(
    new URL('./recorder-reading.server.ts', import.meta.url),
    { mostBytes: 5 * 1024 * 1024 },
  ),
}
const MOST_FILES = 5
/** Other recorders are named up to so many. */
const MOST_NAMED = 5
/** A recorder is started before the lorry leaves and read after it has arrived: so many minutes still count. */
const ROUND_THE_WAY = 10 * 60_000

/** The bounds that all cold goods of a shipment have in common; null where none of them says any. */
export async function boundsOfGoods(tx: Tx, lines: StoredDocument['lines']): Promise<TemperatureBounds | null> {
  const goods = await tx<{ storage_condition: string | null }[]>`
    select distinct p.storage_condition from specification s join product p on p.id = s.product_id
     where s.id = any(${lines.flatMap(line => line.specification_sn ?? [])}::bigint[]) and p.is_cold_chain`
  return commonBounds(goods.map(({ storage_condition }) => temperatureBounds(storage_condition, true)))
}

/** Notifies the people who work with stopped goods that a shipment travelled too warm or too cold. */
export async function notifyQuality(tx: Tx, session: Session, doc: StoredDocument, said: string): Promise<void> {
  await sendMessage(tx, session.org.id, {
    title: '运输异常，请质量人员处理',
    body: `物流单${doc.sn}：${said}`,
    uri: 'logistics',
    objectId: doc.sn,
    kind: session.org.type === 'P' ? 'logistics' : 'stopSale',
    stores: [doc.warehouse_model_inner_sn],
    extra: { kind: 'logistics' },
  })
}

/** `TL-8812` and `tl8812` are one recorder. */
const plainSerial = (serial: string): string => serial.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

type ReadFile = {
  readonly readings: readonly Reading[]
  readonly name: string
  readonly logger_no: string | null
  readonly hasRecorders: boolean
  readonly skipped: number
}

/** Reads files that recorders wrote, or says why one cannot be read. */
export async function readRecorderFiles(
  ctx: ActionContext,
  files: readonly string[],
): Promise<readonly (ReadFile | { readonly refused: string })[]> {
  const found = await readForeignFiles(ctx, files, recorderFiles, null)
  return found.map(({ name, read, refused }) => {
    if (refused) return { refused: refused.message }
    return 'refused' in read ? { refused: `文件【${name}】：${read.refused}` } : { ...read, name }
  })
}

/** The readings of one file by the recorder that the shipment names; refused when other recorders wrote it. */
function readingsOf(ctx: Context, read: ReadFile | { readonly refused: string }): readonly Reading[] {
  if ('refused' in read) throw new BusinessError('rule', read.refused)
  const named = String(ctx.doc.temperature_logger_no ?? '')
  if (named === '') return read.readings
  const isNamed = (logger: string | null) => logger !== null && plainSerial(logger) === plainSerial(named)
  const others = read.hasRecorders ? [...new Set(read.readings.map(({ probe }) => probe))] : [read.logger_no]
  const own = read.hasRecorders ? read.readings.filter(({ probe }) => isNamed(probe)) : read.readings
  const isForeign = read.hasRecorders ? own.length === 0 : read.logger_no !== null && !isNamed(read.logger_no)
  if (isForeign)
    throw new BusinessError(
      'rule',
      `文件【${read.name}】来自记录仪${others.slice(0, MOST_NAMED).join('、')}，与物流单的记录仪${named}不一致`,
    )
  if (own.length < read.readings.length)
    ctx.notes.set(`文件【${read.name}】有${others.length}个记录仪，只读取了记录仪${named}的${own.length}条`, [])
  return read.hasRecorders ? own.map(reading => ({ ...reading, probe: null })) : own
}

const moment = (value: unknown, otherwise: number) => (typeof value === 'string' ? Date.parse(value) : otherwise)

/** From when to when goods travel; where one of them is not known, the journey is open. */
const journeyOf = (doc: Logistics): Journey => ({
  from: moment(doc.departed_at, -Number.POSITIVE_INFINITY),
  to: moment(doc.arrived_at ?? doc.signed_at, Number.POSITIVE_INFINITY),
})

/** The readings of the journey: what a recorder measured in the store before and after is not judged. */
const duringJourney = ({ from, to }: Journey, readings: readonly Reading[]): readonly Reading[] =>
  readings.filter(({ at }) => Date.parse(at) >= from - ROUND_THE_WAY && Date.parse(at) <= to + ROUND_THE_WAY)

async function keep({ tx, session, doc }: ActionContext, readings: readonly Reading[], outside: readonly Reading[]) {
  const org = session.org.id
  const isOut = new Set(outside)
  await tx`delete from temperature_reading where org_id = ${org} and document_id = ${doc.id}`
  const rows = readings.map(reading => ({ ...reading, is_outside: isOut.has(reading) }))
  await tx`
    insert into temperature_reading (org_id, document_id, read_at, reading_no, celsius, humidity, probe, is_outside)
    select d.org_id, d.id, k.at, row_number() over (partition by k.at order by k.celsius), k.celsius, k.humidity,
      k.probe, k.is_outside
      from document d
     cross join jsonb_to_recordset(${tx.json(rows)})
       as k(at timestamptz, celsius numeric, humidity numeric, probe text, is_outside boolean)
     where d.org_id = ${org} and d.id = ${doc.id}`
}

/** The gaps in the data of a journey: rows that could not be read, and stretches without a reading. */
function missingText(
  journey: Journey,
  readings: readonly Reading[],
  files: readonly (ReadFile | { readonly refused: string })[],
): string {
  const skipped = files.reduce((sum, file) => sum + ('skipped' in file ? file.skipped : 0), 0)
  const gaps = gapsIn(readings, journey)
  const longest = Math.max(0, ...gaps)
  return (
    (skipped > 0 ? `，${skipped}行未能读取` : '') +
    (gaps.length > 0 ? `，缺记录${gaps.length}段（最长${Math.round(longest / 60_000)}分钟）` : '')
  )
}

/**
 * 导入温度记录: the files of the recorders are read, kept and drawn. A reading outside the bounds of the goods marks the
 * shipment as abnormal, and notifies quality staff, here and at the customer.
 */
export async function withReadings(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const files = (doc.temperature_record ?? []) as readonly string[]
  if (files.length > MOST_FILES) throw new BusinessError('rule', `一张物流单最多导入${MOST_FILES}个温度记录文件`)
  const read = await readRecorderFiles(ctx, files)
  const journey = journeyOf(doc)
  const readings = duringJourney(journey, inOrder(read.flatMap(file => readingsOf(ctx, file))))
  if (readings.length === 0) throw new BusinessError('rule', '温度记录的时间不在运输期间内，请核对文件和发运时间')
  const bounds = await boundsOfGoods(tx, doc.lines)
  const { low, high, outside } = judged(readings, bounds)
  await keep(ctx, readings, outside)
  const [first] = outside
  const said =
    first && bounds
      ? `在途温度超出${boundsText(bounds)}：${minuteOf(new Date(first.at))}${first.probe ?? ''}为${first.celsius}℃，` +
        `共${outside.length}次，最低${low}℃，最高${high}℃`
      : null
  const wasAbnormal = doc.is_abnormal === true
  const isUnderWay = ['reviewed', 'partial'].includes(doc.state)
  const missing = missingText(journey, readings, read)
  const found = {
    temperature_range: `${low}～${high}℃${said === null ? '' : '，超标'}${missing}`,
    temperature_curve: curveOf(readings),
    temperature_bounds: bounds,
    ...(said === null
      ? {}
      : {
          is_abnormal: true,
          abnormal_type: 'temperature',
          abnormal_note: said.slice(0, 200),
          ...(isUnderWay ? { transport_state: 'abnormal' } : {}),
        }),
  }
  await happened(ctx, {
    text: `导入温度记录${readings.length}条：${low}～${high}℃${said === null ? '' : '，有超标'}${missing}`,
    values: found,
    notice: said,
  })
  if (said !== null && !wasAbnormal) await notifyQuality(tx, session, doc, said)
}
