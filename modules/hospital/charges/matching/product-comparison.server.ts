import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { proposeMatches } from '#modules/hospital/charges/matching/auto-match.server.ts'
import { compareMatched, differenceNote } from '#modules/hospital/charges/matching/differences.server.ts'
import { syncDictionary } from '#modules/hospital/charges/matching/dictionary.server.ts'
import { publishRows } from '#modules/hospital/charges/matching/publish-items.server.ts'
import { bringIntoForce, keepSkips, takeOutOfForce } from '#modules/hospital/charges/matching/match-versions.server.ts'
import { matchStates, wrongFactor } from '#modules/hospital/charges/matching/product-comparison.entity.ts'
import type { Change, ListActionHandler, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type State = keyof typeof matchStates
type Ticked = { readonly id: string; readonly name: string; readonly match_state: State }

/** The ticked rows, locked; those in another state than these are refused by name. */
async function tickedIn(tx: Tx, org: string, keys: readonly string[], states: readonly State[], what: string) {
  const rows = await tx<Ticked[]>`
    select h.id, p.name || ' ' || s.name as name, coalesce(m.match_state, 'none') as match_state
      from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      left join his_match m on m.org_id = h.org_id and m.id = h.id
     where h.org_id = ${org} and h.id::text = any(${keys as string[]}) order by h.id for update of h`
  if (rows.length < keys.length) throw new BusinessError('notFound', '有的产品不存在或已停用，请刷新后重新勾选')
  const other = rows.find(row => !states.includes(row.match_state))
  if (other) throw new BusinessError('wrongState', `【${other.name}】为${matchStates[other.match_state]}，不能${what}`)
  return rows
}

/** 确认对照: proposals are in force from a day on. */
const match: ListActionHandler = async ({ tx, session, asked: { valid_from }, ids }) => {
  const org = session.org.id
  const from = String(valid_from ?? today())
  await tickedIn(tx, org, ids, ['proposed'], '确认对照')
  await tx`
    update his_match set match_state = 'matched', valid_from = ${from}, matched_by = ${session.userName},
      matched_at = now(), version = version + 1
     where org_id = ${org} and id = any(${ids as string[]}::bigint[])`
  await bringIntoForce(tx, session, ids, from)
  const different = await compareMatched(tx, org, ids)
  return { said: `已确认${ids.length}个规格的对照${different > 0 ? `，其中${different}个有差异，请核对` : ''}` }
}

/** 取消对照: removes a proposal or a mark; a pair that was in force stays in the history. */
const unmatch: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  await tickedIn(tx, org, ids, ['proposed', 'matched', 'different', 'skipped'], '取消对照')
  await tx`
    update his_match set match_state = 'none', his_item_id = null, factor = 1, valid_from = null, basis = null,
      differences = '{}', matched_by = null, matched_at = null, version = version + 1
     where org_id = ${org} and id = any(${ids as string[]}::bigint[])`
  await takeOutOfForce(tx, session, ids)
  return { said: `已取消${ids.length}个规格的对照，曾经生效的可在对照历史中查看` }
}

/** 无需对照: goods that no patient is charged for by item. */
const skip: ListActionHandler = async ({ tx, session, asked: { remark }, ids }) => {
  const org = session.org.id
  await tickedIn(tx, org, ids, ['none', 'proposed'], '设为无需对照，请先取消对照')
  await tx`
    insert into his_match as m (org_id, id, specification_id, match_state, remark, matched_by, matched_at)
    select h.org_id, h.id, h.specification_id, 'skipped', ${(remark ?? null) as string | null}, ${session.userName},
      now()
      from hospital_product h where h.org_id = ${org} and h.id = any(${ids as string[]}::bigint[])
    on conflict (org_id, id) do update set match_state = 'skipped', his_item_id = null, factor = 1, basis = null,
      remark = excluded.remark, matched_by = excluded.matched_by, matched_at = excluded.matched_at,
      version = m.version + 1`
  await keepSkips(tx, org, ids, today())
  return { said: `已将${ids.length}个规格设为无需对照` }
}

const autoMatch: ListActionHandler = async ({ tx, session }) => {
  const { proposed, several } = await proposeMatches(tx, session.org.id)
  return { said: `找到${proposed}个待确认的对照，${several}个规格有多个候选，请人工对照` }
}

