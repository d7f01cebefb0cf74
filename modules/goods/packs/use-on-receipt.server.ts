import type { ActionContext } from '#server/public/hooks.ts'
import { isPackCode } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { createAndReview } from '#server/public/actions.ts'
import { definitionOf, type LineInput } from '#server/public/drafts.ts'
import {
  loadDocument,
  patchDocument,
  patchLines,
  stateAhead,
  type StoredDocument,
  type StoredLine,
} from '#server/public/documents.ts'
import { inNameOf, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The part of a line that is used up on receipt: packs by their template, or the whole line by the store's list. */
type Used = { readonly line: StoredLine; readonly whole: boolean; readonly packs: readonly string[] }

/**
 * Lines of a ward's receipt with goods that are used up on receipt. Implants never are, because each use on a patient
 * must be recorded.
 */
async function usedOnReceipt(tx: Tx, session: Session, doc: StoredDocument): Promise<readonly Used[]> {
  const packs = doc.lines.flatMap(line => line.unit_codes)
  const sizes = [...new Set(doc.lines.map(line => line.specification_sn))]
  const [rows, listed] = await Promise.all([
    packs.length === 0
      ? []
      : tx<{ code: string }[]>`
        select coalesce(k.piece_code, k.code) as code
          from pack k join pack_template t on t.org_id = k.org_id and t.id = k.template_id
         where k.org_id = ${session.org.id} and (k.code = any(${packs}) or k.piece_code = any(${packs}))
           and k.opened_at is null and t.used_on_receipt
         order by k.code`,
    tx<{ id: string }[]>`
      select a.id from unnest(${sizes}::bigint[]) a(id)
        join specification s on s.id = a.id join product p on p.id = s.product_id and not p.is_implant
        left join mapped_size z on z.specification_id = a.id
        join stock_limit k on k.stands_for_id = coalesce(z.stands_for_id, a.id) and k.used_on_receipt
       where k.org_id = ${session.org.id} and k.warehouse_id = ${doc.warehouse_model_inner_sn}`,
  ])
  const [ofTemplate, ofList] = [new Set(rows.map(row => row.code)), new Set(listed.map(row => row.id))]
  return doc.lines.flatMap((line): Used[] => {
    if (!isPositive(line.base_quantity)) return []
    if (ofList.has(line.specification_sn ?? '')) return [{ line, whole: true, packs: [] }]
    const mine = line.unit_codes.filter(code => ofTemplate.has(code))
    return mine.length > 0 ? [{ line, whole: false, packs: mine }] : []
  })
}

/** The used goods as a line: by codes if they have some, otherwise by lot, owner and place. */
const asUsed = ({ line, whole, packs }: Used): LineInput => ({
  source_line_no: line.line_no,
  ...(!whole || line.unit_codes.length > 0
    ? { unit_codes: [...(whole ? line.unit_codes : packs)] }
    : {
        specification_sn: line.specification_sn,
        lot_no: line.lot_no,
        lot_id: line.lot_id,
        owner_org_sn: line.owner_org_sn,
        location: line.location ?? '',
        unit_inner_sn: line.specification_sn,
        quantity: line.base_quantity,
      }),
})

const isPack = ({ line, whole }: Used): boolean => !whole || line.unit_codes.some(isPackCode)

/**
 * 领用即消耗: packs whose template is set so, and goods marked so on the receiving store's list, are used up by the
 * department in the action that receives them.
 */
export async function useOnReceipt(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const used = await usedOnReceipt(tx, session, doc)
  if (used.length === 0) return
  await stateAhead(ctx, 'reviewed')
  const organisation = inNameOf(session)
  const sns: string[] = []
  for (const [use_type, some] of Map.groupBy(used, one => (isPack(one) ? 'pack_open' : 'consume'))) {
    const header = {
      source_type: sourceTypes.WARD_RECEIPT,
      source_sn: doc.sn,
      warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
      department_inner_sn: doc.department_inner_sn,
      use_type,
      business_date: doc.business_date,
      remark: `领用即消耗：科室收货单${doc.sn}`,
    }
    sns.push(await createAndReview(tx, organisation, 'departmentUse', header, some.map(asUsed)))
  }
  await patchDocument(tx, session, doc, { used_sn: sns.join('、') }, 'derived')
}

/** Refuses to undo a receipt while the usage document that it created is valid. */
export async function refuseUsed({
  tx,
  session,
  doc,
  spec,
}: ActionContext<StoredDocument & { readonly used_sn?: string | null }>): Promise<void> {
  const sns = String(doc.used_sn ?? '').split('、')
  const [use] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'departmentUse' and role = 'own'
      and sn = any(${sns}) and state in ('reviewed', 'partial', 'completed') limit 1`
  if (use) throw new BusinessError('blocked', `收货时已登记使用（${use.sn}），不能${spec.label}，请先红冲该科室使用单`)
}

/** Marks each line that will be used up on receipt, so that the receiver sees it. */
export async function noteUsedOnReceipt(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, definitionOf('wardReceipt'), sn)
  const used = new Set((await usedOnReceipt(tx, session, doc)).map(({ line }) => line.line_no))
  const lines = doc.lines
    .filter(line => used.has(line.line_no) !== (line.used_on_receipt === true))
    .map(line => ({ line_no: line.line_no, values: { used_on_receipt: used.has(line.line_no) } }))
  if (lines.length > 0) await patchLines(tx, session, doc, lines, 'derived')
}
