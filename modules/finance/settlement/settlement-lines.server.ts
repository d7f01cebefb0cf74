import { add, compare, type Decimal, isPositive, least, multiply, negate, share } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  consignedLines,
  coveredByGrants,
  lockLines,
  type Piece,
  piecesOf,
  releaseCovers,
  restOfGrant,
  settledByGrant,
} from '#modules/finance/settlement/settled-grants.server.ts'
import { waitingStates } from '#modules/finance/settlement/open-uses.server.ts'
import { ownersPrices, usedAt } from '#modules/finance/settlement/owners-prices.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { Tx } from '#server/public/database.ts'

/** Opens a settlement line for each used piece that no settled grant covers. */
export async function openSettlementLines(ctx: ActionContext): Promise<void> {
  const pieces = consignedLines(ctx).flatMap(piecesOf)
  if (pieces.length > 0) await openLines(ctx, await coveredByGrants(ctx, pieces))
}

/** Opens settlement lines for what is granted, in stores that are settled by grant. */
export async function openGrantLines(ctx: ActionContext): Promise<void> {
  const consigned = consignedLines(ctx)
  if (consigned.length > 0) await openLines(ctx, (await settledByGrant(ctx, consigned)).flatMap(piecesOf))
}

/**
 * Each piece becomes due to its owner at the price agreed on the day, otherwise that of the receipt; without one the
 * line waits as 无结算价.
 */
async function openLines(ctx: ActionContext, pieces: readonly Piece[]): Promise<void> {
  const { tx, session, doc } = ctx
  if (pieces.length === 0) return
  const priced = await ownersPrices(ctx, [...new Set(pieces.map(piece => piece.line))])
  const rows = pieces.map(({ line, unit_code, quantity }) => {
    const { price, rate } = priced.get(line.line_no)!
    return {
      use_line_no: line.line_no,
      owner_id: line.owner_org_sn,
      specification_id: line.specification_sn,
      lot_id: line.lot_id,
      price,
      tax_rate: rate,
      state: price === null ? 'unpriced' : 'waiting',
      unit_code,
      quantity,
      amount: price === null ? '0.00' : multiply(price, quantity, 2),
    }
  })
  await tx`
    insert into settlement_line (org_id, use_document_id, use_line_no, owner_id, specification_id, lot_id, unit_code,
      quantity, price, tax_rate, amount, used_at, department_id, warehouse_id, state)
    select d.org_id, d.id, k.use_line_no, k.owner_id, k.specification_id, k.lot_id, k.unit_code, k.quantity, k.price,
      k.tax_rate, k.amount, ${usedAt(ctx)}, d.department_id, d.warehouse_id, k.state
      from document d cross
        join jsonb_to_recordset(${tx.json(rows)}) as k(use_line_no int, owner_id bigint,
        specification_id bigint, lot_id bigint, unit_code text, quantity numeric, price numeric, tax_rate smallint,
        amount numeric, state text)
     where d.org_id = ${session.org.id} and d.id = ${doc.id}`
}

/** Uses without a price wait as 无结算价 until one is agreed for the day of their use. */
export async function priceAgain(tx: Tx, org: string, owner: string | null): Promise<void> {
  const bare = await tx<UsedLine[]>`
    select id, owner_id, specification_id, price, to_char(used_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
      from settlement_line where org_id = ${org} and state = 'unpriced'
        and (${owner}::bigint is null or owner_id = ${owner}::bigint)`
  await writePrices(tx, org, await pricesOfTheDay(tx, org, bare))
}

/** A settlement line by the day on which its goods were used. */
export type UsedLine = {
  readonly id: string
  readonly owner_id: string
  readonly specification_id: string
  readonly price: Decimal | null
  readonly day: string
}
type Priced = UsedLine & { readonly agreed: Decimal }

/** The lines for which a price was agreed with their owner on that day. */
export async function pricesOfTheDay(tx: Tx, org: string, lines: readonly UsedLine[]): Promise<Priced[]> {
  const priced: Priced[] = []
  for (const group of Map.groupBy(lines, line => `${line.owner_id}/${line.day}`).values()) {
    const { owner_id: counterparty, day } = group[0]!
    const ids = group.map(line => line.specification_id)
    const facts = await specificationFacts(tx, ids, { org, counterparty, direction: 'buy', day })
    for (const line of group) {
      const agreed = facts.get(line.specification_id)?.agreed_price
      if (agreed) priced.push({ ...line, agreed })
    }
  }
  return priced
}

/** They wait at that price, unless another user held, settled or took them back meanwhile. */
export const writePrices = (tx: Tx, org: string, lines: readonly Priced[]) => tx`
  update settlement_line s set state = 'waiting', price = k.agreed, amount = round(k.agreed * s.quantity, 2)
    from jsonb_to_recordset(${tx.json(lines)}) as k(id bigint, agreed numeric)
   where s.org_id = ${org} and s.id = k.id and s.state = any(${[...waitingStates]})`

