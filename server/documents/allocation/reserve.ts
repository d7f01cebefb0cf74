import { compare, type Decimal, isNegative, isPositive, isZero, subtract, sum } from '#kernel/values/decimal.ts'
import { shortage } from '#kernel/rules/shortage.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import { stockRules } from '#server/rulebook/document-rules.ts'
import type { Tx } from '#server/database/transaction.ts'

const KEY =
  'b.location = r.location and b.specification_id = r.specification_id and b.lot_id = r.lot_id and ' +
  'b.owner_id = r.owner_id and b.quality_state = r.quality_state'

type Balance = {
  specification_id: string
  lot_id: string
  location: string
  owner_id: string
  quality_state: string
}
type Held = Balance & { quantity: Decimal }
type Over = Balance & { line_no: number; reserved: Decimal; mine: Decimal }
const sameBalance = (a: Balance, b: Balance): boolean =>
  (['specification_id', 'lot_id', 'location', 'owner_id', 'quality_state'] as const).every(name => a[name] === b[name])

/** Reserves exactly the balances and units that the lines name; what others reserved is not available. */
export async function reserve(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const org = session.org.id
  const lines = doc.lines.filter(line => line.specification_sn && !isZero(line.base_quantity))
  const without = lines.find(line => !line.lot_id)
  if (without)
    throw new BusinessError('stockShort', await shortSentence(tx, org, doc, without), [
      { field: 'lot_no', line: without.line_no, msg: await shortSentence(tx, org, doc, without) },
    ])
  const rows = lines.map(line => ({
    line_no: line.line_no,
    warehouse_id: doc.warehouse_model_inner_sn,
    location: line.location ?? '',
    specification_id: line.specification_sn,
    lot_id: line.lot_id,
    owner_id: line.owner_org_sn ?? org,
    quality_state: line.quality_state ?? 'qualified',
    quantity: line.base_quantity,
    unit_codes: line.unit_codes,
    coded_quantity: line.coded_quantity ?? null,
  }))
  const json = tx.json(rows)
  const set =
    'line_no int, warehouse_id bigint, location text, specification_id bigint, lot_id bigint, owner_id ' +
    'bigint, quality_state text, quantity numeric, unit_codes text[], coded_quantity numeric'
  const held = await tx<Held[]>`
    select b.specification_id, b.lot_id, b.location, b.owner_id, b.quality_state, b.quantity from stock_balance b
     where b.org_id = ${org} and b.warehouse_id = ${doc.warehouse_model_inner_sn}
       and exists (select 1 from jsonb_to_recordset(${json}) as r(${tx.unsafe(set)}) where ${tx.unsafe(KEY)})
     order by b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state for update of b`
  // After the lock: only then is a document visible that reserved the same piece a moment ago.
  await refuseReservedUnits(tx, org, doc)
  await tx`
    insert into reservation (org_id, document_id, line_no, warehouse_id, location, specification_id, lot_id, owner_id,
      quality_state, quantity, unit_codes, coded_quantity)
    select d.org_id, d.id, r.line_no, r.warehouse_id, r.location, r.specification_id, r.lot_id, r.owner_id,
      r.quality_state, r.quantity, coalesce(r.unit_codes, '{}'), r.coded_quantity
      from document d cross join jsonb_to_recordset(${json}) as r(${tx.unsafe(set)})
     where d.org_id = ${org} and d.id = ${doc.id}`
  const over = await tx<Over[]>`
    select min(r.line_no) filter (where r.document_id = ${doc.id})::int as line_no,
      sum(r.quantity)::numeric(18,3) as reserved,
           (sum(r.quantity) filter (where r.document_id = ${doc.id}))::numeric(18,3) as mine,
           r.specification_id, r.lot_id, r.location, r.owner_id, r.quality_state
      from reservation r
     where r.org_id = ${org} and r.warehouse_id = ${doc.warehouse_model_inner_sn}
       and r.lot_id = any(${lines.map(line => line.lot_id!)}::bigint[])
     group by r.specification_id, r.lot_id, r.location, r.owner_id, r.quality_state
    having bool_or(r.document_id = ${doc.id})`
  for (const row of over) {
    const balance = held.find(item => sameBalance(item, row))
    const onHand = balance?.quantity ?? '0.000'
    if (compare(row.reserved, onHand) <= 0) continue
    const free = subtract(onHand, subtract(row.reserved, row.mine, 3), 3)
    const line = doc.lines.find(item => item.line_no === row.line_no)!
    const msg = shortage(`${goodsOf(line)} 批号${line.lot_no || '无批号'}`, {
      free,
      wanted: row.mine,
      reserved: subtract(row.reserved, row.mine, 3),
    })
    throw new BusinessError('stockShort', msg, [{ field: 'quantity', line: row.line_no, msg }]).because(
      stockRules.shortageExplained,
    )
  }
}