const diffCheck: ListActionHandler = async ({ tx, session }) => {
  await compareMatched(tx, session.org.id, null)
  const [counted] = await tx<{ checked: number; different: number }[]>`
    select count(*)::int as checked, (count(*) filter (where match_state = 'different'))::int as different
      from his_match where org_id = ${session.org.id} and match_state in ('matched', 'different')`
  return { said: `已检查${counted!.checked}个对照，${counted!.different}个有差异` }
}

/** True if an edit changes the charged item, or the day from which it is charged. */
const changesPair = ({ before, after }: Change): boolean =>
  ['his_item_sn', 'factor', 'valid_from'].some(name => String(after[name] ?? '') !== String(before?.[name] ?? ''))

async function checkPair(tx: Tx, session: Session, change: Change) {
  const { before, after, sent } = change
  if (before && after.specification_sn !== before.specification_sn)
    return [{ field: 'specification_sn', msg: '规格型号不能修改' }]
  const wrong = wrongFactor(after.factor)
  if (wrong) return [{ field: 'factor', msg: wrong }]
  await tx`
    insert into his_match (org_id, id, specification_id)
    values (${session.org.id}, ${change.id}, ${String(after.specification_sn)}) on conflict (org_id, id) do nothing`
  if (!changesPair(change)) return []
  if (!after.his_item_sn)
    return before?.his_item_sn
      ? [{ field: 'his_item_sn', msg: '请选择HIS收费项目；要解除请用【取消对照】' }]
      : [{ field: 'his_item_sn', msg: '请先选择HIS收费项目' }]
  if (before?.match_state === 'skipped') return [{ field: 'his_item_sn', msg: '该产品已设为无需对照，请先取消对照' }]
  const [item] = await tx<{ is_active: boolean }[]>`
    select is_active from his_item where org_id = ${session.org.id} and id = ${String(after.his_item_sn)}`
  if (item?.is_active === false && sent.his_item_sn !== undefined)
    return [{ field: 'his_item_sn', msg: '该HIS项目已停用，不能对照' }]
  // A new pair is in force from today unless a day is entered.
  if (sent.valid_from === undefined || sent.valid_from === null) after.valid_from = today()
  return []
}

export const productComparisonRules: RecordRules = {
  kind: 'productComparison',
  table: 'his_match',
  readFlag: 'page:/hospital/productComparison',
  columns: (tx, session) => ({
    difference_note: tx`null::text`,
    own_type: tx`(select c.name from typed_product k join custom_type c on c.org_id = k.org_id
      and c.id = k.custom_type_id where k.org_id = ${session.org.id} and k.tree = 'own'
      and k.specification_id = t.specification_id and k.valid_to is null)`,
  }),
  complete: async (_tx, session, rows) => rows.map(row => ({ ...row, difference_note: differenceNote(session, row) })),
  mayWrite(_session, action) {
    if (action === 'add' || action === 'del')
      throw new BusinessError('rule', '对照的是医院产品目录中的规格，请在产品目录中增减')
  },
  check: checkPair,
  alsoWrites: async (_tx, session, change): Promise<Record<string, string | null>> =>
    changesPair(change)
      ? {
          match_state: 'matched',
          basis: '人工对照',
          matched_by: session.userName,
          matched_at: new Date().toISOString(),
        }
      : {},
  async saved(tx, session, id, change) {
    if (!changesPair(change)) return
    await bringIntoForce(tx, session, [id], String(change.after.valid_from))
    await compareMatched(tx, session.org.id, [id])
  },
  remoteCalls: { sync: syncDictionary },
  calls: { autoMatch, match, unmatch, skip, diffCheck, push: publishRows },
}

export const hisItemRules: RecordRules = {
  kind: 'hisItem',
  readFlag: 'page:/hospital/productComparison',
  columns: (tx, session) => ({
    matched_count: tx`(select count(*)::int from his_match m where m.org_id = ${session.org.id}
      and m.his_item_id = t.id and m.match_state in ('matched', 'different'))`,
  }),
}

export const hisMatchVersionRules: RecordRules = {
  kind: 'hisMatchVersion',
  readFlag: 'page:/hospital/productComparison',
}
