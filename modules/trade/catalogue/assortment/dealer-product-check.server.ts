import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { countLights } from '#modules/trade/licensing/dealer-lights.server.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordRules } from '#server/public/records.ts'
import { inOrganisation } from '#server/public/database.ts'

/**
 * Every hour: lights are computed again, for what begins or ends by its date, and dealers who did not supply the
 * missing licence by the due date are refused.
 */
export async function recheckDealers(owner: Sql): Promise<void> {
  const dealers = await owner<
    { id: string }[]
  >`select id from organisation where system_type = 2 and status = 'enabled' and kept_by_id is null order by id`
  for (const { id } of dealers) await inOrganisation(owner, id, '0', tx => countLights(tx, id, null))
  const late = await owner<{ dealer_id: string; name: string; licence: string }[]>`
    update dealer_check c set state = 'refused', opinion = '逾期未补证', checked_by = '系统', checked_at = now(),
      version = c.version + 1
      from product p where p.id = c.product_id and c.state = 'asked' and c.due_on < ${today()} returning c.dealer_id,
        p.name, coalesce(c.asked_licence, '') as licence`
  for (const one of late)
    await notify(owner, one.dealer_id, '产品核对未通过', `【${one.name}】逾期未补${one.licence}，已停止新的销售`)
}

const notify = (sql: Sql, dealer: string, title: string, body: string, id = '') =>
  inOrganisation(sql, dealer, '0', tx =>
    sendMessage(tx, dealer, {
      title,
      body,
      uri: '/ptm/businessProduct',
      objectId: id,
      kind: 'dealerProduct',
      type: 'audit',
    }),
  )

export const dealerProductCheckRules: RecordRules = {
  kind: 'dealerProductCheck',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`true`
      : tx`exists (select 1 from product p where p.id = t.product_id and p.manufacturer_id = ${session.org.id})`,
  columns: tx => ({
    specification_names: tx`(select left(string_agg(s.name, '、' order by s.code), 200) from specification s
      where s.product_id = t.product_id and s.mapped_to_id is null)`,
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = t.product_id)`,
    registration_no: tx`(select min(c.certificate_no) from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.product_id)`,
    registration_expiry: tx`(select min(c.valid_to) from specification s
      join registration_certificate c on c.id = s.registration_certificate_id where s.product_id = t.product_id)`,
  }),
  mayWrite(session, action, row) {
    if (['add', 'edit', 'del'].includes(action)) throw new BusinessError('forbidden', '核对记录由系统生成')
    if (session.org.type !== 'P') throw new BusinessError('forbidden')
    if (action === 'review' && row?.state === 'passed') throw new BusinessError('wrongState', '该产品已核对通过')
    if (action === 'reject' && row?.state === 'refused') throw new BusinessError('wrongState', '该产品已驳回')
  },
  actions: {
    review: async (_tx, session, _row, _reason, answers) => ({
      state: 'passed',
      opinion: answers.review_opinion ?? null,
      checked_by: session.userName,
      checked_at: new Date().toISOString(),
    }),
    reject: async (_tx, session, _row, reason) => ({
      state: 'refused',
      opinion: reason,
      checked_by: session.userName,
      checked_at: new Date().toISOString(),
    }),
    async notify(_tx, session, _row, _reason, answers) {
      if (String(answers.until) < today())
        throw new BusinessError('invalid', '补证期限不能早于今天', [{ field: 'until', msg: '补证期限不能早于今天' }])
      return {
        state: 'asked',
        asked_licence: answers.licence,
        due_on: answers.until,
        checked_by: session.userName,
        checked_at: new Date().toISOString(),
      }
    },
  },
  async afterwards(sql, _session, action, row) {
    const name = `【${String(row.product_name)}】`
    const said: Readonly<Record<string, readonly [string, string]>> = {
      review: ['产品核对通过', `${name}核对通过`],
      reject: ['产品核对未通过', `${name}被驳回：${String(row.opinion ?? '')}；不能新的销售，库存只能退回供应商`],
      notify: ['请补证照', `${name}缺少${String(row.asked_licence)}，请于${String(row.due_on)}前补齐`],
    }
    const say = said[action]
    if (say) await notify(sql, String(row.dealer_sn), say[0], say[1], String(row.dealer_check_sn))
  },
}
