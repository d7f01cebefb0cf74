import type { BusinessDocument } from '#kernel/definition/document.ts'
import type { Move, Place } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { postingContext } from '#server/public/actions.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

const placeOf = (place: Place): string => (place.at === 'store' ? (place.location ?? '') : '')

/**
 * Goods in a numbered kit leave it only by 取出, 拆包 or with an operation, and come in only by 组包, 补货 or coming back:
 * other documents neither take from a kit nor put into one. A change in place (quality, count) does neither. One
 * statement, and none where no line names a place.
 */
async function refuseKitGoods({ tx, session, definition, doc }: ActionContext): Promise<void> {
  const { postings, opensContainers } = definition.posting
  if (!postings || opensContainers) return
  const { moves = [] } = postings(doc as BusinessDocument as never, postingContext(session))
  const changed = moves.filter((move: Move) => placeOf(move.from) !== placeOf(move.to))
  const places = [...new Set(changed.flatMap(move => [placeOf(move.from), placeOf(move.to)]))].filter(Boolean)
  if (places.length === 0) return
  const kits = await tx<{ code: string }[]>`
    select code from container_place where org_id = ${session.org.id} and code = any(${places})`
  const codes = new Set(kits.map(kit => kit.code))
  for (const { from, to, line_no } of changed) {
    const name = doc.lines.find(line => line.line_no === line_no)?.product_name ?? ''
    const out = codes.has(placeOf(from)) ? `${name}在套包【${placeOf(from)}】内，请先取出` : null
    const into = codes.has(placeOf(to)) ? `货位${placeOf(to)}是套包，请用组包、补货或扫码装入` : null
    const what = out ?? into
    if (!what) continue
    const msg = `第${line_no}行：${what}`
    throw new BusinessError('rule', msg, [{ field: 'location', line: line_no, msg }])
  }
}

export const kitGoodsCheck: ActionCheck = { check: refuseKitGoods }
