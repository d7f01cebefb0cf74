import type { RecordRules } from '#server/public/records.ts'

/** Each of our accounts is mapped once. */
export const voucherAccountRules: RecordRules = {
  kind: 'voucherAccount',
  async check(tx, session, { id, after }) {
    const [other] = await tx`
      select 1 from voucher_account where org_id = ${session.org.id} and id is distinct from ${id}
         and ledger_account = ${String(after.ledger_account)}`
    return other ? [{ field: 'ledger_account', msg: '该系统科目已有对照，请修改原来的一行' }] : []
  },
}