/** The stock of a line's goods in the document's store: free for the document, or not free and why. */
type Standing = {
  free: Decimal
  reserved: Decimal
  stopped: Decimal
  frozen: Decimal
  unfit: Decimal
  kept: Decimal
  elsewhere: Decimal
  others: Decimal
  all_stopped: boolean | null
  all_recalled: boolean | null
  all_frozen: boolean | null
}

async function standingOf(tx: Tx, org: string, doc: StoredDocument, line: StoredDocument['lines'][number]) {
  const { specification_sn, lot_no, location, owner_org_sn } = line
  // The same goods as are proposed: of the size or of one that was mapped to it, at the place and of the owner named.
  const goods = (x: string) => tx`${tx(x)}.org_id = ${org} and ${tx(x)}.warehouse_id = ${doc.warehouse_model_inner_sn}
       and ${tx(x)}.specification_id in (
         select z.id from specification z where z.id = ${specification_sn} or z.mapped_to_id = ${specification_sn})`
  const kept = (x: string) => tx`(${tx(x)}.location <> '' and exists (
    select 1 from container_place c where c.org_id = ${org} and c.code = ${tx(x)}.location))`
  const elsewhere = (x: string) => (location ? tx`${tx(x)}.location <> ${location}` : tx`false`)
  const owner = owner_org_sn ?? (doc.regime === 'consigned' ? org : null)
  const others = (x: string) => (owner === null ? tx`false` : tx`${tx(x)}.owner_id <> ${owner}`)
  const fits = (x: string) => tx`not ${others(x)} and not ${elsewhere(x)} and (${Boolean(location)} or not ${kept(x)})`
  const [row] = await tx<(Omit<Standing, 'free'> & { usable: Decimal })[]>`
    with stock as (
      select b.*, b.quality_state = 'qualified' and h.is_good as is_usable, ${fits('b')} as fits,
             ${others('b')} as is_others, ${elsewhere('b')} as is_elsewhere, h.is_good, h.is_frozen,
             lot_is_recalled(b.org_id, b.lot_id) as is_recalled,
             frozen_pieces(b.org_id, b.warehouse_id, b.location, b.lot_id, b.owner_id) as frozen_pieces
        from stock_balance b join lot t on t.id = b.lot_id
       cross join lateral (select lot_is_frozen(b.org_id, b.lot_id) as is_frozen,
         lot_is_good(b.org_id, b.lot_id) as is_good) h
       where ${goods('b')} and (${lot_no}::text is null or t.lot_no = ${lot_no}))
    select coalesce(sum(b.quantity - b.frozen_pieces) filter (where b.is_usable and b.fits), 0)::numeric(18,3)
             as usable,
           coalesce(sum(b.quantity) filter (where b.quality_state = 'qualified' and not b.is_good and not b.is_frozen),
             0)::numeric(18,3) as unfit,
           coalesce(sum(b.quantity) filter (where b.quality_state = 'stopped'), 0)::numeric(18,3) as stopped,
           (coalesce(sum(b.quantity) filter (where b.quality_state = 'frozen'
             or b.is_frozen and b.quality_state <> 'stopped'), 0)
             + coalesce(sum(b.frozen_pieces) filter (where b.is_usable and b.fits), 0))::numeric(18,3) as frozen,
           coalesce(sum(b.quantity) filter (where b.is_usable and b.is_others), 0)::numeric(18,3) as others,
           coalesce(sum(b.quantity) filter (where b.is_usable and not b.is_others and b.is_elsewhere), 0)::numeric(18,3)
             as elsewhere,
           coalesce(sum(b.quantity) filter (where b.is_usable and not b.fits and not b.is_others
             and not b.is_elsewhere), 0)::numeric(18,3) as kept,
           bool_and(b.quality_state = 'stopped') as all_stopped,
           bool_and(b.is_recalled) as all_recalled, bool_and(b.is_frozen) as all_frozen,
           (select coalesce(sum(r.quantity), 0) from reservation r join lot k on k.id = r.lot_id
             where ${goods('r')} and ${fits('r')} and r.document_id <> ${doc.id} and r.quality_state = 'qualified'
               and lot_is_good(r.org_id, r.lot_id)
               and (${lot_no}::text is null or k.lot_no = ${lot_no}))::numeric(18,3) as reserved
      from stock b`
  const { usable, ...rest } = row!
  const free = subtract(usable, rest.reserved, 3)
  return { ...rest, free: isNegative(free) ? '0.000' : free }
}

