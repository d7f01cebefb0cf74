import type { Sql } from 'postgres'
import { compactDay, today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { missingOf, whyNotPass } from '#modules/catalogue/product-face.server.ts'
import { noteStep } from '#modules/catalogue/product-step.server.ts'
import { leaveMessage } from '#server/engine/messages.ts'
import { sessionOf } from '#server/engine/organisations.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'
import { inOrg, type Tx } from '#server/engine/transaction.ts'

const nextCode = async (tx: Tx): Promise<string> => {
  const [row] = await tx<{ n: string }[]>`select nextval('reference_id_seq') as n`
  return `FB${compactDay(today())}${row?.n}`
}

/** 发布 of a single product: it waits in the batch of the day, which is begun where there is none. */
export async function addToBatch(tx: Tx, session: Session, product: string): Promise<void> {
  const [waits] = await tx<{ code: string }[]>`
    select r.code from product_release_line l join product_release r on r.id = l.product_release_id
     where l.product_id = ${product} and r.state in ('draft', 'submitted', 'planned') limit 1`
  if (waits) throw new Refusal('duplicate', `产品已在发布批次${waits.code}中`)
  const [open] = await tx<{ id: string }[]>`
    select id from product_release where state = 'draft' and planned_at is null and audience = 'all' and (created_at at time zone 'Asia/Shanghai')::date = ${today()} order by id desc limit 1 for update`
  const batch =
    open ??
    (
      await tx<{ id: string }[]>`
        insert into product_release (code, note, created_by, created_by_id) values (${await nextCode(tx)}, '当日发布', ${session.userName}, ${session.userId}) returning id`
    )[0]!
  await addLine(tx, batch.id, product)
}

const addLine = (tx: Tx, batch: string, product: string) => tx`
  insert into product_release_line (product_release_id, product_id, change_kind)
  select ${batch}, p.id, case when p.issued_at is null then 'new' else 'again' end from product p where p.id = ${product}
  on conflict do nothing`

type Line = { id: string; product_id: string; code: string; name: string; status: string; missing: string[] }
/** What keeps each line from being published, by the line; written beside it as well. */
async function checked(tx: Tx, batch: string): Promise<{ lines: readonly Line[]; failing: readonly string[] }> {
  const lines = await tx<Line[]>`
    select l.id, l.product_id, t.code, t.name, t.status, ${missingOf(tx)} as missing
      from product_release_line l join product t on t.id = l.product_id where l.product_release_id = ${batch} order by l.id for update of t`
  const failing: string[] = []
  for (const line of lines) {
    const why =
      line.status !== 'unreleased'
        ? '不是未发布状态'
        : line.missing.length > 0
          ? `产品资料不完整：${line.missing.join('、')}`
          : await whyNotPass(tx, line.product_id)
    await tx`update product_release_line set check_result = ${why ?? '通过'} where id = ${line.id}`
    if (why !== null) failing.push(`${line.code}${line.name}（${why}）`)
  }
  return { lines, failing }
}

async function mustPass(tx: Tx, batch: string): Promise<readonly Line[]> {
  const { lines, failing } = await checked(tx, batch)
  if (lines.length === 0) throw new Refusal('rule', '批次里没有产品，请先收集或新增产品')
  if (failing.length > 0) throw new Refusal('rule', `以下产品不能发布：${failing.join('；')}`)
  return lines
}

type Batch = { id: string; code: string; audience: string; audience_orgs: string[] }
/** All products of the batch are on offer from here on, to whom the batch is for. */
async function publish(tx: Tx, session: Session, batch: Batch): Promise<void> {
  const lines = await mustPass(tx, batch.id)
  const ids = lines.map(line => line.product_id)
  const orgs = batch.audience === 'orgs' ? await namedOrgs(tx, batch.audience_orgs) : null
  const types = batch.audience === 'all' || batch.audience === 'orgs' ? null : batch.audience
  await tx`
    update product set status = 'released', state_since = now(), issued_at = now(), offered_types = ${types}, offered_to = ${orgs}::bigint[], version = version + 1
     where id = any(${ids}::bigint[])`
  await tx`update specification set status = 'released', version = version + 1 where product_id = any(${ids}::bigint[]) and mapped_to_id is null`
  for (const line of lines)
    await noteStep(tx, session, line.product_id, { deed: '发布', from: 'unreleased', to: 'released', note: batch.code })
}

async function namedOrgs(tx: Tx, codes: readonly string[]): Promise<string[]> {
  const rows = await tx<
    { id: string; code: string }[]
  >`select id, code from organisation where code = any(${codes as string[]})`
  const unknown = codes.find(code => !rows.some(row => row.code === code))
  if (unknown)
    throw new Refusal('invalid', `没有机构编码${unknown}，请核对`, [
      { field: 'audience_orgs', msg: `没有机构编码${unknown}` },
    ])
  return rows.map(row => row.id)
}

/** One message to each organisation that the batch is for, with the counts. */
async function announce(sql: Sql, batch: string): Promise<void> {
  const [counted] = await sql<
    { code: string; note: string | null; audience: string; audience_orgs: string[]; products: number; sizes: number }[]
  >`
    select r.code, r.note, r.audience, r.audience_orgs, count(distinct l.product_id)::int as products, count(s.id)::int as sizes
      from product_release r join product_release_line l on l.product_release_id = r.id left join specification s on s.product_id = l.product_id
     where r.id = ${batch} group by r.id`
  if (!counted) return
  const orgs = await sql<{ id: string }[]>`
    select id from organisation where status = 'enabled' and kept_by_id is null and uses_system and system_type > 0
       and case when ${counted.audience} = 'orgs' then code = any(${counted.audience_orgs}) else ${counted.audience} = 'all' or position(substr('PHDV', system_type + 1, 1) in ${counted.audience}) > 0 end`
  for (const { id } of orgs)
    await inOrg(sql, id, '0', tx =>
      leaveMessage(tx, id, {
        title: '平台发布了新产品',
        body: `${counted.code}：${counted.products}个产品、${counted.sizes}个规格${counted.note ? `，${counted.note}` : ''}`,
        uri: '/ptm/productReleased',
        objectId: batch,
        kind: 'product',
        type: 'audit',
      }),
    )
}

const review: RecordAction = async (tx, session, row) => {
  const [own] =
    await tx`select 1 from product_release where id = ${String(row.product_release_sn)} and created_by_id = ${session.userId}`
  if (own) throw new Refusal('forbidden', '制单人与复核人不能为同一人')
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
  submit: ['draft'],
  review: ['submitted'],
  cancel: ['draft', 'submitted', 'planned'],
}

export const productReleaseRules: RecordRules = {
  kind: 'productRelease',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    product_count: tx`(select count(*)::int from product_release_line l where l.product_release_id = t.id)`,
    specification_count: tx`(select count(*)::int from product_release_line l join specification s on s.product_id = l.product_id where l.product_release_id = t.id)`,
    new_count: tx`(select count(*)::int from product_release_line l where l.product_release_id = t.id and l.change_kind = 'new')`,
    again_count: tx`(select count(*)::int from product_release_line l where l.product_release_id = t.id and l.change_kind = 'again')`,
    failing: tx`(select string_agg(p.name || '：' || l.check_result, '；') from product_release_line l join product p on p.id = l.product_id where l.product_release_id = t.id and l.check_result <> '通过')`,
  }),
  mayWrite(_session, action, row) {
    if (row && from[action] && !from[action].includes(String(row.state ?? 'draft')))
      throw new Refusal('wrongState', '当前批次状态不允许该操作')
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
      await tx`
        insert into product_release_line (product_release_id, product_id, change_kind)
        select ${String(row.product_release_sn)}, t.id, case when t.issued_at is null then 'new' else 'again' end from product t
         where t.status = 'unreleased' and cardinality(${missingOf(tx)}) = 0
           and not exists (select 1 from product_release_line l join product_release r on r.id = l.product_release_id where l.product_id = t.id and r.state in ('draft', 'submitted', 'planned'))
        on conflict do nothing`
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
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id where p.id = t.product_id)`,
    registration_no: tx`(select min(c.certificate_no) from specification s join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.product_id)`,
  }),
  async check(tx, _session, change) {
    const [row] = await tx<{ state: string; status: string; issued: boolean }[]>`
      select r.state, p.status, p.issued_at is not null as issued from product_release r, product p where r.id = ${String(change.after.product_release_sn)} and p.id = ${String(change.after.product_sn)}`
    if (row?.state !== 'draft') throw new Refusal('wrongState', '当前批次状态不允许该操作')
    if (row.status !== 'unreleased') return [{ field: 'product_sn', msg: '只能选择未发布的产品' }]
    change.after.change_kind = row.issued ? 'again' : 'new'
    return []
  },
  async mayLeave(tx, _session, _action, row) {
    const [open] =
      await tx`select 1 from product_release where id = ${String(row.product_release_sn)} and state = 'draft'`
    if (!open) throw new Refusal('wrongState', '当前批次状态不允许该操作')
  },
  async saved(tx, _session, _id, change) {
    await checked(tx, String(change.after.product_release_sn))
  },
}

/** Batches whose time has come are published; one that fails meanwhile goes back to its author with the reason. */
export async function publishDue(_app: Sql, owner: Sql): Promise<void> {
  const due = await owner<(Batch & { reviewed_by: string })[]>`
    select id, code, audience, audience_orgs, reviewed_by from product_release where state = 'planned' and planned_at <= now() order by id`
  for (const batch of due) {
    const [platform] = await owner<
      { id: string }[]
    >`select id from organisation where system_type = 0 order by id limit 1`
    if (!platform) return
    const session = await sessionOf(owner, platform.id)
    try {
      await owner.begin(async tx => {
        await publish(tx, session, batch)
        await tx`update product_release set state = 'published', published_at = now(), version = version + 1 where id = ${batch.id}`
      })
      await announce(owner, batch.id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await owner`update product_release set state = 'draft', reason = ${error.message.slice(0, 500)}, version = version + 1 where id = ${batch.id}`
    }
  }
}

/** Products whose last day has come are withdrawn. */
export async function withdrawDue(owner: Sql): Promise<void> {
  const rows = await owner<(RecordRow & { id: string })[]>`
    update product set status = 'withdrawn', state_since = now(), version = version + 1 where status = 'released' and withdrawn_on <= ${today()} returning id`
  if (rows.length === 0) return
  const ids = rows.map(row => row.id)
  await owner`update specification set status = 'withdrawn', version = version + 1 where product_id = any(${ids}::bigint[]) and mapped_to_id is null`
  await owner`
    insert into product_step (product_id, from_state, to_state, deed, org_id, by_name, note)
    select p.id, 'released', 'withdrawn', '停用', o.id, '系统', p.withdrawn_reason from product p
      cross join (select id from organisation where system_type = 0 order by id limit 1) o where p.id = any(${ids}::bigint[])`
}
