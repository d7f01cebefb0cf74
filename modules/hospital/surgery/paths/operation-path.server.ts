import { documents } from '#kernel/registry.ts'
import { addDays, instant, startOf, today } from '#kernel/values/date.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import {
  deliverAtOnce,
  newerVersion,
  newestOf,
  publish,
  pushAction,
  takeTemplate,
} from '#modules/goods/packs/kits/published-templates.server.ts'
import {
  type Change,
  type Fragment,
  isPlatformReading,
  type RecordAction,
  type RecordRow,
  type RecordRules,
} from '#server/public/records.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Days of reviewed usage records that figures of a path look at. */
const LOOKED_AT = 365

/** Reviewed operations of the procedure that a path names: `t` is the path, `d` the record of use. */
const operations = (tx: Tx, session: Session, path: Fragment) => tx`from document d
  where d.org_id = ${session.org.id} and d.kind = 'surgeryUse' and d.role = 'own'
    and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null
    and d.fields->>'surgery_name' = ${path}
    and d.reviewed_at >= ${startOf(addDays(today(), -LOOKED_AT))}::timestamptz`

const priceOf = (tx: Tx, session: Session) =>
  session.org.type === 'H'
    ? tx`(select h.purchase_price from hospital_product h
        where h.org_id = ${session.org.id} and h.specification_id = l.specification_id)`
    : tx`(select coalesce(nullif(h.sale_price, 0), s.price) from specification s
        left join dealer_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
       where s.id = l.specification_id)`

const names = (tx: Tx, type: 'kit' | 'toolsKit') => tx`(select string_agg(distinct coalesce(k.name, o.name,
    l.item_name), '、')
  from operation_path_line l
  left join operation_kit k on k.org_id = l.org_id and k.id = l.operation_kit_id
  left join tools_template o on o.org_id = l.org_id and o.id = l.tools_template_id
 where l.org_id = t.org_id and l.operation_path_id = t.id and l.item_type = ${type})`

/** Kinds of plans that may be made by a path. */
const plans = () => documents().flatMap(({ kind, header }) => ('path_sn' in header ? [kind] : []))

/** Documents that were made by a path: `t` is the path. */
const cited = (tx: Tx) => tx`from document d where d.org_id = t.org_id and d.kind = any(${plans()})
  and d.state <> 'deleted' and d.fields->>'path_sn' = t.id::text`

const columns: RecordRules['columns'] = (tx, session) => {
  const lines = tx`from operation_path_line l where l.org_id = t.org_id and l.operation_path_id = t.id`
  return {
    stage_count: tx`(select count(distinct l.stage_no)::int ${lines})`,
    kit_count: tx`(select count(*)::int ${lines} and l.item_type = 'kit')`,
    kits: names(tx, 'kit'),
    tools: names(tx, 'toolsKit'),
    // Amounts of others are not the platform's.
    standard_amount: isPlatformReading(session)
      ? tx`null::numeric(18,2)`
      : tx`(select coalesce(sum(round(l.quantity * coalesce(${priceOf(tx, session)}, 0), 2)), 0)::numeric(18,2)
          ${lines})`,
    cited: tx`(select count(*)::int ${cited(tx)})`,
    surgery_count: tx`(select count(*)::int ${operations(tx, session, tx`t.name`)})`,
    average_amount: isPlatformReading(session)
      ? tx`null::numeric(18,2)`
      : tx`(select round(avg(d.taxed_amount), 2) ${operations(tx, session, tx`t.name`)})`,
    newer_version: newerVersion(tx, 'operationPath'),
  }
}

const REVIEWED = '手术路径已审核，请新建版本'
/** Fields that are not part of the path's text: its status and its review. */
const beside: ReadonlySet<string> = new Set(['status', 'is_current', 'review_state', 'reviewed_by', 'reviewed_at'])

function refuseWritten(state: unknown): void {
  if (state === 'reviewed') throw new BusinessError('rule', REVIEWED)
  if (state === 'submitted') throw new BusinessError('wrongState', '手术路径待审核，请先撤回提交')
}

/** A version that is enabled takes the place of those before; of one procedure one path is in force. */
async function putInForce(tx: Tx, session: Session, { id, after }: Change): Promise<Problem[]> {
  await tx`
    update operation_path set status = 'disabled', is_current = false, version = version + 1
     where org_id = ${session.org.id} and code = ${String(after.code)} and id <> ${id}
       and (status = 'enabled' or is_current)`
  after.is_current = true
  if (!after.surgery_code) return []
  const [other] = await tx`
    select 1 from operation_path t
     where t.org_id = ${session.org.id} and t.status = 'enabled' and t.id <> ${id}
       and t.surgery_code = ${String(after.surgery_code)}
       and coalesce(t.department_id, 0) = coalesce(${(after.department_inner_sn as string | null) ?? null}::bigint, 0)
       and coalesce(t.department_name, '') = ${String(after.department_name ?? '')}
     for update limit 1`
  return other ? [{ field: 'surgery_code', msg: '该术式已有启用的路径' }] : []
}

