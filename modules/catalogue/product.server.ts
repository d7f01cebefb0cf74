import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { catalogueOf, productsSeen } from '#modules/catalogue/catalogue.server.ts'
import { initialsOf } from '#server/engine/pinyin.ts'
import { fillDefaults } from '#modules/catalogue/trade.server.ts'
import { configValue } from '#server/engine/config-value.ts'
import { refuseBeyondVip } from '#server/engine/vip.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** State from which each action starts, and who may do it. */
const steps: Readonly<
  Record<string, { readonly from: readonly string[]; readonly by: 'builder' | 'platform' | 'trader' }>
> = {
  submit: { from: ['self_built'], by: 'builder' },
  unsubmit: { from: ['pending'], by: 'builder' },
  pass: { from: ['pending'], by: 'platform' },
  sendBack: { from: ['pending', 'unreleased'], by: 'platform' },
  issue: { from: ['unreleased'], by: 'platform' },
  stop: { from: ['released'], by: 'platform' },
  resume: { from: ['withdrawn'], by: 'platform' },
  pick: { from: ['released'], by: 'trader' },
}

const isBuilder = (session: Session, row: Readonly<RecordRow>) =>
  row.built_by_sn === session.org.id || (session.org.type === 'V' && row.manufacturer_sn === session.org.id)

type Face = { readonly sizes: number; readonly without: string | null }
/** What keeps a product from going on: sizes missing, or the paper of a size missing or out of date. */
async function faceOf(tx: Tx, row: Readonly<RecordRow>, day: string): Promise<Face> {
  const [face] = await tx<Face[]>`
    select count(s.id)::int as sizes,
           min(s.name) filter (where c.id is null or c.valid_to < ${day}) as without
      from specification s left join registration_certificate c on c.id = s.registration_certificate_id
     where s.product_id = ${String(row.product_sn)}`
  return face ?? { sizes: 0, without: null }
}

async function mustBeWhole(tx: Tx, row: Readonly<RecordRow>): Promise<void> {
  const face = await faceOf(tx, row, today())
  if (face.sizes === 0) throw new Refusal('rule', `产品【${String(row.name)}】至少要有一个规格`)
  if (row.device_class !== 'I' && face.without !== null)
    throw new Refusal('expiredPaper', `规格【${face.without}】没有有效的注册证`)
}

/** 引入: a released product with its sizes comes into the caller's own catalogue. */
const pick: RecordAction = async (tx, session, row) => {
  const product = String(row.product_sn)
  const isHospital = session.org.type === 'H'
  await refuseBeyondVip(tx, session, 'product')
  const coded = (await configValue(tx, session.org.id, 'unit_coded')) === true
  const added = isHospital
    ? await tx`
      insert into hospital_product (org_id, specification_id, admission_state, is_unit_coded, tax_rate, insurance_code)
      select ${session.org.id}, s.id, 'not_admitted', p.is_unit_coded or ${coded}, s.tax_rate, left(s.insurance_code, 20)
        from specification s join product p on p.id = s.product_id where s.product_id = ${product} and s.status = 'released'
      on conflict (org_id, specification_id) do nothing returning id`
    : await tx`
      insert into dealer_product (org_id, specification_id, is_unit_coded, tax_rate)
      select ${session.org.id}, s.id, p.is_unit_coded or ${coded}, s.tax_rate
        from specification s join product p on p.id = s.product_id where s.product_id = ${product} and s.status = 'released'
      on conflict (org_id, specification_id) do nothing returning id`
  if (added.length === 0) throw new Refusal('duplicate', '产品已在本机构目录中')
}

/** A new state for the product and all its sizes. */
const to =
  (status: string, ready?: (tx: Tx, row: Readonly<RecordRow>) => Promise<void>): RecordAction =>
  async (tx, _session, row) => {
    await ready?.(tx, row)
    await tx`update specification set status = ${status}, version = version + 1 where product_id = ${String(row.product_sn)}`
    return { status }
  }

