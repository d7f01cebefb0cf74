import { byName } from '#server/public/documents.ts'
import { kindsOf } from '#kernel/measure/feeding.ts'
import { dayOf, instant } from '#kernel/values/date.ts'
import { isNegative } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type BottleState, isOperation, tracedAs } from '#modules/hospital/reagents/bottle-states.ts'
import { type Bottle, bottlesByCode, bottlesUsedBy, writeSteps } from '#modules/hospital/reagents/bottles.server.ts'
import { openExpiryOf } from '#modules/hospital/reagents/operations.server.ts'
import type { ActionCheck, Hooks } from '#server/public/hooks.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'
import { takeBackStep } from '#server/public/traceability.ts'

/** Documents by which an opened bottle may leave the stock all the same. */
const ends = () => kindsOf('used', 'lost')

/** A bottle that was opened is not given away, also where only its loading will post the use. */
async function refuseOpened(ctx: Parameters<ActionCheck['check']>[0]): Promise<void> {
  const { tx, session, definition, doc } = ctx
  if (session.org.type !== 'H' || definition.posting.stockDirection !== 'out' || ends().includes(definition.kind))
    return
  const codes = doc.lines.flatMap(line => line.unit_codes)
  const opened = (await bottlesByCode(tx, session.org.id, codes)).find(bottle => bottle.state !== 'in_stock')
  if (!opened) return
  const line = doc.lines.find(each => each.unit_codes.includes(opened.code))
  const msg = `试剂${opened.code}已开瓶，不能${definition.title.replace(/单$/, '')}`
  throw new BusinessError('rule', msg, [{ field: 'unit_codes', line: line?.line_no ?? 1, msg }])
}

export const openedBottleCheck: ActionCheck = { check: refuseOpened }

/** Bottles that were used by hand, at the wards' own page: they count as opened from then on. */
async function openByUse(tx: Tx, session: Session, bottles: readonly Bottle[], sn: string, at: string): Promise<void> {
  const closed = bottles.filter(bottle => bottle.state === 'in_stock')
  const day = dayOf(new Date(at))
  const ends = closed.map(bottle => openExpiryOf(day, bottle.open_vial_days, bottle.expiry_date))
  await writeSteps(tx, session, closed, { operation: 'open', done_at: at, document_sn: sn })
  await tx`
    update reagent g set state = 'opened', opened_at = ${at}, version = g.version + 1,
           handled_by = ${session.userName}, open_expiry = n.ends
      from unnest(${closed.map(bottle => bottle.id)}::bigint[], ${ends}::date[]) as n(id, ends)
     where g.org_id = ${session.org.id} and g.id = n.id`
}

/** The use was taken back: the bottle gets the state from before the operation that posted it. */
async function takeBack(tx: Tx, session: Session, bottles: readonly Bottle[], sn: string): Promise<void> {
  for (const bottle of bottles) {
    const [step] = await tx<{ operation: string; state_before: BottleState }[]>`
      select operation, state_before from reagent_step
       where org_id = ${session.org.id} and reagent_id = ${bottle.id} and document_sn = ${sn}
         and operation <> 'undo' order by id desc limit 1`
    const before = step?.state_before ?? 'in_stock'
    const piece = { lot_id: bottle.lot_id, unit_id: bottle.id }
    if (step && isOperation(step.operation))
      await takeBackStep(tx, session, { kind: 'reagentTrace', sn: bottle.code }, piece, tracedAs(step.operation))
    await writeSteps(tx, session, [bottle], { operation: 'undo', done_at: instant(), document_sn: sn })
    await tx`
      update reagent set state = ${before}, use_document_id = null, use_sn = null, closed_at = null,
             opened_at = case when ${before === 'in_stock'} then null else opened_at end,
             open_expiry = case when ${before === 'in_stock'} then null else open_expiry end,
             analyser_id = null, channel = null, loaded_at = null, scrap_reason = null, version = version + 1
       where org_id = ${session.org.id} and id = ${bottle.id}`
  }
}