async function refuseCircle(tx: Tx, session: Session, { id, after }: Change): Promise<Problem[]> {
  if (!after.parent_sn || id === null) return []
  const [circle] = await tx`
    with recursive above as (
      select p.id, p.parent_id, 1 as depth from operation_path p
       where p.org_id = ${session.org.id} and p.id = ${String(after.parent_sn)}
      union all
      select p.id, p.parent_id, a.depth + 1 from operation_path p join above a on p.id = a.parent_id
       where p.org_id = ${session.org.id} and a.depth < 50
    ) select 1 from above where id = ${id} limit 1`
  return circle ? [{ field: 'parent_sn', msg: '上级分类不能是本路径或它的下级' }] : []
}

async function check(tx: Tx, session: Session, change: Change): Promise<readonly Problem[]> {
  const { before, after, sent, id } = change
  if (before === null) {
    after.written_by = session.userName
    return []
  }
  if (sent.status !== undefined && before.status !== after.status)
    return after.status === 'enabled' && id !== null ? putInForce(tx, session, change) : []
  if (Object.keys(sent).some(name => !beside.has(name) && before[name] !== after[name]))
    refuseWritten(before.review_state)
  return refuseCircle(tx, session, change)
}

/** Actions by how far the review has come: what would be refused is not offered. */
function mayWrite(session: Session, action: string, row: Readonly<RecordRow> | null): void {
  if (row === null) return
  const state = row.review_state
  const is = (wanted: string, sentence: string) => {
    if (state !== wanted) throw new BusinessError('wrongState', sentence)
  }
  if (action === 'submit') is('draft', '手术路径已提交')
  if (action === 'unsubmit' || action === 'review' || action === 'reject') is('submitted', '手术路径不在待审核状态')
  if (action === 'unreview') is('reviewed', '手术路径尚未审核')
  if (action === 'unreview' && row.status === 'enabled')
    throw new BusinessError('wrongState', '手术路径已启用，请先停用再反审核')
  if (action === 'enable') is('reviewed', '手术路径未审核，不能启用')
  if (action === 'newVersion') is('reviewed', '手术路径尚未审核，可直接修改')
  if (action === 'edit') refuseWritten(state)
  if (action === 'del' && row.status === 'enabled') throw new BusinessError('blocked', '手术路径已启用，请先停用再删除')
  if (action === 'push' && session.org.type !== 'P') throw new BusinessError('forbidden')
  if (action === 'takeNewer' && row.newer_version === null) throw new BusinessError('rule', '平台没有更新的版本')
}

/** Another than its author puts a path in force, unless the organisation lets authors do it themselves. */
async function refuseAuthor(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const [path] = await tx<{ author_id: string | null }[]>`
    select author_id from operation_path
     where org_id = ${session.org.id} and id = ${String(row.operation_path_sn)} for update`
  const settings = await settingsFor(tx, session.org.id)
  if (path?.author_id === session.userId && !settings.allow_self_review)
    throw new BusinessError('rule', '编制人不能审核自己的手术路径，请由他人审核')
}

const submit: RecordAction = async (tx, session, row) => {
  const [line] = await tx`
    select 1 from operation_path_line
     where org_id = ${session.org.id} and operation_path_id = ${String(row.operation_path_sn)} limit 1`
  if (!line) throw new BusinessError('rule', `手术路径【${String(row.name)}】没有明细，请先维护`)
  return { review_state: 'submitted' }
}

const review: RecordAction = async (tx, session, row) => {
  await refuseAuthor(tx, session, row)
  return { review_state: 'reviewed', reviewed_by: session.userName, reviewed_at: instant() }
}

async function refuseUsed(tx: Tx, session: Session, row: Readonly<RecordRow>, what: string): Promise<void> {
  const [used] = await tx`
    select 1 from operation_path t where t.org_id = ${session.org.id} and t.id = ${String(row.operation_path_sn)}
      and (exists (select ${cited(tx)}) or exists (select from operation_path c
        where c.org_id = t.org_id and c.parent_id = t.id))`
  if (used) throw new BusinessError('blocked', `手术路径已被使用，不能${what}`)
}

type As = { readonly code: string; readonly name: string; readonly version_no: number; readonly isFirst: boolean }

