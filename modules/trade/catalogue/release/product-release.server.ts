import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { announce } from '#modules/trade/catalogue/release/release-notification.server.ts'
import {
  addWithdrawal,
  type BatchLine,
  checked,
  collectInto,
  mustPass,
  nextCode,
  recordWithdrawals,
} from '#modules/trade/catalogue/release/release-batch.server.ts'
import { takeEffect } from '#modules/trade/catalogue/release/product-revision.server.ts'
import { noteStep } from '#modules/trade/catalogue/release/product-step.server.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Batch = { id: string; code: string; audience: string; audience_orgs: string[] }
/**
 * All lines of the batch take effect: products are offered to the batch's recipients, versions apply, and withdrawn
 * products go.
 */
async function publish(tx: Tx, session: Session, batch: Batch): Promise<void> {
  const lines = await mustPass(tx, batch.id)
  const ids = lines.filter(line => line.change_kind === 'new').map(line => line.product_id)
  const orgs = batch.audience === 'orgs' ? await namedOrgs(tx, batch.audience_orgs) : null
  const types = batch.audience === 'all' || batch.audience === 'orgs' ? null : batch.audience
  await tx`
    update product set status = 'released', state_since = now(), issued_at = now(), offered_types = ${types},
      offered_to = ${orgs}::bigint[], version = version + 1
     where id = any(${ids}::bigint[])`
  await tx`update specification set status = 'released', version = version + 1 where product_id = any(${ids}::bigint[])
    and mapped_to_id is null`
  for (const id of ids)
    await noteStep(tx, session, id, { action: '发布', from: 'unreleased', to: 'released', note: batch.code })
  for (const line of lines) if (line.revision !== null) await takeEffect(tx, session, line.revision, batch.code)
  await withdraw(tx, session, batch, lines)
}

/** Withdraws from the catalogue the products that the batch stops. */
async function withdraw(tx: Tx, session: Session, batch: Batch, lines: readonly BatchLine[]): Promise<void> {
  const gone = lines.filter(line => line.change_kind === 'stop')
  const ids = gone.map(line => line.product_id)
  await tx`
    update product p set status = 'withdrawn', state_since = now(), withdrawn_on = ${today()},
      withdrawn_reason = l.change_text, version = p.version + 1
      from product_release_line l where l.product_release_id = ${batch.id} and l.product_id = p.id
        and p.id = any(${ids}::bigint[])`
  await tx`update specification set status = 'withdrawn', version = version + 1
    where product_id = any(${ids}::bigint[]) and mapped_to_id is null`
  for (const line of gone)
    await noteStep(tx, session, line.product_id, {
      action: '停用',
      from: 'released',
      to: 'withdrawn',
      note: `${batch.code} ${line.change_text ?? ''}`.trim(),
    })
}

async function namedOrgs(tx: Tx, codes: readonly string[]): Promise<string[]> {
  const rows = await tx<
    { id: string; code: string }[]
  >`select id, code from organisation where code = any(${codes as string[]})`
  const unknown = codes.find(code => !rows.some(row => row.code === code))
  if (unknown)
    throw new BusinessError('invalid', `没有机构编码${unknown}，请核对`, [
      { field: 'audience_orgs', msg: `没有机构编码${unknown}` },
    ])
  return rows.map(row => row.id)
}

const review: RecordAction = async (tx, session, row) => {
  const [own] = await tx`select 1 from product_release where id = ${String(row.product_release_sn)}
      and created_by_id = ${session.userId}`
  if (own) throw new BusinessError('forbidden', '制单人与复核人不能为同一人，请由平台的其他人复核')
  const isLater = typeof row.planned_at === 'string' && new Date(row.planned_at) > new Date()
  if (isLater || (row.planned_at instanceof Date && row.planned_at > new Date())) {
    await mustPass(tx, String(row.product_release_sn))
    return { state: 'planned', reviewed_by: session.userName }
  }
  await publish(tx, session, {
    id: String(row.product_release_sn),
    code: String(row.code),
    audience: String(row.audience),
    audience_orgs: row.audience_orgs as string[],
  })
  return { state: 'published', reviewed_by: session.userName, published_at: new Date().toISOString() }
}

const from: Readonly<Record<string, readonly string[]>> = {
  edit: ['draft'],
  del: ['draft'],
  collect: ['draft'],
  withdraw: ['draft'],
  submit: ['draft'],
  review: ['submitted'],
  cancel: ['draft', 'submitted', 'planned'],
}

