import { parseCode } from '#kernel/codes/parse-code.ts'
import { today } from '#kernel/values/date.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { lotsOfLines } from '#server/public/actions.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import { type LabelReading, readingsOf, type StoredLine } from '#server/public/documents.ts'
import { pipelined } from '#server/public/database.ts'

type Read = { readonly line: StoredLine; readonly code: string; readonly di: string; readonly serial: string | null }
/** The owner of a device identifier: the catalogue's goods, or those to which the organisation assigned it. */
type Owner = { readonly di: string; readonly specification_id: string; readonly goods: string; readonly rank: number }
type Known = {
  readonly owners: readonly Owner[]
  readonly readings: ReadonlyMap<string, LabelReading>
  /** The lots printed on labels that differ from those of their lines. */
  readonly lotOf: Awaited<ReturnType<typeof lotsOfLines>>
  readonly own: ReadonlyMap<string, string | null>
  readonly made: ReadonlySet<string>
}

/** Codes of lines that name a product by a standard. An organisation's own codes do not contain their goods. */
const readCodes = ({ doc }: ActionContext): Read[] =>
  doc.lines.flatMap(line =>
    line.unit_codes.flatMap((code): Read[] => {
      const read = parseCode(code, { today: today() })
      return read.ok && read.di && !read.candidates ? [{ line, code, di: read.di, serial: read.serial }] : []
    }),
  )

/**
 * The catalogue takes precedence over an organisation's own codes, so that nobody can assign a maker's identifier to
 * other goods.
 */
const ownersOf = ({ tx, session }: ActionContext, dis: readonly string[]) => tx<Owner[]>`
  select x.di, coalesce(s.mapped_to_id, s.id) as specification_id, p.name || ' ' || s.name as goods,
    min(x.rank)::int as rank
    from (
      select udi_di as di, id, 1 as rank from specification where udi_di = any(${dis as string[]})
       union all select udi_di, specification_id, 1 from pack_unit where udi_di = any(${dis as string[]})
       union all select code, specification_id, case when for_everybody then 1 else 2 end from product_barcode
        where code = any(${dis as string[]}) and status = 'enabled'
          and (org_id = ${session.org.id} or for_everybody)) x
    join specification s on s.id = x.id join product p on p.id = s.product_id
   group by 1, 2, 3`

/**
 * Lots whose pieces here were made by another organisation, code by code: a piece that it did not make does not exist.
 */
const madeElsewhere = ({ tx, session }: ActionContext, lots: readonly string[]) => tx<{ lot_id: string }[]>`
  select distinct e.lot_id from trace_event e
   where e.lot_id = any(${lots as string[]}::bigint[]) and e.step = 'produce' and e.unit_id > 0
     and e.org_id <> ${session.org.id}`

async function known(ctx: ActionContext, codes: readonly Read[]): Promise<Known> {
  const { tx, session } = ctx
  const ids = [...new Set(codes.flatMap(({ line }) => line.specification_sn ?? []))]
  const lots = [...new Set(codes.flatMap(({ line }) => line.lot_id ?? []))]
  const [owners, readings, own, units, made] = await pipelined([
    ownersOf(ctx, [...new Set(codes.map(({ di }) => di))]),
    readingsOf(
      tx,
      session.org.id,
      codes.map(({ code }) => code),
    ),
    tx<{ id: string; stands: string; di: string | null }[]>`
      select id, coalesce(mapped_to_id, id) as stands, udi_di as di from specification
       where id = any(${ids}::bigint[])`,
    tx<{ bare: string }[]>`select bare from unit_code where bare = any(${codes.map(({ code }) => code)})`,
    madeElsewhere(ctx, lots),
  ])
  const printed = new Map(readings.map(reading => [reading.bare, reading]))
  const lotOf = await lotsOfLines(
    tx,
    codes.flatMap(({ line, code }) => {
      const lot_no = printed.get(code)?.lot_no
      return lot_no && lot_no !== line.lot_no ? [{ specification_sn: line.specification_sn, lot_no }] : []
    }),
  )
  const born = new Set(units.map(({ bare }) => bare))
  const maker = new Set(made.map(({ lot_id }) => lot_id))
  return {
    owners,
    readings: printed,
    lotOf,
    own: new Map(own.flatMap(({ id, stands, di }) => [[id, di] as const, [`stands/${id}`, stands] as const])),
    made: new Set(
      codes.filter(({ code, line }) => !born.has(code) && maker.has(line.lot_id ?? '')).map(({ code }) => code),
    ),
  }
}

/** The difference between the goods of a code and those of its line. */
function otherGoods({ line, di }: Read, { owners, own }: Known): string | null {
  const named = owners.filter(owner => owner.di === di)
  const best = Math.min(...named.map(owner => owner.rank))
  const right = named.filter(owner => owner.rank === best)
  const stands = own.get(`stands/${line.specification_sn}`)
  if (right.some(owner => owner.specification_id === stands)) return null
  if (right[0]) return `产品标识${di}属于【${right[0].goods}】`
  const mine = own.get(line.specification_sn ?? '')
  return mine ? `产品标识为${di}，应为${mine}` : null
}

/** The differences between a line and the label of a piece on it. */
function otherLabel({ line, code }: Read, { readings, lotOf }: Known): string[] {
  const label = readings.get(code)
  const lot =
    label && (lotOf({ specification_sn: line.specification_sn, lot_no: label.lot_no })?.lot_no ?? label.lot_no)
  const differs = (what: string, printed: string | null | undefined, written: string | null) =>
    printed && printed !== written ? [`${what}为${printed}，明细为${written ?? '空'}`] : []
  return [
    ...differs('批号', lot, line.lot_no),
    ...differs('有效期至', label?.expiry_date, line.expiry_date),
    ...differs('生产日期', label?.production_date, line.production_date),
  ]
}

function wrongWith(read: Read, facts: Known): string | null {
  if (read.serial === null) return '没有序列号，不是单品码，请扫描单品上的条码，或不填院内码'
  const goods = otherGoods(read, facts)
  const differences = [...(goods ? [goods] : []), ...otherLabel(read, facts)]
  if (differences.length > 0) return `与明细不符：${differences.join('；')}`
  return facts.made.has(read.code) ? '不是生产厂家在该批号下生产的序列号，请核对实物' : null
}

/** Checks an incoming code against its line: goods, lot and dates as printed, and a serial number of its own. */
async function checkArrivingCodes(ctx: ActionContext): Promise<void> {
  if (ctx.definition.posting.stockDirection !== 'in') return
  const codes = readCodes(ctx)
  if (codes.length === 0) return
  const facts = await known(ctx, codes)
  const problems = codes.flatMap((read): Problem[] => {
    const wrong = wrongWith(read, facts)
    if (wrong === null) return []
    const msg = `第${read.line.line_no}行：条码${read.code}${wrong}`
    return [{ field: 'unit_codes', line: read.line.line_no, msg }]
  })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}

export const arrivingCodesCheck: ActionCheck = { check: checkArrivingCodes }
