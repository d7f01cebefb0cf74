import { compactDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { missingOf, whyNotCalled, whyNotPass } from '#modules/trade/catalogue/products/release-readiness.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Number of the next batch. */
export async function nextCode(tx: Tx): Promise<string> {
  const [row] = await tx<{ n: string }[]>`select nextval('reference_id_seq') as n`
  return `FB${compactDay(today())}${row?.n}`
}

/** The number of the unpublished batch in which a product waits. */
export async function waitingIn(tx: Tx, product: string): Promise<string | null> {
  const [waits] = await tx<{ code: string }[]>`
    select r.code from product_release_line l join product_release r on r.id = l.product_release_id
     where l.product_id = ${product} and r.state in ('draft', 'submitted', 'planned') limit 1`
  return waits?.code ?? null
}

/** The shared batch of the day, created if there is none. */
async function batchOfToday(tx: Tx, session: Session): Promise<string> {
  const [open] = await tx<{ id: string }[]>`
    select id from product_release where state = 'draft' and planned_at is null and audience = 'all'
      and (created_at at time zone 'Asia/Shanghai')::date = ${today()} order by id desc limit 1 for update`
  if (open) return open.id
  const [made] = await tx<{ id: string }[]>`
    insert into product_release (code, note, created_by, created_by_id)
      values (${await nextCode(tx)}, '当日发布', ${session.userName}, ${session.userId}) returning id`
  return made!.id
}

/** 发布 of a single product: it waits in the batch of the day. */
export async function addToBatch(tx: Tx, session: Session, product: string): Promise<void> {
  const waits = await waitingIn(tx, product)
  if (waits !== null) throw new BusinessError('duplicate', `产品已在发布批次${waits}中`)
  const batch = await batchOfToday(tx, session)
  await tx`
    insert into product_release_line (product_release_id, product_id, change_kind)
    values (${batch}, ${product}, 'new') on conflict do nothing`
}

/**
 * A passed version waits in the batch of the day; if the product waits in another batch, it is collected into the
 * next one.
 */
export async function addChange(tx: Tx, session: Session, product: string, revision: string): Promise<void> {
  if ((await waitingIn(tx, product)) !== null) return
  const batch = await batchOfToday(tx, session)
  await tx`
    insert into product_release_line (product_release_id, product_id, product_revision_id, change_kind, change_text)
    select ${batch}, v.product_id, v.id, 'change', v.after_text from product_revision v
      where v.id = ${revision} on conflict do nothing`
}

/** 加入停用: a released product that is withdrawn from the catalogue with the batch. */
export async function addWithdrawal(tx: Tx, batch: string, product: string, reason: string): Promise<void> {
  const waits = await waitingIn(tx, product)
  if (waits !== null) throw new BusinessError('duplicate', `产品已在发布批次${waits}中`)
  await tx`
    insert into product_release_line (product_release_id, product_id, change_kind, change_text)
    values (${batch}, ${product}, 'stop', ${reason})`
}

/** Everything that may be released and is in no batch: complete products, and passed versions. */
export async function collectInto(tx: Tx, batch: string): Promise<void> {
  const free = tx`not exists (select 1 from product_release_line l
    join product_release r on r.id = l.product_release_id
    where l.product_id = t.id and r.state in ('draft', 'submitted', 'planned'))`
  await tx`
    insert into product_release_line (product_release_id, product_id, change_kind)
    select ${batch}, t.id, 'new' from product t
     where t.status = 'unreleased' and cardinality(${missingOf(tx)}) = 0 and ${free}
    on conflict do nothing`
  await tx`
    insert into product_release_line (product_release_id, product_id, product_revision_id, change_kind, change_text)
    select ${batch}, t.id, v.id, 'change', v.after_text from product t join product_revision v on v.product_id = t.id
      and v.state = 'passed' and v.effective_at is null
     where t.status = 'released' and ${free}
    on conflict do nothing`
}

/** Withdrawals already in effect are announced by a batch of their own. */
export async function recordWithdrawals(tx: Tx, by: string, userId: string, products: readonly string[]) {
  const [made] = await tx<{ id: string }[]>`
    insert into product_release (code, note, created_by, created_by_id, state, published_at)
    values (${await nextCode(tx)}, '产品停用', ${by}, ${userId}, 'published', now()) returning id`
  await tx`
    insert into product_release_line (product_release_id, product_id, change_kind, change_text, check_result)
    select ${made!.id}, id, 'stop', withdrawn_reason, '通过' from product
      where id = any(${products as string[]}::bigint[])`
  return made!.id
}

export type BatchLine = {
  readonly id: string
  readonly product_id: string
  readonly code: string
  readonly name: string
  readonly status: string
  readonly missing: readonly string[]
  readonly change_kind: 'new' | 'change' | 'stop'
  readonly change_text: string | null
  readonly revision: string | null
  readonly is_waiting: boolean | null
  /** The name that the change gives the product; null where it keeps its own. */
  readonly new_name: string | null
}

async function whyNot(tx: Tx, line: BatchLine): Promise<string | null> {
  if (line.change_kind !== 'new' && line.status !== 'released') return '产品不是已发布状态'
  if (line.change_kind === 'stop') return null
  if (line.change_kind === 'change')
    return line.is_waiting
      ? ((await whyNotCalled(tx, line.product_id, line.new_name)) ?? whyNotPass(tx, line.product_id))
      : '变更申请已不再等待发布'
  if (line.status !== 'unreleased') return '不是未发布状态'
  if (line.missing.length > 0) return `产品资料不完整：${line.missing.join('、')}`
  return whyNotPass(tx, line.product_id)
}

/** Checks each line and stores on it why it cannot be published; returns the lines and the faults. */
export async function checked(
  tx: Tx,
  batch: string,
): Promise<{ lines: readonly BatchLine[]; failing: readonly string[] }> {
  const lines = await tx<BatchLine[]>`
    select l.id, l.product_id, t.code, t.name, t.status, ${missingOf(tx)} as missing, l.change_kind, l.change_text,
      l.product_revision_id as revision,
           (select v.state = 'passed' and v.effective_at is null from product_revision v
             where v.id = l.product_revision_id) as is_waiting,
           (select v.name from product_revision v where v.id = l.product_revision_id) as new_name
      from product_release_line l join product t on t.id = l.product_id where l.product_release_id = ${batch}
        order by l.id for update of t`
  const failing: string[] = []
  for (const line of lines) {
    const why = await whyNot(tx, line)
    await tx`update product_release_line set check_result = ${why ?? '通过'} where id = ${line.id}`
    if (why !== null) failing.push(`${line.code}${line.name}（${why}）`)
  }
  return { lines, failing }
}

/** The lines of a batch, provided nothing prevents any of them from being published. */
export async function mustPass(tx: Tx, batch: string): Promise<readonly BatchLine[]> {
  const { lines, failing } = await checked(tx, batch)
  if (lines.length === 0) throw new BusinessError('rule', '批次里没有产品，请先收集或新增产品')
  if (failing.length > 0) throw new BusinessError('rule', `以下产品不能发布：${failing.join('；')}`)
  return lines
}
