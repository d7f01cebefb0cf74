import { documentOf } from '#kernel/registry.ts'
import type { LotDates } from '#kernel/rules/lot-dates.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { type Day, dayOf } from '#kernel/values/date.ts'
import { compareIds } from '#kernel/values/order.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** A lot and the dates that a line gives it. */
export type DatedLot = LotDates & {
  readonly lot_id: string
  readonly specification_id: string
  readonly lot_no: string
  readonly line_no?: number
}
/** A date that a line types otherwise than somebody else has it. */
export type Difference = { readonly field: keyof LotDates; readonly typed: Day | null; readonly known: Day | null }
/** The dates that an organisation keeps for a lot, and which of its documents says so: who wrote that, and when. */
export type KeptDates = LotDates & {
  readonly lot_id: string
  readonly kind: string | null
  readonly sn: string | null
  readonly written_by: string | null
  readonly written_at: string | null
}

export const dateNames: Readonly<Record<keyof LotDates, string>> = {
  expiry_date: '有效期至',
  production_date: '生产日期',
}
export const saidDay = ({ field }: Difference, day: Day | null): string =>
  day ?? (field === 'expiry_date' ? '无有效期' : '空')

/**
 * The differences between typed dates and known ones. A day of production is often left out: a missing one never
 * differs.
 */
export function differences(typed: LotDates, known: LotDates): Difference[] {
  const { production_date: made } = typed
  return [
    ...(typed.expiry_date === known.expiry_date
      ? []
      : [{ field: 'expiry_date' as const, typed: typed.expiry_date, known: known.expiry_date }]),
    ...(made === null || known.production_date === null || made === known.production_date
      ? []
      : [{ field: 'production_date' as const, typed: made, known: known.production_date }]),
  ]
}

/** The dates that the organisation keeps for these lots, with where they come from. */
export async function keptDates(tx: Tx, org: string, lots: readonly string[]): Promise<ReadonlyMap<string, KeptDates>> {
  if (lots.length === 0) return new Map()
  const rows = await tx<KeptDates[]>`
    select lot_id, production_date, expiry_date, kind, sn, written_by, written_at from stock_lot_origin
     where org_id = ${org} and lot_id = any(${[...new Set(lots)]}::bigint[]) and not is_taken_back`
  return new Map(rows.map(row => [row.lot_id, row]))
}

/** 张三于2026-11-01在期初库存QC26110001中登记. */
export function originSaid({ kind, sn, written_by, written_at }: KeptDates): string {
  if (kind === null || written_at === null) return '已登记'
  return `${written_by ?? '系统'}于${dayOf(new Date(written_at))}在${documentOf(kind)?.title ?? kind}${sn ?? ''}中登记`
}

/** The refusal of lines whose lots the organisation has with other dates. */
export function refuseOtherDates(lots: readonly DatedLot[], kept: ReadonlyMap<string, KeptDates>): void {
  const problems = lots.flatMap((lot): Problem[] => {
    const own = kept.get(lot.lot_id)
    return (own ? differences(lot, own) : []).map(difference => {
      const { field, typed, known } = difference
      const msg =
        `批号${lot.lot_no}的${dateNames[field]}应为${saidDay(difference, known)}（${originSaid(own!)}），` +
        `本单为${saidDay(difference, typed)}，请核对实物标签：本单有误请修改，` +
        '本单位登记有误请到【批号效期核对】更正或退回'
      return lot.line_no === undefined
        ? { field, msg }
        : { field, line: lot.line_no, msg: `第${lot.line_no}行：${msg}` }
    })
  })
  if (problems[0]) throw new BusinessError('rule', problems[0].msg, problems)
}

/**
 * Lot dates are kept per keeper; other dates for a known lot are refused. Where everything that brought the lot was
 * taken back, its dates are typed anew; a day of production that was left out is filled in.
 */