/** Unopened bottles that left by another document are the laboratory's no more; their record stays. */
async function letGo(tx: Tx, session: Session, bottles: readonly Bottle[], kind: string, sn: string): Promise<void> {
  const gone = await tx<{ id: string }[]>`
    select u.id from unit u join reagent g on g.org_id = ${session.org.id} and g.lot_id = u.lot_id and g.id = u.id
     where g.id = any(${bottles.map(bottle => bottle.id)}::bigint[]) and g.use_document_id is null
       and (u.status <> 'in_stock' or u.warehouse_id is distinct from g.warehouse_id)`
  const open = bottles.filter(bottle => gone.some(row => row.id === bottle.id))
  if (open.length === 0) return
  const ids = open.map(bottle => bottle.id)
  const isScrapped = kind === 'scrap'
  await writeSteps(tx, session, open, {
    operation: isScrapped ? 'scrap' : 'leave',
    done_at: instant(),
    document_sn: sn,
  })
  if (isScrapped)
    await tx`
      update reagent set state = 'scrapped', closed_at = ${instant()}, version = version + 1
       where org_id = ${session.org.id} and id = any(${ids}::bigint[])`
  else await tx`delete from reagent where org_id = ${session.org.id} and id = any(${ids}::bigint[])`
}

/**
 * Gives bottles that the document of that number scrapped the state that they had before: the bottles that a reversal
 * names, or all of them where the review is undone.
 */
async function backFromScrap(tx: Tx, session: Session, sn: string, named: readonly Bottle[] | null): Promise<void> {
  await tx`
    update reagent g set state = x.state_before, closed_at = null, version = g.version + 1
      from (select distinct on (reagent_id) reagent_id, state_before from reagent_step
             where org_id = ${session.org.id} and operation = 'scrap' and document_sn = ${sn}
             order by reagent_id, id desc) x
     where g.org_id = ${session.org.id} and g.id = x.reagent_id and g.state = 'scrapped' and g.use_document_id is null
       and ${named === null ? tx`true` : tx`g.id = any(${named.map(bottle => bottle.id)}::bigint[])`}`
}

type Effects = Hooks['effects'][number]

/** The effects of documents of other rooms on the bottles that they move. */
export const bottleEffects: Effects = {
  async onEffective(tx, session, definition, doc) {
    if (session.org.type !== 'H' || doc.role !== 'own' || definition.posting.stockDirection !== 'out') return
    const bottles = await bottlesByCode(
      tx,
      session.org.id,
      doc.lines.flatMap(line => line.unit_codes),
    )
    if (bottles.length === 0) return
    const isUse = definition.kind === 'departmentUse' || definition.kind === 'surgeryUse'
    // A reversal comes as the document that it reverses, with negative lines.
    if (doc.lines.some(line => isNegative(line.base_quantity)))
      return isUse ? takeBack(tx, session, bottles, doc.sn) : backFromScrap(tx, session, doc.sn, bottles)
    if (!isUse) return letGo(tx, session, bottles, definition.kind, doc.sn)
    const usedAt = (byName(doc).used_at as string | null | undefined) ?? instant()
    await openByUse(tx, session, bottles, doc.sn, usedAt)
    await tx`
      update reagent set use_document_id = ${doc.id}, use_sn = ${doc.sn}
       where org_id = ${session.org.id} and id = any(${bottles.map(bottle => bottle.id)}::bigint[])`
  },
  async onVoided(tx, session, definition, document) {
    if (session.org.type !== 'H' || !ends().includes(definition.kind)) return
    const [doc] = await tx<{ sn: string }[]>`
      select sn from document where org_id = ${session.org.id} and id = ${document}`
    if (definition.kind === 'scrap') return backFromScrap(tx, session, doc!.sn, null)
    await takeBack(tx, session, await bottlesUsedBy(tx, session.org.id, document), doc!.sn)
  },
}
