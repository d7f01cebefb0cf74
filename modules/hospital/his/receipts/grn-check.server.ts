import { checkReceipts, fetchReceipts } from '#modules/hospital/his/receipts/receipt-check.server.ts'
import { pushAgain, refuseUnconnected, takeBack } from '#modules/hospital/his/receipts/receipt-push.server.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import { scopeSql } from '#server/public/session.ts'

/** 重新推送: the ticked documents, all or none. */
const push: ListActionHandler = async ({ tx, session, ids }) => {
  const org = session.org.id
  await refuseUnconnected(tx, org)
  const seen = await tx`
    select t.id from his_grn t where t.org_id = ${org} and t.id::text = any(${ids as string[]})
      and ${scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: null, people: [] })}`
  if (seen.length < ids.length) throw new BusinessError('notFound', '有的单据不存在，请刷新后重新勾选')
  for (const key of [...ids].toSorted()) await pushAgain(tx, org, key)
  return { said: `已重新推送${ids.length}张单据，结果稍后显示` }
}

export const hisGrnCheckRules: RecordRules = {
  kind: 'hisGrnCheck',
  table: 'his_grn',
  readFlag: 'page:/hospital/tcHisGrnCheck',
  visible: (tx, session) => scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: null, people: [] }),
  mayWrite(_session, action) {
    if (['add', 'edit', 'del'].includes(action))
      throw new BusinessError('rule', '核对记录由系统生成，不能新增、修改或删除')
  },
  actions: {
    async reversePush(tx, session, row, reason) {
      await takeBack(tx, session.org.id, String(row.his_grn_sn), reason ?? '')
    },
    async explain(tx, session, row, _reason, answers) {
      if (!['amount', 'lines', 'missing', 'extra'].includes(String(row.check_result)))
        throw new BusinessError('wrongState', '没有差异，无需说明')
      await tx`
        update his_grn set explanation = ${String(answers.explanation)}, explained_by = ${session.userName},
          explained_at = now() where org_id = ${session.org.id} and id = ${String(row.his_grn_sn)}`
    },
  },
  remoteCalls: { fetch: fetchReceipts },
  calls: { check: checkReceipts, push },
}

export const hisGrnLineRules: RecordRules = {
  kind: 'hisGrnLine',
  readFlag: 'page:/hospital/tcHisGrnCheck',
  visible: (tx, session) => tx`exists (select 1 from his_grn g where g.org_id = t.org_id and g.id = t.his_grn_id
    and ${scopeSql(tx, session, { stores: [tx`g.warehouse_id`], department: null, people: [] })})`,
  columns: tx => ({
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
  }),
}