/** A draft with the text and the lines of another path: its next version, or a copy under another code. */
async function copyPath(tx: Tx, session: Session, from: string, as: As): Promise<void> {
  const [made] = await tx<{ id: string }[]>`
    insert into operation_path (org_id, code, version_no, is_current, parent_id, name, surgery_code, body_site,
      needs_side, department_id, department_name, lead_hours, system_brand, duration_minutes, attachments, remark,
      origin, template_id, template_version, written_by, author_id)
    select org_id, ${as.code}, ${as.version_no}, ${as.isFirst}, parent_id, ${as.name}, surgery_code, body_site,
           needs_side, department_id, department_name, lead_hours, system_brand, duration_minutes, attachments, remark,
           'own', null, null, ${session.userName}, ${session.userId}
      from operation_path where org_id = ${session.org.id} and id = ${from}
    on conflict do nothing returning id`
  if (!made)
    throw new BusinessError('duplicate', as.isFirst ? `路径编码${as.code}已存在，请换一个` : '已有未启用的新版本')
  await tx`
    insert into operation_path_line (org_id, operation_path_id, stage_no, stage, item_type, operation_kit_id,
      tools_template_id, specification_id, item_code, item_name, size_range, quantity, max_quantity, is_required,
      substitute, remark)
    select org_id, ${made.id}, stage_no, stage, item_type, operation_kit_id, tools_template_id, specification_id,
           item_code, item_name, size_range, quantity, max_quantity, is_required, substitute, remark
      from operation_path_line where org_id = ${session.org.id} and operation_path_id = ${from} order by id`
}

const nextVersion = async (tx: Tx, session: Session, code: unknown): Promise<number> => {
  const [last] = await tx<{ version_no: number }[]>`
    select max(version_no) as version_no from operation_path
     where org_id = ${session.org.id} and code = ${String(code)}`
  return (last?.version_no ?? 0) + 1
}

const newVersion: RecordAction = async (tx, session, row) => {
  const { code, name } = row as { code: string; name: string }
  const version_no = await nextVersion(tx, session, code)
  await copyPath(tx, session, String(row.operation_path_sn), { code, name, version_no, isFirst: false })
}

const takeNewer: RecordAction = async (tx, session, row) => {
  const [own] = await tx<{ template_id: string }[]>`
    select template_id from operation_path
     where org_id = ${session.org.id} and id = ${String(row.operation_path_sn)}`
  const newest = await newestOf(tx, 'operationPath', own?.template_id)
  if (!newest) throw new BusinessError('rule', '平台没有更新的版本')
  const version_no = await nextVersion(tx, session, row.code)
  const as = { code: String(row.code), name: newest.name, version_no }
  if ((await takeTemplate(tx, session, newest.id, as)) === null)
    throw new BusinessError('wrongState', '平台的新版本已采用')
}

const operationPathRules: RecordRules = {
  kind: 'operationPath',
  platformReads: 'P',
  columns,
  check,
  mayWrite,
  alsoWrites: async (_tx, session, { before }) => (before === null ? { author_id: session.userId } : {}),
  async saved(tx, session, id, { before, after }) {
    if (before !== null && before.status !== after.status)
      await publish(tx, session, 'operationPath', id, after.status === 'enabled')
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    await refuseUsed(tx, session, row, '删除')
  },
  actions: {
    submit,
    review,
    newVersion,
    takeNewer,
    unsubmit: async () => ({ review_state: 'draft' }),
    reject: async () => ({ review_state: 'draft' }),
    async unreview(tx, session, row) {
      await refuseUsed(tx, session, row, '反审核')
      return { review_state: 'draft', reviewed_by: null, reviewed_at: null }
    },
    copy: async (tx, session, row, _reason, answers) =>
      copyPath(tx, session, String(row.operation_path_sn), {
        code: String(answers.new_code),
        name: String(answers.new_name),
        version_no: 1,
        isFirst: true,
      }),
    push: pushAction('operationPath'),
  },
  async afterwards(sql, session, action, row) {
    if (action === 'push') await deliverAtOnce(sql, session, 'operationPath', String(row.operation_path_sn))
  },
}

/** The state of the path that a line belongs to. */
async function stateOfPath(tx: Tx, session: Session, path: unknown): Promise<string | null> {
  const [row] = await tx<{ review_state: string }[]>`
    select review_state from operation_path where org_id = ${session.org.id} and id = ${String(path)} for update`
  return row?.review_state ?? null
}