export async function keepLotDates(tx: Tx, org: string, lots: readonly DatedLot[]): Promise<void> {
  if (lots.length === 0) return
  const once = [...new Map(lots.map(lot => [lot.lot_id, lot])).values()].sort((a, b) => compareIds(a.lot_id, b.lot_id))
  const written = tx`
    with wrote as (
      insert into stock_lot (org_id, lot_id, specification_id, production_date, expiry_date)
      select ${org}::bigint, k.lot_id, k.specification_id, k.production_date, k.expiry_date
        from jsonb_to_recordset(${tx.json(once)}) as k(lot_id bigint, specification_id bigint,
          production_date date, expiry_date date)
      on conflict (org_id, lot_id) do nothing returning 1)
    select count(*) from wrote`
  const [, found] = await pipelined([written, datesAsMaker(tx, org, once)])
  const stand = new Map(found.map(row => [row.lot_id, row]))
  const other = lots.filter(lot => {
    const kept = stand.get(lot.lot_id)!
    const isFuller = kept.production_date === null && lot.production_date !== null
    return isFuller || differences(lot, kept).length > 0
  })
  if (other.length > 0) await writeAnew(tx, org, other)
  await publish(tx, org, other.length > 0 ? await datesAsMaker(tx, org, once) : found)
}

type AsMaker = LotDates & { readonly lot_id: string; readonly is_maker: boolean }
/** The stored dates, and whether the organisation makes the goods. */
const datesAsMaker = (tx: Tx, org: string, lots: readonly { readonly lot_id: string }[]) => tx<AsMaker[]>`
  select k.lot_id, k.production_date, k.expiry_date, p.manufacturer_id = k.org_id as is_maker
    from stock_lot k join specification s on s.id = k.specification_id join product p on p.id = s.product_id
   where k.org_id = ${org} and k.lot_id = any(${lots.map(lot => lot.lot_id)}::bigint[])`

/** Writes dates over the kept ones where that is permitted, and refuses the rest. */
async function writeAnew(tx: Tx, org: string, lots: readonly DatedLot[]): Promise<void> {
  const kept = await keptDates(
    tx,
    org,
    lots.map(lot => lot.lot_id),
  )
  refuseOtherDates(lots, kept)
  await setLotDates(
    tx,
    org,
    lots.map(lot => ({
      ...lot,
      production_date: lot.production_date ?? kept.get(lot.lot_id)?.production_date ?? null,
    })),
  )
}

/** Gives lots of the organisation these dates, whatever it kept before. */
export async function setLotDates(
  tx: Tx,
  org: string,
  lots: readonly (LotDates & { readonly lot_id: string | null })[],
): Promise<void> {
  const known = lots.flatMap(({ lot_id, ...dates }) => (lot_id === null ? [] : [{ lot_id, ...dates }]))
  await tx`
    update stock_lot s set production_date = k.production_date, expiry_date = k.expiry_date
      from jsonb_to_recordset(${tx.json(known)}) as k(lot_id bigint, production_date date,
        expiry_date date)
     where s.org_id = ${org} and s.lot_id = k.lot_id`
  await publish(tx, org, await datesAsMaker(tx, org, known))
}

/** Publishes the dates that a maker keeps for its lots: everybody else is asked about differences from them. */
async function publish(tx: Tx, org: string, lots: readonly AsMaker[]): Promise<void> {
  const made = lots.filter(lot => lot.is_maker)
  if (made.length === 0) return
  await tx`
    insert into maker_lot as m (org_id, lot_id, production_date, expiry_date)
    select ${org}::bigint, k.lot_id, k.production_date, k.expiry_date
      from jsonb_to_recordset(${tx.json(made)}) as k(lot_id bigint, production_date date,
        expiry_date date)
     order by k.lot_id
    on conflict (org_id, lot_id) do update
      set production_date = excluded.production_date, expiry_date = excluded.expiry_date, at = posting_now()
      where (m.production_date, m.expiry_date) is distinct from (excluded.production_date, excluded.expiry_date)`
}
