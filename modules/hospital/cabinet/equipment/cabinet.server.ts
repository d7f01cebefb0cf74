import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { SILENT } from '#modules/hospital/cabinet/device/device-command.server.ts'
import { contentOf } from '#modules/hospital/cabinet/equipment/contents-print.server.ts'
import { newKeyId, secretOf } from '#server/public/devices.ts'
import type { Fragment, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** True if a device is online: `c` is the alias of its row. */
export const onlineOf = (tx: Tx, c: string): Fragment =>
  tx`case when ${tx(`${c}.key_state`)} = 'none' then 'none'
    when ${tx(`${c}.last_beat_at`)} > now() - ${SILENT}::interval then 'online' else 'offline' end`

/** True if a door is open longer than allowed: `d` is the alias of the door, `c` of its cabinet. */
export const isLate = (tx: Tx, d: string, c: string): Fragment =>
  tx`(${tx(`${d}.is_open`)}
    and ${tx(`${d}.opened_at`)} < now() - make_interval(secs => coalesce(${tx(`${d}.open_seconds`)},
    ${tx(`${c}.open_seconds`)})))`

const stockIn = (tx: Tx, session: Session, warehouse: unknown) => tx<{ one: number }[]>`
  select 1 as one from stock_balance where org_id = ${session.org.id} and warehouse_id = ${String(warehouse)}
    and quantity > 0 limit 1`

/** A cabinet belongs to a warehouse of type cabinet, and stays there while it holds goods. */
async function checkStore(
  tx: Tx,
  session: Session,
  before: Readonly<RecordRow> | null,
  after: RecordRow,
): Promise<void> {
  const [store] = await tx<{ model: string; status: string }[]>`
    select model, status from warehouse
      where org_id = ${session.org.id} and id = ${String(after.warehouse_model_inner_sn)}`
  if (store?.model !== 'cabinet') throw new BusinessError('rule', '对应仓库应为智能柜类型，请先在仓库建模中新增')
  if (store.status !== 'enabled') throw new BusinessError('rule', '对应仓库已停用，请重新选择')
  if (before === null || before.warehouse_model_inner_sn === after.warehouse_model_inner_sn) return
  const [stored] = await stockIn(tx, session, before.warehouse_model_inner_sn)
  if (stored) throw new BusinessError('blocked', '柜内仍有库存，不能解绑')
}

export const cabinetRules: RecordRules = {
  kind: 'cabinet',
  platformReads: 'H',
  visible: (tx, session) =>
    session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`,
  columns: (tx, session) => ({
    department_name: tx`(select d.name from warehouse w join department d on d.org_id = w.org_id
      and d.id = w.department_id where w.org_id = t.org_id and w.id = t.warehouse_id)`,
    online: onlineOf(tx, 't'),
    door_count: tx`(select count(*)::int from cabinet_door d where d.org_id = t.org_id and d.cabinet_id = t.id)`,
    piece_count: tx`(select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b
      where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id)`,
    open_alarm: tx`exists (select 1 from cabinet_door d where d.org_id = t.org_id and d.cabinet_id = t.id
      and ${isLate(tx, 'd', 't')})`,
  }),
  async check(tx, session, { before, after, id }) {
    const [other] = await tx`
      select 1 from cabinet
        where org_id = ${session.org.id} and warehouse_id = ${String(after.warehouse_model_inner_sn)}
        and id is distinct from ${id}::bigint`
    if (other) return [{ field: 'warehouse_model_inner_sn', msg: '该仓库已绑定其他耗材柜' }]
    await checkStore(tx, session, before, after)
    return []
  },
  async mayLeave(tx, session, action, row) {
    const [stored] = await stockIn(tx, session, row.warehouse_model_inner_sn)
    if (stored) throw new BusinessError('blocked', `柜内仍有库存，不能${action === 'del' ? '解绑或删除' : '停用'}`)
    if (action === 'disable') return
    const [said] = await tx`
      select 1 from cabinet_event where org_id = ${session.org.id} and cabinet_id = ${String(row.cabinet_sn)}
      union all select 1 from cabinet_door where org_id = ${session.org.id} and cabinet_id = ${String(row.cabinet_sn)}
        limit 1`
    if (said) throw new BusinessError('blocked', `智能柜【${String(row.name)}】已有柜门或存取记录，不能删除，只能停用`)
  },
  print: (tx, session, row) => contentOf(tx, session, row, null),
  actions: {
    /** The old key is invalid at once: a stolen device opens nothing. */
    async rotateKey(_tx, session, row) {
      if (row.status !== 'enabled') throw new BusinessError('rule', '智能柜已停用，不能生成密钥')
      const key_id = newKeyId(session.org.id, String(row.cabinet_sn))
      return { key_id, key_state: 'active', key_made_at: instant(), key_made_by: session.userName }
    },
    async disableKey(_tx, _session, row) {
      if (row.key_state !== 'active') throw new BusinessError('wrongState', '密钥未生成或已停用')
      return { key_state: 'disabled' }
    },
  },
  resultOf: (_session, action, row) =>
    action === 'rotateKey' ? { 密钥编号: String(row.key_id), 密钥: secretOf(String(row.key_id)) } : null,
}
