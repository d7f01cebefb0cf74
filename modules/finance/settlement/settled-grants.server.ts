import { byName, patchDocument, patchLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { add, type Decimal, isPositive, least, negate, subtract } from '#kernel/values/decimal.ts'
import { isPackCode } from '#kernel/codes/pack-code.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Fragment } from '#server/public/records.ts'
import { policyForItems } from '#server/public/settings.ts'
import type { Tx } from '#server/public/database.ts'

/*
 * Consigned goods are settled once: when they are granted, where the hospital's rule says so, or else when they are
 * used. Goods that a grant settled and nobody used yet cover later uses, in any ward: a use draws on them first, and
 * only the rest of the use is settled. So the rule may change at any time: earlier grants are settled at their use, and
 * goods settled by their grant are not settled again.
 */

/** Consigned lines of a grant that are settled by it, as the rule for their class of goods says. */
export async function settledByGrant(ctx: ActionContext, consigned: readonly StoredLine[]): Promise<StoredLine[]> {
  const { tx, session, doc, settings } = ctx
  const place = { org: session.org.id, warehouse: null, department: doc.department_inner_sn }
  const own = await policyForItems(
    tx,
    place,
    'settleBase',
    consigned.map(line => line.specification_sn!),
  )
  return consigned.filter(line => (own(line.specification_sn!).settle_base ?? settings.settle_base) === 'grant')
}

/** Goods on loan whose supplier sells what was used are not settled by the month; those of `monthly` lines are. */
const isLent = (line: StoredLine): boolean => byName(line).stock_source === 'loan'

/** Lines of goods that are another's and are settled with him. */
export const consignedLines = ({ session, doc }: ActionContext): StoredLine[] =>
  doc.lines.filter(line => line.owner_org_sn && line.owner_org_sn !== session.org.id && !isLent(line))

type Settled = {
  readonly id: string
  readonly lot_id: string
  readonly owner_id: string
  readonly unit_code: string | null
  readonly rest: Decimal
}

/** The quantity of a settled grant `s` that is neither returned nor used. */
export const restOfGrant = (tx: Tx) => tx`(s.quantity
  + coalesce((select sum(x.quantity) from settlement_line x where x.org_id = s.org_id and x.nets_id = s.id), 0)
  - coalesce((select sum(c.quantity) from settlement_cover c
      where c.org_id = s.org_id and c.grant_line_id = s.id), 0))::numeric(18,3)`

/**
 * Locks settlement lines before their rests are read: a statement that waited for a lock would still see the rests of
 * before.
 */
export const lockLines = (tx: Tx, org: string, which: Fragment) => tx`
  select s.id from settlement_line s where s.org_id = ${org} and ${which} order by s.id for update`

/** Settlement lines `s` that were opened by a grant and are not netted. */
const standing = (tx: Tx): Fragment => tx`s.nets_id is null and s.state <> 'netted' and s.quantity > 0`

async function settledGrants(tx: Tx, org: string, lots: readonly string[]): Promise<Settled[]> {
  const which = tx`${standing(tx)} and s.lot_id = any(${[...lots]}::bigint[]) and exists (select 1 from document d
    where d.org_id = s.org_id and d.id = s.use_document_id and d.kind = 'grantOdo')`
  if ((await lockLines(tx, org, which)).length === 0) return []
  return tx<Settled[]>`
    select s.id, s.lot_id, s.owner_id, s.unit_code, ${restOfGrant(tx)} as rest
      from settlement_line s where s.org_id = ${org} and ${which} order by s.id`
}

/** A part of a use's line: one piece, or a quantity. */
export type Piece = { readonly line: StoredLine; readonly unit_code: string | null; readonly quantity: Decimal }

/** Pieces by their codes; what a pack held is a quantity. */
export const piecesOf = (line: StoredLine): Piece[] =>
  line.unit_codes.length > 0 && !line.unit_codes.some(isPackCode) && (line.coded_quantity ?? null) === null
    ? line.unit_codes.map(code => ({ line, unit_code: code, quantity: '1.000' as Decimal }))
    : [{ line, unit_code: null, quantity: line.base_quantity }]

type Cover = {
  readonly grant: string
  readonly line: number
  readonly code: string | null
  readonly quantity: Decimal
}

/** The settled grants that these pieces draw on, and the pieces that none covers. */
async function drawnOn({ tx, session }: ActionContext, pieces: readonly Piece[]) {
  const lots = [...new Set(pieces.map(({ line }) => line.lot_id!))]
  const grants = (await settledGrants(tx, session.org.id, lots)).map(row => ({ ...row }))
  const covers: Cover[] = []
  const open = pieces.flatMap((piece): Piece[] => {
    let left = piece.quantity
    for (const grant of grants) {
      const fits =
        grant.lot_id === piece.line.lot_id &&
        grant.owner_id === piece.line.owner_org_sn &&
        (grant.unit_code === null || grant.unit_code === piece.unit_code) &&
        (piece.unit_code === null || grant.unit_code === piece.unit_code)
      if (!fits || !isPositive(left) || !isPositive(grant.rest)) continue
      const quantity = least(grant.rest, left)
      left = subtract(left, quantity, 3)
      grant.rest = subtract(grant.rest, quantity, 3)
      covers.push({ grant: grant.id, line: piece.line.line_no, code: piece.unit_code, quantity })
    }
    return isPositive(left) ? [{ ...piece, quantity: left }] : []
  })
  return { covers, open }
}

/** Returns the pieces that no settled grant covers, and notes which grants cover the others. */
export async function coveredByGrants(ctx: ActionContext, pieces: readonly Piece[]): Promise<Piece[]> {
  const { tx, session, doc } = ctx
  const { covers, open } = await drawnOn(ctx, pieces)
  if (covers.length > 0)
    await tx`
      insert into settlement_cover (org_id, grant_line_id, use_document_id, use_line_no, unit_code, quantity)
      select ${session.org.id}, k."grant", ${doc.id}, k.line, k.code, k.quantity
        from jsonb_to_recordset(${tx.json(covers)})
          k("grant" bigint, line int, code text, quantity numeric)
      returning id`
  return open
}

/**
 * Writes on the lines of a reviewed use the quantities that their grants settled: the owner reads them on his report.
 * The rests of grants are locked from here on, so that the cover that is noted later is the same.
 */
export async function withGrants(ctx: ActionContext): Promise<StoredDocument> {
  const { tx, session, doc } = ctx
  const pieces = consignedLines(ctx).flatMap(piecesOf)
  const { covers } = pieces.length > 0 ? await drawnOn(ctx, pieces) : { covers: [] }
  const settled = new Map<number, Decimal>()
  for (const { line, quantity } of covers) settled.set(line, add(settled.get(line) ?? '0', quantity, 3))
  const lines = doc.lines.map(line => ({ ...line, granted_quantity: settled.get(line.line_no) ?? null }))
  const changed = lines.filter(
    (line, at) => (byName(doc.lines[at]!).granted_quantity ?? null) !== line.granted_quantity,
  )
  await patchLines(
    tx,
    session,
    doc,
    changed.map(({ line_no, granted_quantity }) => ({ line_no, values: { granted_quantity } })),
    'withAction',
  )
  return { ...doc, lines }
}

/** The quantity of a line that is taken back, and its pieces. */
type TakenBack = ReadonlyMap<number, { readonly quantity: Decimal; readonly codes: ReadonlySet<string> }>

/** A use that is taken back frees what it drew on: `netted` is what of each line was taken back from its own lines. */
export async function releaseCovers(
  { tx, session, doc }: ActionContext,
  back: TakenBack,
  netted: ReadonlyMap<number, Decimal>,
): Promise<void> {
  const covers = await tx<{ id: string; use_line_no: number; unit_code: string | null; quantity: Decimal }[]>`
    select id, use_line_no, unit_code, quantity from settlement_cover
     where org_id = ${session.org.id} and use_document_id = ${doc.id} order by id desc for update`
  if (covers.length === 0) return
  const left = new Map([...back].map(([line, part]) => [line, subtract(part.quantity, netted.get(line) ?? '0', 3)]))
  const changed: { id: string; quantity: Decimal }[] = []
  for (const cover of covers) {
    const part = back.get(cover.use_line_no)
    const wanted = left.get(cover.use_line_no) ?? '0'
    if (!part || !isPositive(wanted)) continue
    if (cover.unit_code !== null && !part.codes.has(cover.unit_code)) continue
    const quantity = least(cover.quantity, wanted)
    left.set(cover.use_line_no, subtract(wanted, quantity, 3))
    changed.push({ id: cover.id, quantity: subtract(cover.quantity, quantity, 3) })
  }
  const gone = changed.filter(row => !isPositive(row.quantity)).map(row => row.id)
  await tx`delete from settlement_cover where org_id = ${session.org.id} and id = any(${gone}::bigint[])`
  await tx`
    update settlement_cover c set quantity = k.quantity
      from jsonb_to_recordset(${tx.json(changed.filter(row => isPositive(row.quantity)))})
        k(id bigint, quantity numeric)
     where c.org_id = ${session.org.id} and c.id = k.id`
}

type Returned = { readonly id: string; readonly line: number; readonly quantity: Decimal }

/** 科室退库 takes a settled grant back as far as nobody used it: less is due in the next period. */
export async function takeBackGrants(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const sources = [...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]
  const which = tx`${standing(tx)} and s.use_document_id = any(${sources}::bigint[])`
  await lockLines(tx, session.org.id, which)
  const grants = await tx<(Settled & { document_id: string; line_no: number })[]>`
    select s.id, s.lot_id, s.owner_id, s.unit_code, s.use_document_id as document_id, s.use_line_no as line_no,
           ${restOfGrant(tx)} as rest
      from settlement_line s where s.org_id = ${session.org.id} and ${which} order by s.id`
  const rest = new Map(grants.map(row => [row.id, row.rest]))
  const returned = doc.lines.flatMap((line): Returned[] => {
    let left = line.base_quantity
    return grants.flatMap((grant): Returned[] => {
      const isIts = grant.document_id === line.source_document_id && grant.line_no === line.source_line_no
      if (!isIts || (grant.unit_code !== null && !line.unit_codes.includes(grant.unit_code))) return []
      const here = rest.get(grant.id)!
      const quantity = least(here, left)
      if (!isPositive(quantity)) return []
      left = subtract(left, quantity, 3)
      rest.set(grant.id, subtract(here, quantity, 3))
      return [{ id: grant.id, line: line.line_no, quantity }]
    })
  })
  if (returned.length === 0) return
  await addLines(
    tx,
    session.org.id,
    returned.map(row => ({ ...row, quantity: negate(row.quantity) })),
    true,
  )
  await patchDocument(tx, session, doc, { settled_back: returned }, 'derived')
}

/** A return that is undone brings back what it took: at the ward again, the goods are settled again. */
export async function settleGrantsAgain(ctx: ActionContext, back: TakenBack): Promise<void> {
  const { tx, session, doc } = ctx
  const left = new Map([...back].map(([line, part]) => [line, part.quantity]))
  const [again, kept]: [Returned[], Returned[]] = [[], []]
  for (const one of (byName(doc).settled_back as readonly Returned[] | null | undefined) ?? []) {
    const wanted = left.get(one.line) ?? '0'
    const quantity = least(one.quantity, wanted)
    left.set(one.line, subtract(wanted, quantity, 3))
    if (isPositive(quantity)) again.push({ ...one, quantity })
    const rest = subtract(one.quantity, quantity, 3)
    if (isPositive(rest)) kept.push({ ...one, quantity: rest })
  }
  if (again.length === 0) return
  await addLines(tx, session.org.id, again, false)
  await patchDocument(tx, session, doc, { settled_back: kept }, 'derived')
}

/** Lines like those of their grants: negative ones net them, positive ones count by themselves. */
async function addLines(tx: Tx, org: string, rows: readonly Returned[], nets: boolean): Promise<void> {
  await tx`
    insert into settlement_line (org_id, use_document_id, use_line_no, owner_id, specification_id, lot_id, unit_code,
      quantity, price, tax_rate, amount, used_at, department_id, warehouse_id, state, nets_id)
    select s.org_id, s.use_document_id, s.use_line_no, s.owner_id, s.specification_id, s.lot_id, s.unit_code,
           k.quantity, s.price, s.tax_rate, round(coalesce(s.price, 0) * k.quantity, 2), posting_now(), s.department_id,
           s.warehouse_id, case when s.price is null then 'unpriced' when ${nets} and s.state = 'held' then 'held'
             else 'waiting' end, case when ${nets} then s.id end
      from settlement_line s
      join jsonb_to_recordset(${tx.json(rows)}) k(id bigint, quantity numeric) on k.id = s.id
     where s.org_id = ${org}
    returning id`
  if (!nets) return
  // Wholly taken back before it was on a settlement: nothing of it is due.
  await tx`
    update settlement_line s set state = 'netted'
     where s.org_id = ${org} and s.state in ('waiting', 'unpriced', 'held')
       and coalesce(s.nets_id, s.id) in (
         select g.id from settlement_line g
          where g.org_id = ${org} and g.id = any(${rows.map(row => row.id)}::bigint[])
            and g.state in ('waiting', 'unpriced', 'held')
            and g.quantity + (select sum(x.quantity) from settlement_line x
              where x.org_id = g.org_id and x.nets_id = g.id) = 0)`
}
