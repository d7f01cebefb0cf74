import { Refusal } from '#kernel/refusal.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'
import { everUsed } from '#server/engine/records/in-use.ts'
import type { Tx } from '#server/engine/transaction.ts'

const letters = ['P', 'H', 'D', 'V'] as const
/** The name of a relation in the book of either side; only a hospital and its dealer call theirs by two names. */
const mirrored: Readonly<Record<string, string>> = { DH: 'HD', HD: 'DH' }
const mirrorOf = (relation: string) => mirrored[relation] ?? relation

/** Which relations an organisation of the first type may have with one of the second. */
function isPossible(own: string, partner: string, relation: string): boolean {
  if (relation === 'DH' || relation === 'HD') return relation === own + partner
  return relation === own + partner || relation === partner + own
}

/** The other side's row of the same relation. A relation belongs to both: it is agreed, refused and ended in one step. */
const otherSide = (tx: Tx, own: string, row: Readonly<Record<string, unknown>>) =>
  tx`org_id = ${row.partner_sn as string} and partner_id = ${own} and relation = ${mirrorOf(String(row.relation))}`

export const orgRelationRules: RecordRules = {
  kind: 'orgRelation',
  columns: (tx, session) => ({
    org_sn: tx`t.partner_id`,
    name: tx`${tx('to_partner_sn.name')}`,
    system_type: tx`${tx('to_partner_sn.system_type')}`,
    direction: tx`case when t.status in ('pending', 'refused') then case when t.applicant_id = ${session.org.id} then 'outgoing' else 'incoming' end end`,
  }),
  async check(tx, session, change) {
    if (change.before) {
      const moved = (['partner_sn', 'relation'] as const).filter(
        name => name in change.sent && change.sent[name] !== change.before?.[name],
      )
      return moved.map(name => ({ field: name, msg: '机构和关系类型建立后不能修改' }))
    }
    const partner = String(change.after.partner_sn)
    if (partner === session.org.id) return [{ field: 'partner_sn', msg: '请选择相关机构。' }]
    const [found] = await tx<{ system_type: number; name: string }[]>`
      select system_type, name from organisation where id = ${partner} and status = 'enabled' and audit_state = 'passed' and system_type > 0`
    if (!found) return [{ field: 'partner_sn', msg: '被编辑过的相关机构名称不存在。' }]
    if (!isPossible(session.org.type, letters[found.system_type] ?? 'P', String(change.after.relation))) {
      return [{ field: 'relation', msg: `与【${found.name}】不能建立${String(change.after.relation)}关系` }]
    }
    const [open] =
      await tx`select 1 from org_relation where ${otherSide(tx, session.org.id, change.after)} and status in ('pending', 'enabled') limit 1`
    return open ? [{ field: 'partner_sn', msg: '已存在待审核的申请' }] : []
  },
  alsoWrites: async (_tx, session, change) => (change.before ? {} : { applicant_id: session.org.id }),
  async saved(tx, session, _id, change) {
    if (change.before) return
    await tx`
      insert into org_relation (org_id, partner_id, relation, default_tax_rate, settlement_method, payment_days, authorisation_no, valid_from, valid_to, remark, status, applicant_id)
      values (${String(change.after.partner_sn)}, ${session.org.id}, ${mirrorOf(String(change.after.relation))}, ${Number(change.after.default_tax_rate)}, ${String(change.after.settlement_method)},
              ${Number(change.after.payment_days)}, ${(change.after.authorisation_no ?? null) as string}, ${(change.after.valid_from ?? null) as string},
              ${(change.after.valid_to ?? null) as string}, ${(change.after.remark ?? null) as string}, 'pending', ${session.org.id})`
  },
  mayWrite(_session, action, row) {
    const isWaiting = row?.status === 'pending'
    if ((action === 'review' || action === 'reject') && !(isWaiting && row?.direction === 'incoming'))
      throw new Refusal('wrongState', '只能审核对方发来的、待审核的申请')
    if ((action === 'enable' || action === 'disable') && (isWaiting || row?.status === 'refused'))
      throw new Refusal('wrongState', '申请尚未通过，不能启用或停用')
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const partner = String(row.partner_sn)
    if (
      await everUsed(
        tx,
        session,
        { document: 'counterparty_id', account_balance: 'counterparty_id', price_agreement: ['seller_id', 'buyer_id'] },
        partner,
      )
    )
      throw new Refusal('blocked', '存在业务往来，不能删除')
    await tx`delete from org_relation where ${otherSide(tx, session.org.id, row)}`
  },
  actions: {
    async review(tx, session, row) {
      await tx`update org_relation set status = 'enabled', version = version + 1 where ${otherSide(tx, session.org.id, row)}`
      return { status: 'enabled' }
    },
    async reject(tx, session, row, reason) {
      await tx`update org_relation set status = 'refused', remark = ${reason}, version = version + 1 where ${otherSide(tx, session.org.id, row)}`
      return { status: 'refused', remark: reason }
    },
  },
}
