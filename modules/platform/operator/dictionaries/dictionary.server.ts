import { BusinessError } from '#kernel/rules/errors.ts'
import { wordsInUse, writeUses } from '#modules/platform/operator/dictionaries/dictionary-usage.server.ts'
import type { Change, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

export const dictionaryRules: RecordRules = {
  kind: 'dictionary',
  columns: tx => ({
    item_count: tx`(select count(*)::int from dictionary_item i where i.dictionary_id = t.id)`,
    item_names: tx`(select string_agg(i.name, '、' order by i.sort_no, i.id) from dictionary_item i
      where i.dictionary_id = t.id)`,
    use_count: tx`(select coalesce(sum(i.uses), 0)::int from dictionary_item i where i.dictionary_id = t.id)`,
  }),
  async check(_tx, _session, { before, after }) {
    if (before?.is_system === true && before.code !== after.code)
      throw new BusinessError('rule', '系统字典不能修改编码')
  },
  mayWrite(_session, action, row) {
    if (row?.is_system === true && ['del', 'disable'].includes(action))
      throw new BusinessError('rule', '系统字典不能停用或删除')
  },
  calls: {
    async refresh({ tx, session }) {
      const changed = await writeUses(tx, await wordsInUse(tx, session))
      return { said: `已刷新，${changed.length}个字典项的引用数有变化` }
    },
  },
}

/** An item's parent is in the same list, and is never the item itself. */
async function wrongParent(tx: Tx, { id, after }: Change): Promise<string | null> {
  if (!after.parent_sn) return null
  const above = await tx<{ id: string; dictionary_id: string }[]>`
    with recursive up as (select id, parent_id, dictionary_id from dictionary_item where id = ${String(after.parent_sn)}
      union select i.id, i.parent_id, i.dictionary_id from dictionary_item i join up on i.id = up.parent_id)
    select id, dictionary_id from up`
  if (above.some(one => one.id === id)) return '上级项不能是自己或自己的下级'
  return above[0]?.dictionary_id === String(after.dictionary_sn) ? null : '上级项须属于同一字典'
}

/** True if a field other than the names changes: items built into the program allow only new names. */
const movedBeyondName = ({ before, sent }: Change): boolean =>
  Object.entries(sent).some(([name, value]) => !['name', 'short_name'].includes(name) && before?.[name] !== value)

export const dictionaryItemRules: RecordRules = {
  kind: 'dictionaryItem',
  visible: (tx, session) =>
    session.org.type === 'P'
      ? tx`t.kept_by_id is null`
      : tx`exists (select 1 from dictionary d
        where d.id = t.dictionary_id and (cardinality(d.orgs) = 0 or ${session.org.type} = any(d.orgs)))`,
  columns: tx => ({ is_own: tx`t.kept_by_id is not null` }),
  async check(tx, _session, change) {
    const { id, before, after } = change
    const [duplicate] = await tx`
      select 1 from dictionary_item where dictionary_id = ${String(after.dictionary_sn)}
        and code = ${String(after.code)} and kept_by_id is null and id is distinct from ${id}::bigint limit 1`
    if (duplicate)
      throw new BusinessError('duplicate', '字典项编码已存在', [{ field: 'code', msg: '字典项编码已存在' }])
    const [system] = await tx`select 1 from dictionary where id = ${String(after.dictionary_sn)} and is_system`
    if (system && before === null) throw new BusinessError('rule', '系统字典不能增加项')
    if (system && before?.code !== after.code) throw new BusinessError('rule', '系统字典不能修改编码')
    if (system && movedBeyondName(change)) throw new BusinessError('rule', '系统字典项只能修改名称和简称')
    const wrong = await wrongParent(tx, change)
    return wrong === null ? [] : [{ field: 'parent_sn', msg: wrong }]
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const [list] = await tx<{ code: string; is_system: boolean }[]>`
      select code, is_system from dictionary where id = ${String(row.dictionary_sn)}`
    if (list?.is_system) throw new BusinessError('rule', '系统字典项不能删除')
    const [below] = await tx`select 1 from dictionary_item where parent_id = ${String(row.dictionary_item_sn)} limit 1`
    if (below) throw new BusinessError('blocked', `【${String(row.name)}】下还有字典项，请先删除或移走`)
    const used = (await wordsInUse(tx, session)).find(use => use.list === list?.code && use.word === row.name)
    if (used) throw new BusinessError('blocked', `【${String(row.name)}】已被引用${used.uses}次，不能删除，请停用`)
  },
}