/** Lines not on any settlement yet. */
const open = ['waiting', 'unpriced', 'held', 'uncharged']

type Standing = {
  id: string
  use_line_no: number
  unit_code: string | null
  state: string
  quantity: Decimal
  amount: Decimal
  rest: Decimal
  rest_amount: Decimal
  settlement_sn: string | null
}

/** The remaining settlement lines of a use or grant, after earlier reversals and what others drew on. */
const standingLines = ({ tx, session, doc }: ActionContext) => tx<Standing[]>`
  select s.id, s.use_line_no, s.unit_code, s.state, s.quantity, s.amount, t.sn as settlement_sn,
         ${restOfGrant(tx)} as rest, (s.amount + coalesce(n.amount, 0))::numeric(18,2) as rest_amount
    from settlement_line s
    left join document t on t.org_id = s.org_id and t.id = s.settlement_id
    left join lateral (select sum(x.quantity) as quantity, sum(x.amount) as amount from settlement_line x
      where x.org_id = s.org_id and x.use_document_id = s.use_document_id and x.nets_id = s.id) n on true
   where s.org_id = ${session.org.id} and s.use_document_id = ${doc.id} and s.nets_id is null and s.state <> 'netted'
   order by s.id`

/** The quantity of each line that is reversed: all of it, or that of the new reversal document. */
export async function takenBack({ tx, session, doc, action }: ActionContext) {
  const rows =
    action === 'redReverse'
      ? await tx<{ line_no: number; base_quantity: Decimal; unit_codes: string[] }[]>`
          select line_no, -base_quantity as base_quantity, unit_codes from document_line
           where org_id = ${session.org.id}
             and document_id = (select max(id) from document
             where org_id = ${session.org.id} and red_of_id = ${doc.id})`
      : doc.lines
  return new Map(rows.map(row => [row.line_no, { quantity: row.base_quantity, codes: new Set(row.unit_codes) }]))
}

/**
 * Undoing a use: lines still waiting are netted at once; what was settled before becomes a negative line in the next
 * period (10 used and 1 reversed in the month make 9; 2 more reversed next month make −2 there).
 */
export async function netSettlementLines(ctx: ActionContext): Promise<void> {
  const { tx, session, action } = ctx
  await lockLines(tx, session.org.id, tx`s.use_document_id = ${ctx.doc.id}`)
  const lines = await standingLines(ctx)
  const settled = lines.find(line => !open.includes(line.state))
  if (settled && action !== 'redReverse')
    throw new BusinessError(
      'blocked',
      `使用记录已进入结算，不能${ctx.spec.label}，请红冲退用，下期结算冲减（${settled.settlement_sn ?? ''}）`,
    )
  const back = await takenBack(ctx)
  const netted = new Map<number, Decimal>()
  const gone: string[] = []
  const negative = lines.flatMap(line => {
    const part = back.get(line.use_line_no)
    const wanted = !part ? '0' : line.unit_code === null ? part.quantity : part.codes.has(line.unit_code) ? '1' : '0'
    if (!isPositive(wanted) || !isPositive(line.rest)) return []
    const quantity = least(line.rest, wanted)
    const all = compare(quantity, line.rest) === 0
    netted.set(line.use_line_no, add(netted.get(line.use_line_no) ?? '0', quantity, 3))
    if (all && open.includes(line.state)) gone.push(line.id)
    const amount = all ? line.rest_amount : share(line.amount, quantity, line.quantity, 2)
    const state = open.includes(line.state) ? line.state : 'waiting'
    return [{ id: line.id, quantity: negate(quantity), amount: negate(amount), state, late: state !== line.state }]
  })
  await releaseCovers(ctx, back, netted)
  if (negative.length === 0) return
  await tx`
    insert into settlement_line (org_id, use_document_id, use_line_no, owner_id, specification_id, lot_id, unit_code,
      quantity, price, tax_rate, amount, used_at, department_id, warehouse_id, state, nets_id)
    select s.org_id, s.use_document_id, s.use_line_no, s.owner_id, s.specification_id, s.lot_id, s.unit_code,
      k.quantity, s.price, s.tax_rate, k.amount,
           case when k.late then posting_now() else s.used_at end, s.department_id, s.warehouse_id, k.state, s.id
      from settlement_line s
        join jsonb_to_recordset(${tx.json(negative)}) as k(id bigint, quantity numeric,
        amount numeric, state text, late boolean) on k.id = s.id
     where s.org_id = ${session.org.id}
    returning id`
  await tx`
    update settlement_line set state = 'netted'
     where org_id = ${session.org.id} and (id = any(${gone}::bigint[]) or nets_id = any(${gone}::bigint[]))
       and state = any(${open})`
}