export const productReleaseRules: RecordRules = {
  kind: 'productRelease',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    product_count: tx`(select count(*)::int from product_release_line l where l.product_release_id = t.id)`,
    specification_count: tx`(select count(*)::int from product_release_line l
      join specification s on s.product_id = l.product_id where l.product_release_id = t.id)`,
    new_count: tx`(select count(*)::int from product_release_line l
      where l.product_release_id = t.id and l.change_kind = 'new')`,
    change_count: tx`(select count(*)::int from product_release_line l
      where l.product_release_id = t.id and l.change_kind = 'change')`,
    stop_count: tx`(select count(*)::int from product_release_line l
      where l.product_release_id = t.id and l.change_kind = 'stop')`,
    product_names: tx`(select left(string_agg(distinct p.name, '、'), 500) from product_release_line l
      join product p on p.id = l.product_id where l.product_release_id = t.id)`,
    maker_names: tx`(select left(string_agg(distinct o.name, '、'), 500) from product_release_line l
      join product p on p.id = l.product_id join organisation o on o.id = p.manufacturer_id
      where l.product_release_id = t.id)`,
    failing: tx`(select string_agg(p.name || '：' || l.check_result, '；') from product_release_line l
      join product p on p.id = l.product_id where l.product_release_id = t.id and l.check_result <> '通过')`,
  }),
  mayWrite(_session, action, row) {
    if (row && from[action] && !from[action].includes(String(row.state ?? 'draft')))
      throw new BusinessError('wrongState', '当前批次状态不允许该操作')
  },
  async check(tx, session, change) {
    if (change.after.audience === 'orgs') {
      const codes = (change.after.audience_orgs as string[] | null) ?? []
      if (codes.length === 0) return [{ field: 'audience_orgs', msg: '请填写指定机构编码' }]
      await namedOrgs(tx, codes)
    }
    if (change.before) return []
    change.after.code = await nextCode(tx)
    change.after.created_by = session.userName
    return []
  },
  alsoWrites: async (_tx, session, change): Promise<Record<string, string>> =>
    change.before ? {} : { created_by_id: session.userId },
  async mayLeave(tx, _session, _action, row) {
    await tx`delete from product_release_line where product_release_id = ${String(row.product_release_sn)}`
  },
  actions: {
    async collect(tx, _session, row) {
      await collectInto(tx, String(row.product_release_sn))
      await checked(tx, String(row.product_release_sn))
    },
    async withdraw(tx, _session, row, _reason, answers) {
      await addWithdrawal(tx, String(row.product_release_sn), String(answers.product_sn), String(answers.why))
      await checked(tx, String(row.product_release_sn))
    },
    async submit(tx, _session, row) {
      await mustPass(tx, String(row.product_release_sn))
      return { state: 'submitted' }
    },
    review,
    cancel: async (_tx, _session, _row, reason) => ({ state: 'cancelled', reason }),
  },
  async afterwards(sql, _session, action, row) {
    if (action === 'review' && row.state === 'published') await announce(sql, String(row.product_release_sn))
  },
}

export const productReleaseLineRules: RecordRules = {
  kind: 'productReleaseLine',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = t.product_id)`,
    specification_names: tx`(select left(string_agg(s.name, '、' order by s.code), 200) from specification s
      where s.product_id = t.product_id and s.mapped_to_id is null)`,
    udi_di: tx`(select min(s.udi_di) from specification s
      where s.product_id = t.product_id and s.mapped_to_id is null)`,
    registration_no: tx`(select min(c.certificate_no) from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.product_id)`,
  }),
  async check(tx, _session, change) {
    const [row] = await tx<{ state: string; status: string }[]>`
      select r.state, p.status from product_release r, product p
        where r.id = ${String(change.after.product_release_sn)} and p.id = ${String(change.after.product_sn)}`
    if (row?.state !== 'draft') throw new BusinessError('wrongState', '当前批次状态不允许该操作')
    if (change.before) {
      if (change.after.product_sn !== change.before.product_sn && change.before.change_kind !== 'new')
        throw new BusinessError('wrongState', '变更和停用的行不能换产品，请删除该行后重新加入')
      if (change.before.change_kind !== 'new') return []
    }
    if (row.status !== 'unreleased')
      return [{ field: 'product_sn', msg: '只能选择未发布的产品；变更用“收集”带入，停用用“加入停用”' }]
    change.after.change_kind = 'new'
    return []
  },
  async mayLeave(tx, _session, _action, row) {
    const [open] =
      await tx`select 1 from product_release where id = ${String(row.product_release_sn)} and state = 'draft'`
    if (!open) throw new BusinessError('wrongState', '当前批次状态不允许该操作')
  },
  async saved(tx, _session, _id, change) {
    await checked(tx, String(change.after.product_release_sn))
  },
}

/** Batches whose time has come are published; one that no longer passes goes back to its author with the reason. */
export async function publishDue(_app: Sql, owner: Sql): Promise<void> {
  const due = await owner<(Batch & { reviewed_by: string })[]>`
    select id, code, audience, audience_orgs, reviewed_by from product_release
      where state = 'planned' and planned_at <= now() order by id`
  for (const batch of due) {
    const [platform] = await owner<
      { id: string }[]
    >`select id from organisation where system_type = 0 order by id limit 1`
    if (!platform) return
    const session = await systemSessionOf(owner, platform.id)
    try {
      await owner.begin(async tx => {
        await publish(tx, session, batch)
        await tx`update product_release set state = 'published', published_at = now(), version = version + 1
          where id = ${batch.id}`
      })
      await announce(owner, batch.id)
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      await owner`update product_release set state = 'draft', reason = ${error.message.slice(0, 500)},
        version = version + 1 where id = ${batch.id}`
    }
  }
}

/** Products whose last day has come are withdrawn and announced by a batch. */
export async function withdrawDue(owner: Sql): Promise<void> {
  const batch = await owner.begin(async tx => {
    const rows = await tx<(RecordRow & { id: string })[]>`
      update product set status = 'withdrawn', state_since = now(), version = version + 1
        where status = 'released' and withdrawn_on <= ${today()} returning id`
    if (rows.length === 0) return null
    const ids = rows.map(row => row.id)
    await tx`update specification set status = 'withdrawn', version = version + 1
      where product_id = any(${ids}::bigint[]) and mapped_to_id is null`
    await tx`
      insert into product_step (product_id, from_state, to_state, action, org_id, by_name, note)
      select p.id, 'released', 'withdrawn', '停用', o.id, '系统', p.withdrawn_reason from product p
        cross join (select id from organisation where system_type = 0 order by id limit 1) o
          where p.id = any(${ids}::bigint[])`
    return recordWithdrawals(tx, '系统', '0', ids)
  })
  if (batch !== null) await announce(owner, batch)
}
