import { unpack } from '#modules/goods/packs/unpack.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { loadDocument, patchLines, type TypedLine } from '#server/public/documents.ts'
import { compare, type Decimal, plain, subtract, wholePieces } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { makeLabels, voidLabels } from '#server/public/traceability.ts'

type Context = ContextOf<typeof unpack>
type Line = TypedLine<typeof unpack>

const isBoxes = ({ doc }: Context): boolean => doc.unpack_type === 'box'
const childrenOf = (line: Line): readonly string[] => (line.child_codes as readonly string[] | undefined) ?? []
/** The quantity of a line that is lost, and the quantity that comes out of it. */
export const lostOf = (line: Line): Decimal => (line.lost_quantity as Decimal | null | undefined) ?? '0'
export const releasedOf = (line: Line): Decimal => subtract(line.base_quantity, lostOf(line), 3)

const boxOf = (line: Line): string | null => line.box_code ?? null

/** A box with a code is one box, and is opened once. */
export async function refuseOpenedBoxes(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const refuse = (line: Line, msg: string): never => {
    throw new BusinessError('rule', `第${line.line_no}行：${msg}`, [{ field: 'box_code', line: line.line_no, msg }])
  }
  const named = doc.lines.flatMap(line => {
    const code = boxOf(line)
    return code === null ? [] : [{ line, code }]
  })
  if (named.length === 0) return
  const opened = await tx<{ code: string; sn: string }[]>`
    select b.code, d.sn from opened_box b join document d on d.org_id = b.org_id and d.id = b.document_id
     where b.org_id = ${session.org.id} and b.code = any(${named.map(({ code }) => code)})`
  for (const [at, { line, code }] of named.entries()) {
    if (!isBoxes(ctx)) refuse(line, '只有外箱拆零填写箱码')
    if (compare(line.quantity, '1') !== 0) refuse(line, '填写箱码的行为一箱，数量应为1')
    if (named.some((other, before) => before < at && other.code === code)) refuse(line, `箱码${code}在本单中重复`)
    const before = opened.find(box => box.code === code)
    if (before) refuse(line, `箱码${code}已由拆包单${before.sn}拆箱`)
  }
}

/** Stores the pieces of each box under the code of the box, so that a scan of either finds the other. */
export async function keepBoxes({ tx, session, doc }: Context): Promise<void> {
  const { lines } = await loadDocument(tx, session.org.id, unpack, doc.sn)
  const boxes = lines.flatMap(line => {
    const code = boxOf(line)
    return code === null ? [] : [{ code, lot_id: line.lot_id, pieces: childrenOf(line) }]
  })
  if (boxes.length > 0)
    await tx`
    insert into opened_box (org_id, code, document_id, lot_id, piece_codes)
    select ${session.org.id}, b.code, ${doc.id}, b.lot_id, b.pieces
      from jsonb_to_recordset(${tx.json(boxes)}) as b(code text, lot_id bigint, pieces text[])
    returning code`
}

/** A box must have as many codes as pieces came out of it. */
export async function refuseWrongChildren(ctx: Context): Promise<void> {
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
    if (compare(String(codes.length), releasedOf(line)) !== 0)
      refuse(`子码${codes.length}个，与拆出数量${plain(releasedOf(line))}不一致`)
  }
}

/** Boxes whose pieces got codes can only be closed again all together. */
export async function refusePartOfBoxes(ctx: Context): Promise<void> {
  const { lines } = ctx.body
  if (isBoxes(ctx) && lines !== undefined && lines !== null && lines !== '')
    throw new BusinessError('rule', '外箱拆零请整单红冲')
}

/** Gives the pieces of an outer box the maker's codes, or codes of ours if the product is managed piece by piece. */
export async function namePieces(ctx: Context): Promise<void> {
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
    const count = wholePieces(releasedOf(line))
    const wanted = { balances: [balance.join('-')], cause: doc.sn }
    const { codes } = await makeLabels(tx, session, wanted, count, given.length > 0 ? given : null)
    named.push({ line_no: line.line_no, values: { child_codes: codes.toSorted() } })
  }
  if (named.length > 0) await patchLines(tx, session, doc, named, 'withAction')
}

/** Closing a box again voids the labels of its pieces, unless they were printed or the pieces moved. */
export async function forgetPieces(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (!isBoxes(ctx)) return
  await tx`delete from opened_box where org_id = ${session.org.id} and document_id = ${doc.id}`
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
