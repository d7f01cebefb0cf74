import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import {
  askReading,
  isBeingRead,
  type Reading,
  whyUnreadable,
} from '#modules/hospital/cabinet/device/reading-requests.server.ts'
import { settle } from '#modules/hospital/cabinet/stock-check/resolve-difference.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { CallContext, RecordRow, RecordRules } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const APART_MINUTES = 5
const visibleTo = (tx: Tx, session: Session) =>
  scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: tx`t.department_id`, people: [] })

/** A piece may be booked as lost only when two readings, five minutes apart, did not find it. */
export function refuseHasty(row: Readonly<RecordRow>): void {
  const minutes = (Date.parse(String(row.compared_at)) - Date.parse(String(row.first_seen_at))) / 60_000
  if (row.difference_kind === 'missing' && (parseInteger(row.reads) < 2 || minutes < APART_MINUTES))
    throw new BusinessError('rule', '请再次读取确认：缺失须在间隔5分钟以上的两次读取中都未读到')
}

/** The differences become a draft stock count, one per cabinet. */
async function toTake({ tx, session, ids }: CallContext) {
  const rows = await tx<(RecordRow & { id: string; warehouse_id: string; compare_no: string })[]>`
    select t.id, t.warehouse_id, t.compare_no, t.state, t.difference_kind, t.reads, t.compared_at, t.first_seen_at
      from cabinet_comparison t
     where t.org_id = ${session.org.id} and t.id = any(${ids.filter(key => /^\d{1,18}$/.test(key))}::bigint[])
       and ${visibleTo(tx, session)} for update`
  if (rows.length < ids.length) throw new BusinessError('notFound', '柜体库存比对不存在或已被删除')
  const closed = rows.find(row => row.state !== 'waiting')
  if (closed) throw new BusinessError('wrongState', `比对${closed.compare_no}的差异不是待处理，请取消勾选`)
  for (const row of rows) refuseHasty(row)
  const docs: string[] = []
  for (const [warehouse, mine] of Map.groupBy(rows, row => row.warehouse_id)) {
    const sn = await createSystemDraft(
      tx,
      session,
      'stockTake',
      {
        warehouse_model_inner_sn: warehouse,
        remark: `柜体库存比对${[...new Set(mine.map(row => row.compare_no))].join('、')}`,
      },
      null,
    )
    docs.push(sn)
    await tx`
      update cabinet_comparison set state = 'handled', handling = 'stockTake', document_kind = 'stockTake',
        document_sn = ${sn}, handled_by = ${session.userName}, handled_at = ${instant()}, version = version + 1
       where org_id = ${session.org.id} and id = any(${mine.map(row => row.id)}::bigint[])`
  }
  return { said: `已生成盘点单${docs.join('、')}` }
}

/**
 * 立即比对: one cabinet, those of a department, or all the user sees. Of several, cabinets already being read are listed
 * and skipped.
 */
async function compare({ tx, session, asked }: CallContext) {
  if (asked.cabinet_sn) return { said: updateOf([await askReading(tx, session, String(asked.cabinet_sn), 'hand')], []) }
  const cabinets = await tx<{ id: string; name: string; busy: boolean }[]>`
    select c.id, c.name, ${isBeingRead(tx)} as busy
      from cabinet c join warehouse t on t.org_id = c.org_id and t.id = c.warehouse_id
     where c.org_id = ${session.org.id} and c.status = 'enabled'
       and (${(asked.department_inner_sn as string | null) ?? null}::bigint is null
       or t.department_id = ${(asked.department_inner_sn as string | null) ?? null})
       and ${scopeSql(tx, session, { stores: [tx`t.id`], department: tx`t.department_id`, people: [] })} order by c.id`
  if (cabinets.length === 0) throw new BusinessError('rule', '没有可以比对的智能耗材柜，请另选科室或柜体')
  const asking: Reading[] = []
  for (const { id, busy } of cabinets) if (!busy) asking.push(await askReading(tx, session, id, 'hand'))
  return {
    said: updateOf(
      asking,
      cabinets.filter(each => each.busy).map(each => each.name),
    ),
  }
}

/** The result of the request, by cabinet. */
function updateOf(asked: readonly Reading[], busy: readonly string[]): string {
  const numbers = (some: readonly Reading[]) => some.map(each => each.no).join('、')
  const silent = Map.groupBy(asked, each => each.silent)
  const begun = silent.get(null) ?? []
  return [
    begun.length > 0 ? `比对${numbers(begun)}已开始，请等待设备读取（最长60秒）` : '',
    ...[...silent].map(([why, some]) =>
      why === null ? '' : `比对${numbers(some)}未完成：智能柜【${some.map(each => each.name).join('】【')}】${why}`,
    ),
    busy.length > 0 ? `智能柜【${busy.join('】【')}】正在读取，请稍候` : '',
  ]
    .filter(Boolean)
    .join('；')
}

const HOURS = /^([01]?\d|2[0-3])([,，]([01]?\d|2[0-3]))*$/

async function auto({ tx, session, asked }: CallContext) {
  const hours = (asked.compare_hours as string | null | undefined) ?? null
  if (hours !== null && !HOURS.test(hours))
    throw new BusinessError('invalid', '请填写0至23的整点，用逗号隔开，例如7,19')
  const [cabinet] = await tx<{ name: string; key_state: string }[]>`
    update cabinet set compare_hours = ${hours}, version = version + 1
      where org_id = ${session.org.id} and id = ${String(asked.cabinet_sn)} returning name, key_state`
  if (hours === null) return { said: '已取消定时比对' }
  const why = cabinet ? whyUnreadable(cabinet.key_state) : null
  return { said: `每天${hours}点比对${why === null ? '' : `；智能柜【${cabinet!.name}】${why}`}` }
}

export const cabinetComparisonRules: RecordRules = {
  kind: 'cabinetComparison',
  visible: (tx, session) => tx`${visibleTo(tx, session)}`,
  columns: tx => ({
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
    door_no: tx`(select d.door_no from cabinet_slot s join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id
      where s.org_id = t.org_id and d.cabinet_id = t.cabinet_id and s.specification_id = t.specification_id
      order by d.door_no limit 1)`,
  }),
  mayWrite(_session, action, row) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '比对结果由设备读取，不能新增、修改或删除')
    if (action === 'handle' && row !== null && row.state !== 'waiting')
      throw new BusinessError('wrongState', row.state === 'handled' ? '该差异已处理' : '没有待处理的差异')
    if (action === 'retry' && row !== null && !['waiting', 'unfinished'].includes(String(row.state)))
      throw new BusinessError('wrongState', '该比对不需要重新读取')
  },
  actions: {
    handle: settle,
    async retry(tx, session, row) {
      await askReading(tx, session, String(row.cabinet_sn), 'hand')
    },
  },
  calls: { compare, toTake, auto },
}
