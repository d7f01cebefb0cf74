import type { AnyDocument, Unfit, UnfitException } from '#kernel/definition/document.ts'
import type { Move, Place, QualityState } from '#kernel/ledger/posting.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { type Day, isExpired } from '#kernel/values/date.ts'
import { isZero } from '#kernel/values/decimal.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { stockRules } from '#server/rulebook/document-rules.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Goods of a line that leave where they are. */
export type Leaving = {
  readonly line_no: number
  readonly lot_id: string | null
  readonly quality: QualityState | null
  /** The warehouse they go to, where it is one of the organisation. */
  readonly into: string | null
  /** Codes of the pieces; none where they leave by lot. */
  readonly codes: readonly string[]
}
type Lot = {
  readonly lot_id: string
  readonly lot_no: string
  readonly recalled: boolean
  readonly frozen: boolean
  readonly expiry_date: Day | null
}

const words: Readonly<Record<Unfit, string>> = {
  recalled: '已召回',
  stopped: '已停售',
  frozen: '已冻结',
  expired: '已过期',
}
const allReasons = Object.keys(words) as Unfit[]

/** Exceptions of a kind that hold for this document, whatever warehouse its goods go to. */
export const exceptionsFor = ({ compliance }: AnyDocument, doc: StoredDocument): readonly UnfitException<never>[] =>
  (compliance.takesUnfit ?? []).filter(({ when }) => when === undefined || when(doc))

const leaves = ({ at }: Place): boolean => at === 'store' || at === 'loan'

/** Goods that leave a store by these moves; those in transit go to the store that the document names. */
export const leavingBy = (doc: StoredDocument, moves: readonly Move[]): Leaving[] => {
  const lines = new Map(doc.lines.map(line => [line.line_no, line]))
  return moves
    .filter(move => leaves(move.from) && !isZero(move.quantity))
    .map(move => ({
      line_no: move.line_no,
      lot_id: move.lot ?? lines.get(move.line_no)?.lot_id ?? null,
      quality: move.quality ?? lines.get(move.line_no)?.quality_state ?? null,
      into:
        move.to.at === 'store' ? move.to.warehouse : move.to.at === 'transit' ? doc.to_warehouse_model_inner_sn : null,
      codes: move.codes ?? lines.get(move.line_no)?.unit_codes ?? [],
    }))
}

/** Goods that a document will send out, before it is posted. */
export const leavingLines = (doc: StoredDocument): Leaving[] =>
  doc.lines
    .filter(line => !isZero(line.base_quantity))
    .map(line => ({
      line_no: line.line_no,
      lot_id: line.lot_id,
      quality: line.quality_state,
      into: doc.to_warehouse_model_inner_sn,
      codes: line.unit_codes,
    }))

/** Pieces among these that the organisation has frozen one by one, by their codes. */
const frozenPieces = async (tx: Tx, org: string, lots: readonly string[], codes: readonly string[]) => {
  const rows = await tx<{ bare: string }[]>`
    select c.bare from goods_freeze f join unit_code c on c.lot_id = f.lot_id and c.unit_id = f.unit_id
     where f.org_id = ${org} and f.state = 'frozen' and f.unit_id > 0 and f.lot_id = any(${[...lots]}::bigint[])
       and c.bare = any(${[...codes]})`
  return new Set(rows.map(row => row.bare))
}

type Wrong = { readonly reason: Unfit; readonly code: string | null }
const sentenceOf = (
  doc: StoredDocument,
  { line_no }: Leaving,
  lot: Lot,
  { reason, code }: Wrong,
  verb: string,
): Problem => {
  const line = doc.lines.find(each => each.line_no === line_no)
  const named = `${code === null ? `批号${line?.lot_no ?? lot.lot_no}` : `院内码${code}`}${words[reason]}`
  if (reason === 'recalled') return { field: 'lot_no', line: line_no, msg: `${named}，不能出库` }
  const msg =
    reason === 'expired' ? `第${line_no}行【${line?.product_name ?? ''}】${named}` : `第${line_no}行：${named}`
  return { field: reason === 'expired' ? 'expiry_date' : 'lot_no', line: line_no, msg: `${msg}，不能${verb}` }
}

const lockOf = (org: string): string => `freeze/${org}`

/**
 * Waits for the documents of an organisation that are being posted, and holds new ones back until the transaction ends:
 * what it freezes leaves by none of them.
 */
export async function holdPostings(tx: Tx, org: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${lockOf(org)}, 0))`
}

/**
 * Recalled, stopped, frozen and expired goods leave no store: judged here for every document, from what it moves. A
 * kind says in its definition where they may go all the same (`takesUnfit`).
 */
export async function refuseUnfit(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: StoredDocument,
  goods: readonly Leaving[],
): Promise<void> {
  const ids = [...new Set(goods.flatMap(({ lot_id }) => lot_id ?? []))]
  const stores = [...new Set(goods.flatMap(({ into }) => into ?? []))]
  if (ids.length === 0) return
  const codes = goods.flatMap(leaving => leaving.codes)
  // A separate statement, and the first: what is frozen is read once nobody is freezing goods any more.
  const [, found, models, pieces] = await Promise.all([
    tx`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(org)}, 0))`,
    tx<Lot[]>`
      select t.id as lot_id, t.lot_no, lot_is_recalled(${org}, t.id) as recalled, lot_is_frozen(${org}, t.id) as frozen,
             s.expiry_date::text as expiry_date
        from lot t left join stock_lot s on s.org_id = ${org} and s.lot_id = t.id
       where t.id = any(${ids}::bigint[])`,
    stores.length === 0
      ? []
      : tx<{ id: string; model: string }[]>`
        select id, model from warehouse where org_id = ${org} and id = any(${stores}::bigint[])`,
    codes.length === 0 ? new Set<string>() : frozenPieces(tx, org, ids, codes),
  ])
  const lots = new Map(found.map(lot => [lot.lot_id, lot]))
  const modelOf = new Map<string, string>(models.map(store => [store.id, store.model]))
  const exceptions = exceptionsFor(definition, doc)
  const day = shelfLifeDay(doc, definition.kind)
  const problems = goods.flatMap((leaving): Problem[] => {
    const lot = lots.get(leaving.lot_id ?? '')
    if (!lot) return []
    const frozenPiece = leaving.codes.find(code => pieces.has(code))
    const reasons = allReasons.filter(
      reason =>
        (reason === 'recalled' && lot.recalled) ||
        (reason === 'frozen' && (lot.frozen || frozenPiece !== undefined)) ||
        (reason === 'expired' && isExpired(lot.expiry_date, day)) ||
        reason === leaving.quality,
    )
    const model = modelOf.get(leaving.into ?? '')
    const excused = (reason: Unfit): boolean =>
      exceptions.some(
        ({ what = allReasons, into }) =>
          what.includes(reason) && (into === undefined || (model !== undefined && into.includes(model))),
      )
    const reason = reasons.find(each => !excused(each))
    if (reason === undefined) return []
    const code = reason === 'frozen' && !lot.frozen ? (frozenPiece ?? null) : null
    return [sentenceOf(doc, leaving, lot, { reason, code }, definition.compliance.verb ?? '出库')]
  })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems).because(stockRules.unfitStays)
}