async function checkLine(tx: Tx, session: Session, { id, after, before }: Change): Promise<Problem[]> {
  refuseWritten(await stateOfPath(tx, session, before?.operation_path_sn ?? after.operation_path_sn))
  if (after.item_type === 'goods') {
    const [size] = await tx<{ name: string }[]>`
      select p.name from specification s join product p on p.id = s.product_id
       where s.id = ${String(after.specification_sn)}`
    after.item_name = size?.name ?? null
  }
  const same = (name: string, column: string) =>
    after[name] ? tx`t.${tx(column)} = ${String(after[name])}` : tx`false`
  const [twice] = await tx<{ name: string }[]>`
    select coalesce(k.name, o.name, p.name || ' ' || s.name, t.item_name) as name from operation_path_line t
      left join operation_kit k on k.org_id = t.org_id and k.id = t.operation_kit_id
      left join tools_template o on o.org_id = t.org_id and o.id = t.tools_template_id
      left join specification s on s.id = t.specification_id left join product p on p.id = s.product_id
     where t.org_id = ${session.org.id} and t.operation_path_id = ${String(after.operation_path_sn)}
       and t.stage_no = ${String(after.stage_no)} and t.item_type = ${String(after.item_type)}
       and t.id is distinct from ${id}::bigint
       and (${same('operation_kit_sn', 'operation_kit_id')} or ${same('tools_template_sn', 'tools_template_id')}
         or ${same('specification_sn', 'specification_id')}
         or (t.item_type <> 'goods' and t.operation_kit_id is null and t.tools_template_id is null
           and t.item_name = ${(after.item_name as string | null) ?? null}))
     limit 1`
  return twice ? [{ field: 'item_name', msg: `同一阶段不能重复：${twice.name}` }] : []
}

/** Loans of a supplier for operations of the procedure that a path names: `d` is the presale. */
const loans = (tx: Tx, session: Session, path: Fragment) => tx`from document d
  where d.org_id = ${session.org.id} and d.kind = 'bonePresale' and d.role = 'own'
    and d.state in ('reviewed', 'partial', 'completed', 'stopped') and d.fields->>'procedure_name' = ${path}
    and d.reviewed_at >= ${startOf(addDays(today(), -LOOKED_AT))}::timestamptz`

/**
 * The number of operations and the quantities that they used of the item of a path: `t` is its line. A hospital reads
 * its records of use; a supplier its loans, in which kits count by how many of their list went along.
 */
function usedByPath(tx: Tx, session: Session, path: Fragment): { readonly count: Fragment; readonly used: Fragment } {
  if (session.org.type === 'H')
    return {
      count: tx`(select count(*)::int ${operations(tx, session, path)})`,
      used: tx`case when t.specification_id is not null then (select coalesce(sum(u.base_quantity), 0)::numeric(18,3)
        from document_line u where u.org_id = ${session.org.id} and u.specification_id = t.specification_id
         and u.document_id in (select d.id ${operations(tx, session, path)})) end`,
    }
  return {
    count: tx`(select count(distinct coalesce(d.fields->>'plan_sn', d.sn))::int ${loans(tx, session, path)})`,
    used: tx`case when t.specification_id is not null then (select coalesce(sum(g.taken), 0)::numeric(18,3)
        from document_line u join line_progress g on g.org_id = u.org_id and g.document_id = u.document_id
         and g.line_no = u.line_no and g.purpose = 'use'
       where u.org_id = ${session.org.id} and u.specification_id = t.specification_id
         and u.document_id in (select d.id ${loans(tx, session, path)}))
      when t.operation_kit_id is not null then (select count(distinct (u.document_id, k.code))::numeric(18,3)
        from document_line u join implant_kit k on k.org_id = u.org_id and k.code = u.fields->>'kit_code'
        join operation_kit o on o.org_id = k.org_id and o.id = k.operation_kit_id
        join operation_kit i on i.org_id = t.org_id and i.id = t.operation_kit_id and i.code = o.code
       where u.org_id = ${session.org.id} and u.document_id in (select d.id ${loans(tx, session, path)})) end`,
  }
}

const operationPathLineRules: RecordRules = {
  kind: 'operationPathLine',
  columns: (tx, session) => {
    const path = tx`(select p.name from operation_path p
      where p.org_id = ${session.org.id} and p.id = t.operation_path_id)`
    const { count, used } = usedByPath(tx, session, path)
    const average = tx`round(${used} / nullif(${count}, 0), 3)`
    return {
      product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
        where s.id = t.specification_id)`,
      operations: count,
      used_total: used,
      average_used: average,
      deviation: tx`round(${used} / nullif(${count}, 0) / t.quantity - 1, 4)`,
    }
  },
  check: checkLine,
  mayLeave: async (tx, session, _action, row) => refuseWritten(await stateOfPath(tx, session, row.operation_path_sn)),
}

export const pathRecords: readonly RecordRules[] = [operationPathRules, operationPathLineRules]
