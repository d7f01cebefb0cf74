import { byName } from '#server/public/documents.ts'
import { recalledLots } from '#modules/base/checks/recalled-lots.server.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

type Alike = { readonly lot_id: string; readonly other_id: string; readonly other_no: string }

/**
 * Finds lots of the same goods whose number differs from a lot of the document only in small letters and capitals; only
 * for lots that never had stock.
 */
const alikeOf = ({ tx }: ActionContext, lots: readonly string[]) => tx<Alike[]>`
  select n.id as lot_id, o.id as other_id, o.lot_no as other_no
    from lot n
    join lot o on o.specification_id = n.specification_id and lot_form(o.lot_no) = lot_form(n.lot_no) and o.id <> n.id
   where n.id = any(${lots as string[]}::bigint[]) and n.lot_no ~ '[A-Za-z]'
     and not exists (select 1 from lot_org h where h.lot_id = n.id)
     and exists (select 1 from lot_org h where h.lot_id = o.id)
   order by o.id desc`

/**
 * GS1 distinguishes `ab12` from `AB12`, people and keyboards often do not: a new lot that looks like an existing one
 * must be confirmed by the user.
 */
async function askForAlike(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc, action } = ctx
  if (action !== 'submit' || definition.posting.stockDirection === 'out') return
  const named = doc.lines.map(line => {
    const { line_no, lot_id, lot_no } = line
    const { new_lot_id, new_lot_no } = byName(line)
    return new_lot_id
      ? { line_no, lot_id: String(new_lot_id), lot_no: String(new_lot_no) }
      : { line_no, lot_id: lot_id ?? '', lot_no: lot_no ?? '' }
  })
  const lots = [...new Set(named.flatMap(({ lot_id }) => (lot_id === '' ? [] : [lot_id])))]
  const alike = lots.length === 0 ? [] : await alikeOf(ctx, lots)
  if (alike.length === 0) return
  const recalled = await recalledLots(
    tx,
    session.org.id,
    alike.map(lot => lot.other_id),
  )
  for (const { line_no, lot_id, lot_no } of named) {
    const other = alike.find(lot => lot.lot_id === lot_id)
    if (!other) continue
    const held = recalled.has(other.other_id) ? `（批号${other.other_no}已召回）` : ''
    const msg = `第${line_no}行：批号${lot_no}与已有批号${other.other_no}仅大小写不同${held}，请核对实物标签，确认是另一批号吗？`
    ctx.warnings.push({ rule: 'lotsAlike', line: line_no, msg })
  }
}

export const lotsAlikeCheck: ActionCheck = { check: askForAlike }