export const productRules: RecordRules = {
  kind: 'product',
  visible: (tx, session, parameters) =>
    productsSeen(tx, session, tx`t.id`, parameters.scope === 'released' || parameters.one === true),
  columns: (tx, session) => ({
    specification_count: tx`(select count(*)::int from specification s where s.product_id = t.id)`,
    registration_no: tx`(select min(c.certificate_no) from specification s join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.id)`,
    registration_expiry: tx`(select min(c.valid_to) from specification s join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.id)`,
    is_picked: tx`exists (select 1 from specification s where s.product_id = t.id and s.id in (${catalogueOf(tx, session)}))`,
  }),
  search: (tx, pattern) => tx`(t.name || ' ' || t.pinyin || ' ' || t.code) ilike ${pattern}
    or exists (select 1 from specification s where s.product_id = t.id and (s.udi_di ilike ${pattern} or s.name ilike ${pattern}))`,
  mayWrite(session, action, row) {
    if (action === 'add' || !row) return
    const step = steps[action]
    const isMine = session.org.type === 'P' || isBuilder(session, row)
    if (step?.by === 'platform' && session.org.type !== 'P') throw new Refusal('forbidden')
    if (step?.by === 'trader' && session.org.type !== 'H' && session.org.type !== 'D') throw new Refusal('forbidden')
    if (step?.by !== 'trader' && !isMine) throw new Refusal('forbidden', '只能维护本机构建立的产品')
    if (step && !step.from.includes(String(row.status))) throw new Refusal('wrongState', '当前产品状态不允许该操作')
    if (!step && session.org.type !== 'P' && row.status !== 'self_built')
      throw new Refusal('wrongState', '产品已提交，不能修改，请先撤回')
    if (action === 'del' && row.status !== 'self_built') throw new Refusal('wrongState', '只能删除自建状态的产品')
  },
  async check(tx, session, change) {
    if (!change.before) {
      if (session.org.type === 'V') await refuseBeyondVip(tx, session, 'product')
      await fillDefaults(tx, session, change)
      const [next] = await tx<{ number: string }[]>`select nextval('reference_id_seq') as number`
      change.after.code = `${session.org.type === 'P' || session.org.type === 'V' ? 'P' : 'T'}${next?.number}`
      change.after.built_by_sn = session.org.id
      // What the platform builds itself needs no audit of its own.
      change.after.status = session.org.type === 'P' ? 'unreleased' : 'self_built'
    }
    if (session.org.type === 'V' && change.after.manufacturer_sn !== session.org.id)
      return [{ field: 'manufacturer_sn', msg: '厂商只能建立本企业的产品' }]
    const [twin] = await tx`
      select 1 from product where manufacturer_id = ${String(change.after.manufacturer_sn)} and name = ${String(change.after.name)} and id is distinct from ${change.id}::bigint
         and (built_by_id = ${session.org.id} or status = 'released') limit 1`
    if (twin)
      throw new Refusal('duplicate', `产品名称【${String(change.after.name)}】已存在`, [
        { field: 'name', msg: '该厂家已有同名产品' },
      ])
    return []
  },
  alsoWrites: async (_tx, _session, change) => ({ pinyin: initialsOf(String(change.after.name ?? '')) }),
  async mayLeave(tx, session, _action, row) {
    const sizes = await tx<{ id: string }[]>`select id from specification where product_id = ${String(row.product_sn)}`
    const ids = sizes.map(size => size.id)
    const [used] =
      await tx`select 1 from document_line where org_id = ${session.org.id} and specification_id = any(${ids}::bigint[]) limit 1`
    if (used) throw new Refusal('blocked', '产品已被业务单据引用，不能删除')
    await tx`delete from pack_unit where specification_id = any(${ids}::bigint[])`
    await tx`delete from hospital_product where org_id = ${session.org.id} and specification_id = any(${ids}::bigint[])`
    await tx`delete from dealer_product where org_id = ${session.org.id} and specification_id = any(${ids}::bigint[])`
    await tx`delete from specification where product_id = ${String(row.product_sn)}`
  },
  actions: {
    submit: to('pending', mustBeWhole),
    unsubmit: to('self_built'),
    pass: to('unreleased'),
    sendBack: async (tx, session, row, reason, answers) =>
      to(row.status === 'pending' ? 'self_built' : 'pending')(tx, session, row, reason, answers),
    issue: to('released', mustBeWhole),
    stop: to('withdrawn'),
    resume: to('released', mustBeWhole),
    pick,
  },
}
