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
  async check(tx, _session, { id, before, after }) {
    const [twin] = await tx`
      select 1 from dictionary_item where dictionary_id = ${String(after.dictionary_sn)} and code = ${String(after.code)} and id is distinct from ${id}::bigint limit 1`
    if (twin) throw new Refusal('duplicate', '字典项编码已存在', [{ field: 'code', msg: '字典项编码已存在' }])
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
