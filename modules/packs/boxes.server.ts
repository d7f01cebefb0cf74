import { compare, type Decimal, plain, subtract, wholePieces } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { specificationFacts } from '#modules/items/item-data.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { patchLines, type StoredLine } from '#server/public/documents.ts'
import { makeLabels, voidLabels } from '#server/public/traceability.ts'

const isBoxes = ({ doc }: ActionContext): boolean => doc.unpack_type === 'box'
const childrenOf = (line: StoredLine): readonly string[] => (line.child_codes as readonly string[] | undefined) ?? []
const piecesIn = (line: StoredLine): Decimal =>
  subtract(line.base_quantity, (line.lost_quantity as Decimal | null | undefined) ?? '0', 3)

/** The codes of a box's pieces are as many as came out of it. */
export async function refuseWrongChildren(ctx: ActionContext): Promise<void> {
  for (const line of ctx.doc.lines) {
    const codes = childrenOf(line)
    const refuse = (msg: string) => {
      throw new BusinessError('rule', `第${line.line_no}行：${msg}`, [
        { field: 'child_codes', line: line.line_no, msg },
      ])
    }
    if (codes.length === 0) continue
    if (!isBoxes(ctx)) refuse('定数包内是散货，没有子码')
    if (new Set(codes).size < codes.length) refuse('子码重复，请核对')
    if (compare(String(codes.length), piecesIn(line)) !== 0)
      refuse(`子码${codes.length}个，与拆出数量${plain(piecesIn(line))}不一致`)
  }
}

/** Boxes whose pieces got codes are closed again all together. */
export async function refusePartOfBoxes(ctx: ActionContext): Promise<void> {
  const { lines } = ctx.body
  if (isBoxes(ctx) && lines !== undefined && lines !== null && lines !== '')
    throw new BusinessError('rule', '外箱拆零请整单红冲')
}

/** What comes out of an outer box bears the maker's codes, or gets ours where each piece is managed by its own. */
export async function namePieces(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (!isBoxes(ctx)) return
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  const named: { line_no: number; values: Record<string, unknown> }[] = []
  for (const line of doc.lines) {
    const given = childrenOf(line)
    if (given.length === 0 && !facts.get(line.specification_sn ?? '')?.is_unit_coded) continue
    const place = (line.target_location as string | null | undefined) ?? line.location ?? ''
    const balance = [
      doc.warehouse_model_inner_sn,
      line.specification_sn,
      line.lot_id,
      line.owner_org_sn,
      'qualified',
      place,
    ]
    const count = wholePieces(piecesIn(line))
    const wanted = { balances: [balance.join('-')], cause: doc.sn }
    const { units } = await makeLabels(tx, session, wanted, count, given.length > 0 ? given : null)
    const codes = await tx<{ bare: string }[]>`
      select bare from unit_code where lot_id = ${line.lot_id} and unit_id = any(${units as string[]}::bigint[])
       order by bare`
    named.push({ line_no: line.line_no, values: { child_codes: codes.map(row => row.bare) } })
  }
  if (named.length > 0) await patchLines(tx, session, doc, named, 'withAction')
}

/** The box is closed again: labels that its pieces got are void, unless they were printed or the pieces moved. */
export async function forgetPieces(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  if (!isBoxes(ctx)) return
  const made = await tx<{ unit_id: string }[]>`
    select unit_id from issued_label
     where org_id = ${session.org.id} and source_sn = ${doc.sn} and ended_at is null order by unit_id`
  if (made.length > 0)
    await voidLabels(
      tx,
      session,
      made.map(row => row.unit_id),
      `拆包单${doc.sn}${ctx.spec.label}`,
    )
}
