import { Refusal } from '#kernel/refusal.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const dictionaryRules: RecordRules = {
  kind: 'dictionary',
  columns: tx => ({
    item_count: tx`(select count(*)::int from dictionary_item i where i.dictionary_id = t.id)`,
    item_names: tx`(select string_agg(i.name, '、' order by i.sort_no, i.id) from dictionary_item i where i.dictionary_id = t.id)`,
  }),
  async check(_tx, _session, { before, after }) {
    if (before?.is_system === true && before.code !== after.code) throw new Refusal('rule', '系统字典不能修改编码')
    return []
  },
  mayWrite(_session, action, row) {
    if (row?.is_system === true && ['del', 'disable'].includes(action))
      throw new Refusal('rule', '系统字典不能停用或删除')
  },
}

export const dictionaryItemRules: RecordRules = {
  kind: 'dictionaryItem',
  async check(tx, _session, { before, after }) {
    const [system] = await tx`select 1 from dictionary where id = ${String(after.dictionary_sn)} and is_system`
    if (system && before === null) throw new Refusal('rule', '系统字典不能增加项')
    if (system && before?.code !== after.code) throw new Refusal('rule', '系统字典不能修改编码')
    return []
  },
  async mayLeave(tx, _session, action, row) {
    if (action !== 'del') return
    const [system] = await tx`select 1 from dictionary where id = ${String(row.dictionary_sn)} and is_system`
    if (system) throw new Refusal('rule', '系统字典项不能删除，可以停用')
  },
}

export const vipLevelRules: RecordRules = {
  kind: 'vipLevel',
  columns: tx => ({
    system_type: tx`t.system_type::text`,
    org_count: tx`(select count(*)::int from organisation o where o.system_type = t.system_type and o.vip_level = t.code)`,
  }),
  mayWrite(_session, action, row) {
    if (row?.code === 0 && ['del', 'disable'].includes(action))
      throw new Refusal('rule', '0级为免费等级，不能停用或删除')
  },
  async mayLeave(tx, _session, _action, row) {
    const [used] = await tx`
      select 1 from organisation where system_type = ${Number(row.system_type)} and vip_level = ${Number(row.code)} and status = 'enabled' limit 1`
    if (used) throw new Refusal('blocked', '该等级下存在有效机构，不能停用')
  },
  actions: {
    async grant(tx, _session, row, _reason, answers) {
      const [org] = await tx<
        { system_type: number }[]
      >`select system_type from organisation where id = ${String(answers.org_sn)}`
      if (org?.system_type !== Number(row.system_type)) throw new Refusal('rule', '机构类型与等级不同，请重新选择')
      await tx`
        update organisation set vip_level = ${Number(row.code)}, vip_until = ${String(answers.until)}, version = version + 1 where id = ${String(answers.org_sn)}`
    },
  },
}
