import type { BusinessDocument } from '#kernel/definition/document.ts'
import { type Move, type QualityState, qualityStates } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { areaKinds, mayStore } from '#modules/base/vocabulary/storage-conditions.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { postingContext } from '#server/public/actions.ts'

/** The quality states allowed in an area, by its floor colour. Frozen goods stay where they were found. */
const fits: Readonly<Record<keyof typeof areaKinds, readonly QualityState[]>> = {
  qualified: ['qualified', 'frozen'],
  shipping: ['qualified', 'frozen'],
  pending: ['pending', 'frozen'],
  unqualified: ['unqualified', 'frozen'],
  returned: ['pending', 'unqualified', 'frozen'],
  stopped: ['stopped', 'frozen'],
}
const areaFor = (quality: QualityState): string =>
  Object.entries(fits)
    .filter(([, states]) => states.includes(quality))
    .map(([kind]) => areaKinds[kind as keyof typeof areaKinds])
    .join('或')

/**
 * Goods that a document puts on a location entered by a user: goods that stay in place, and goods coming back from
 * transit, do not count as put away.
 */
function putAway({ definition, doc, session }: ActionContext) {
  if (!definition.posting.postings) return []
  const { moves = [] } = definition.posting.postings(doc as BusinessDocument as never, postingContext(session))
  return moves.flatMap((move: Move) => {
    const { from, to } = move
    if (to.at !== 'store' || !to.location) return []
    const stays = from.at === 'store' && from.warehouse === to.warehouse && from.location === to.location
    if (stays || (from.at === 'transit' && move.step === 'return')) return []
    const quality = move.toQuality ?? move.quality ?? 'qualified'
    return [{ line_no: move.line_no, warehouse: to.warehouse, location: to.location, quality }]
  })
}

type Place = {
  line_no: number
  store: string
  uses: boolean
  /** A slot behind a cabinet's door, or a numbered kit: their own rules decide what they may hold. */
  is_slot: boolean
  place: string | null
  open: boolean
  kind: keyof typeof areaKinds
  condition: string
  product: string
  is_cold_chain: boolean
  storage: string | null
}

/**
 * A location must belong to the warehouse, be open, be in an area for goods of this quality, and meet the storage
 * conditions. A warehouse that does not use locations has none; for goods at a customer before the sale, the
 * document is the location. One statement for any number of lines.
 */
export async function refuseUnknownPlaces(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, definition } = ctx
  const puts = putAway(ctx)
  if (puts.length === 0) return
  const specifications = new Map(doc.lines.map(line => [line.line_no, line.specification_sn]))
  const asked = puts.map(put => ({ ...put, specification: specifications.get(put.line_no) ?? null }))
  const places = await tx<(Place & { location: string; quality: QualityState })[]>`
    select a.line_no, a.location, a.quality, w.name as store, w.use_locations as uses, k.code as place,
           exists (select 1 from cabinet c join cabinet_door d on d.org_id = c.org_id and d.cabinet_id = c.id
             join cabinet_slot x on x.org_id = d.org_id and x.door_id = d.id
                    where c.org_id = w.org_id and c.warehouse_id = w.id and x.location = a.location)
             or exists (select 1 from container_place c where c.org_id = w.org_id and c.code = a.location) as is_slot,
                      coalesce(k.status = 'enabled' and s.status = 'enabled'
                      and coalesce(r.status, 'enabled') = 'enabled', false) as open, s.area_kind as kind,
           s.storage_condition as condition, p.name as product, p.is_cold_chain, p.storage_condition as storage
      from jsonb_to_recordset(${tx.json(asked)}) as a(line_no int, warehouse bigint, location text,
        quality text, specification bigint)
      join warehouse w on w.org_id = ${session.org.id} and w.id = a.warehouse and w.model not in ('advance', 'loan')
      left join shelf_place k on k.org_id = w.org_id and k.warehouse_id = w.id and k.code = a.location
      left join shelf s on s.org_id = k.org_id and s.id = k.shelf_id
      left join store_area r on r.org_id = s.org_id and r.warehouse_id = s.warehouse_id and r.code = s.area
      left join specification f on f.id = a.specification left join product p on p.id = f.product_id
     order by a.line_no`
  const field = 'to_location' in definition.lines ? 'to_location' : 'location'
  for (const row of places) {
    const msg = whatIsWrong(row, row.location, row.quality)
    if (msg) throw new BusinessError('rule', `第${row.line_no}行：${msg}`, [{ line: row.line_no, field, msg }])
  }
}

function whatIsWrong(place: Place, location: string, quality: QualityState): string | null {
  if (place.is_slot) return null
  if (!place.uses) return `仓库【${place.store}】未启用货位，请清空货位${location}，或先在仓库建模中启用`
  if (place.place === null) return `仓库【${place.store}】没有货位${location}，请在仓库建模中核对货位编码`
  if (!place.open) return `货位${location}已停用，请重新选择`
  if (!fits[place.kind].includes(quality))
    return `货位${location}在${areaKinds[place.kind]}，${qualityStates[quality]}货物只能放在${areaFor(quality)}`
  if (!mayStore(place.condition, place.is_cold_chain, place.storage)) return `货位储存条件与产品不符：${location}`
  return null
}
