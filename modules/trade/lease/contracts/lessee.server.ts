import { today } from '#kernel/values/date.ts'
import { isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { needsStoragePermit, withoutPermit } from '#modules/trade/lease/contracts/permits.server.ts'
import { contractOf } from '#modules/trade/lease/contracts/contract-print.server.ts'
import { bill, confirmFee } from '#modules/trade/lease/contracts/fees.server.ts'
import { checkLine, checkUntil } from '#modules/trade/lease/contracts/lease-lines.server.ts'
import { shareLeasesOf } from '#modules/trade/lease/contracts/share-leases.server.ts'
import { contractState, stockOf } from '#modules/trade/lease/leases.server.ts'
import type { Change, RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const text = (value: unknown): string => String(value ?? '')

async function checkContract(tx: Tx, session: Session, { id, before, after, sent }: Change): Promise<Problem[]> {
  const problems: Problem[] = []
  const [tenant] = await tx<{ system_type: number; name: string; model: string | null }[]>`
    select o.system_type, o.name, (select w.model from warehouse w
        where w.org_id = ${session.org.id} and w.id = ${text(after.warehouse_model_inner_sn)}) as model
      from organisation o where o.id = ${text(after.lessee_sn)}`
  if (tenant && (![2, 3].includes(tenant.system_type) || after.lessee_sn === session.org.id))
    problems.push({ field: 'lessee_sn', msg: '承租方应为已入驻的其他经销商或厂商' })
  if (tenant && tenant.model !== 'leased')
    problems.push({ field: 'warehouse_model_inner_sn', msg: '租赁仓库应为类型是租赁库的仓库' })
  if (id === null || before === null) return problems
  const [line] = await tx<{ code: string }[]>`
    select a.code from lease_line l join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
     where l.org_id = ${session.org.id} and l.lease_contract_id = ${id}
       and (l.start_on < ${text(after.valid_from)}::date or l.end_on > ${text(after.valid_to)}::date
         or a.warehouse_id <> ${text(after.warehouse_model_inner_sn)}) limit 1`
  if (line) problems.push({ field: 'valid_to', msg: `库区${line.code}的租期或仓库与合同不符，请先调整租赁明细` })
  else if (text(after.valid_to) > text(before.valid_to) && !after.stopped_on) {
    const problem = await checkUntil(tx, session, id, text(after.valid_to))
    if (problem) problems.push({ field: 'valid_to', msg: problem.msg })
  }
  const moved = sent.lessee_sn !== undefined && before.lessee_sn !== after.lessee_sn
  if (moved && before.status === 'enabled') problems.push({ field: 'lessee_sn', msg: '合同已启用，不能更换承租方' })
  return problems
}

/** Refuses to end a contract while its areas contain the tenant's stock. */
async function refuseStocked(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const areas = await tx<{ code: string }[]>`
    select distinct a.code from lease_line l join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
     where l.org_id = ${session.org.id} and l.lease_contract_id = ${text(row.lease_contract_sn)}`
  const stock = await stockOf(tx, session.org.id, {
    owner: text(row.lessee_sn),
    warehouse: text(row.warehouse_model_inner_sn),
    areas: areas.map(({ code }) => code),
  })
  if (isPositive(stock)) throw new BusinessError('rule', `承租库区仍有库存${plain(stock)}，不能停租`)
}

const stop: RecordAction = async (tx, session, row, reason) => {
  if (row.stopped_on) throw new BusinessError('wrongState', '该合同已停租')
  await refuseStocked(tx, session, row)
  return { stopped_on: today(), stop_reason: reason, status: 'disabled' }
}

const renew: RecordAction = async (tx, session, row, _reason, answers) => {
  if (row.stopped_on) throw new BusinessError('wrongState', '该合同已停租，不能续签，请新增合同')
  const valid_to = text(answers.new_valid_to)
  if (valid_to <= text(row.valid_to)) throw new BusinessError('rule', '续签后的合同至应晚于原合同至')
  const problem = await checkUntil(tx, session, text(row.lease_contract_sn), valid_to)
  if (problem) throw new BusinessError('rule', problem.msg)
  return {
    valid_to,
    ...(answers.new_contract_no ? { contract_no: answers.new_contract_no } : {}),
    ...(answers.new_price ? { price: answers.new_price } : {}),
  }
}

/** A contract may be enabled only for a tenant that may trade, at a lessor that may store for others. */
async function mayEnable(tx: Tx, session: Session, action: string, row: Readonly<RecordRow>) {
  if (action !== 'enable') return []
  if (row.stopped_on) throw new BusinessError('wrongState', '该合同已停租，请新增合同')
  await needsStoragePermit(tx, session)
  const name = await withoutPermit(tx, session.org.id, text(row.lessee_sn))
  if (name !== null) throw new BusinessError('rule', `承租方${name}的经营许可证无效，不能启用`)
  return []
}

const linesOf = (tx: Tx, session: Session) => tx`
  from lease_line l join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
 where l.org_id = ${session.org.id} and l.lease_contract_id = t.id
   and (l.end_on is null or l.end_on >= ${today()}::date)`

const shareAfterwards: NonNullable<RecordRules['afterwards']> = async (sql, session) =>
  shareLeasesOf(sql, session.org.id)

export const lesseeRules: RecordRules = {
  kind: 'lessee',
  print: contractOf,
  readFlag: 'page:/commonView/lesseeManage',
  columns: (tx, session) => ({
    social_credit_code: tx`(select o.social_credit_code from organisation o where o.id = t.lessee_id)`,
    lessee_code: tx`(select o.code from organisation o where o.id = t.lessee_id)`,
    lessee_type: tx`(select o.system_type::text from organisation o where o.id = t.lessee_id)`,
    days_left: tx`greatest(t.valid_to - ${today()}::date, 0)`,
    area_names: tx`(select string_agg(distinct a.code, '、' order by a.code) ${linesOf(tx, session)})`,
    area_m2: tx`(select coalesce(sum(l.area_m2), 0)::numeric(18,3) ${linesOf(tx, session)})`,
    month_amount: tx`(select coalesce(sum(round(coalesce(l.price, t.price, a.month_rent, 0) * case t.charged_by
        when 'area' then l.area_m2 when 'pallet' then coalesce(l.pallets, 0)
        when 'volume' then coalesce(l.volume_m3, 0) else 0 end, 2)), 0)::numeric(18,2) ${linesOf(tx, session)})`,
    stock_count: tx`(select count(distinct s.specification_id)::int from lease_stock s
      where s.org_id = ${session.org.id} and s.owner_id = t.lessee_id and s.warehouse_id = t.warehouse_id)`,
    contract_state: tx`(select ${contractState(tx)} from lease_contract c where c.org_id = t.org_id and c.id = t.id)`,
  }),
  check: checkContract,
  asks: mayEnable,
  mayLeave: async (tx, session, action, row) => {
    await refuseStocked(tx, session, row)
    if (action !== 'del') return
    const [billed] = await tx`
      select 1 from lease_fee
       where org_id = ${session.org.id} and lease_contract_id = ${text(row.lease_contract_sn)} limit 1`
    if (billed) throw new BusinessError('blocked', '该合同已有费用，不能删除，请停租')
    await tx`delete from lease_line
      where org_id = ${session.org.id} and lease_contract_id = ${text(row.lease_contract_sn)}`
  },
  actions: { stop, renew },
  calls: { bill },
  afterwards: shareAfterwards,
  afterDeletion: (sql, session) => shareLeasesOf(sql, session.org.id),
}

const ofContract = (tx: Tx, session: Session, column: string) => tx`
  (select o.${tx(column)} from lease_contract c join organisation o on o.id = c.lessee_id
    where c.org_id = ${session.org.id} and c.id = t.lease_contract_id)`

export const leaseLineRules: RecordRules = {
  kind: 'leaseLine',
  columns: (tx, session) => ({
    lessee_name: ofContract(tx, session, 'name'),
    area_code: tx`(select a.code from lease_area a where a.org_id = ${session.org.id} and a.id = t.lease_area_id)`,
    storage_condition: tx`(select a.storage_condition from lease_area a
      where a.org_id = ${session.org.id} and a.id = t.lease_area_id)`,
  }),
  check: (tx, session, change) => checkLine(tx, session, change),
  mayLeave: async (tx, session, _action, row) => {
    const [billed] = await tx`
      select 1 from lease_fee where org_id = ${session.org.id} and lease_line_id = ${text(row.lease_line_sn)} limit 1`
    if (billed) throw new BusinessError('blocked', '该租赁明细已有费用，不能删除，请填写退租日期')
  },
  afterwards: shareAfterwards,
  afterDeletion: (sql, session) => shareLeasesOf(sql, session.org.id),
}

export const leaseFeeRules: RecordRules = {
  kind: 'leaseFee',
  columns: (tx, session) => ({
    lessee_name: ofContract(tx, session, 'name'),
    area_code: tx`(select a.code from lease_line l join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
      where l.org_id = ${session.org.id} and l.id = t.lease_line_id)`,
  }),
  mayWrite: (_session, action) => {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('rule', '费用由系统按合同生成，不能手工修改')
  },
  actions: { confirm: confirmFee },
}