/**
 * The quantity that all lines together ask of the same lot, or of the same size where the line names no lot: lines are
 * split by lots.
 */
const askedFor = (doc: StoredDocument, { specification_sn, lot_no }: StoredDocument['lines'][number]): Decimal =>
  sum(
    doc.lines
      .filter(line => line.specification_sn === specification_sn && (lot_no === null || line.lot_no === lot_no))
      .map(line => line.base_quantity),
    3,
  )

/** Why a line has no lot, or more than there is: all that was asked, what is free of it, and where the rest is. */
async function shortSentence(
  tx: Tx,
  org: string,
  doc: StoredDocument,
  line: StoredDocument['lines'][number],
): Promise<string> {
  const standing = await standingOf(tx, org, doc, line)
  const wanted = askedFor(doc, line)
  if (!line.lot_no && compare(standing.free, wanted) >= 0)
    return `第${line.line_no}行【${line.product_name ?? ''}】请选择批号`
  const held = standing.all_recalled
    ? '已召回'
    : standing.all_frozen
      ? '已冻结'
      : standing.all_stopped
        ? '已停售'
        : null
  if (line.lot_no && held) return `批号${line.lot_no}${held}，不能出库`
  return shortage(`${goodsOf(line)}${line.lot_no ? ` 批号${line.lot_no}` : ''}`, { ...standing, wanted })
}

/** Refuses goods that are to leave a store and for which no lot could be chosen, and says why. */
export async function refuseLotless(tx: Tx, org: string, doc: StoredDocument): Promise<void> {
  const line = doc.lines.find(each => each.lot_no === null && each.specification_sn && isPositive(each.base_quantity))
  if (line === undefined || !doc.warehouse_model_inner_sn) return
  const msg = await shortSentence(tx, org, doc, line)
  throw new BusinessError('stockShort', msg, [{ field: 'lot_no', line: line.line_no, msg }])
}

const goodsOf = (line: StoredDocument['lines'][number]): string =>
  `${line.product_name ?? ''} ${line.specification_name ?? ''}`

/** A unit can be reserved once. */
async function refuseReservedUnits(tx: Tx, org: string, doc: StoredDocument): Promise<void> {
  const codes = doc.lines.flatMap(line => line.unit_codes)
  if (codes.length === 0) return
  const [taken] = await tx<{ code: string; sn: string }[]>`
    select c.code, d.sn from reservation r
      cross join unnest(r.unit_codes) as c(code) join document d on d.org_id = r.org_id and d.id = r.document_id
     where r.org_id = ${org} and r.document_id <> ${doc.id} and r.unit_codes && ${codes as string[]}
       and c.code = any(${codes as string[]}) limit 1`
  if (taken) throw new BusinessError('unitNotHere', `院内码${taken.code}已被单据${taken.sn}占用`)
}

export async function release(tx: Tx, session: Session, document: string): Promise<void> {
  await tx`delete from reservation where org_id = ${session.org.id} and document_id = ${document}`
}
