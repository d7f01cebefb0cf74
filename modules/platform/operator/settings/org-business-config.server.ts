import { compare, isDecimal } from '#kernel/values/decimal.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { configItems } from '#modules/base/settings/organisation-settings.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const itemOf = (row: Readonly<RecordRow>) => {
  const item = configItems.find(one => one.title === row.title)
  if (!item) throw new BusinessError('notFound', '没有这个配置项')
  return item
}

/** The problem with the value, if it may not be entered there. */
function wrongValue(row: Readonly<RecordRow>): string | null {
  const item = itemOf(row)
  const value = String(row.value ?? '')
  if (item.kind === 'switch') return ['是', '否'].includes(value) ? null : `${item.title}只能填写：是、否`
  if (item.kind === 'choice') {
    const words = Object.values(item.choices ?? {})
    return words.includes(value) ? null : `${item.title}只能填写：${words.join('、')}`
  }
  const right = isDecimal(value) && compare(value, String(item.least)) >= 0 && compare(value, String(item.most)) <= 0
  const zero = item.zero === true && value === '0'
  return right || zero ? null : `${item.title}应在${item.least}到${item.most}之间`
}

/** 委托代运营 needs a last day and a written authorisation; other items must have neither. */
function wrongAuthorisation(row: Readonly<RecordRow>): Problem[] {
  const [until, scans] = [row.valid_to as Day | null, (row.authorisation ?? []) as readonly string[]]
  if (itemOf(row).name !== 'on_behalf')
    return until || scans.length > 0
      ? [{ field: until ? 'valid_to' : 'authorisation', msg: '只有委托代运营有失效日期和授权书' }]
      : []
  if (row.value === '否') return []
  if (!until) return [{ field: 'valid_to', msg: '委托代运营请填写失效日期' }]
  if (until < String(row.valid_from)) return [{ field: 'valid_to', msg: '失效日期不能早于生效日期' }]
  return scans.length === 0 ? [{ field: 'authorisation', msg: '委托代运营请上传授权书' }] : []
}

const allowed = (row: Readonly<RecordRow>): string => {
  const item = configItems.find(one => one.title === row.title)
  if (!item) return ''
  if (item.kind === 'switch') return '是、否'
  if (item.kind === 'choice') return Object.values(item.choices ?? {}).join('、')
  return `${item.zero ? '0，或' : ''}${item.least}到${item.most}`
}

const write = (tx: Tx, session: Session, org: string, name: string, value: string, from: string, id: string) => tx`
  insert into org_config (id, org_id, name, value, valid_from, changed_by)
    values (${id}, ${org}, ${name}, ${value}, ${from}, ${session.userName})
  on conflict (org_id, name) do update set value = excluded.value, valid_from = excluded.valid_from,
    changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = org_config.version + 1
  returning id`

export const businessConfigRules: RecordRules = {
  kind: 'orgBusinessConfig',
  table: 'org_config',
  kept: ['holder_sn', 'system_type', 'category', 'title', 'preset', 'changed_at'],
  readFlag: 'page:/ptm/businessConfig',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    holder_sn: tx`t.holder_id`,
    system_type: tx`t.system_type::text`,
    category: tx`t.category`,
    title: tx`t.title`,
    preset: tx`t.preset`,
    changed_at: tx`t.changed_at`,
    allowed: tx`null::text`,
  }),
  complete: async (_tx, _session, rows) => rows.map(row => ({ ...row, allowed: allowed(row) })),
  mayWrite(_session, action) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '配置项由程序登记，只能修改或恢复默认')
  },
  async check(tx, session, { id, before, after }) {
    const wrong = wrongValue(after)
    if (wrong !== null) return [{ field: 'value', msg: wrong }]
    after.valid_from ??= today()
    const ungranted = wrongAuthorisation(after)
    if (ungranted.length > 0) return ungranted
    // The first change of an item gives it a row of its own.
    await tx`
      insert into org_config (id, org_id, name, value, valid_from, changed_by)
      values (${id}, ${String(before?.holder_sn)}, ${itemOf(after).name}, ${String(before?.value)}, ${today()},
        ${session.userName}) on conflict do nothing returning id`
    return []
  },
  alsoWrites: async (_tx, session) => ({ changed_by: session.userName, changed_at: new Date().toISOString() }),
  actions: {
    async copy(tx, session, row, _reason, answers) {
      const item = itemOf(row)
      if (item.name === 'on_behalf')
        throw new BusinessError('rule', '委托代运营须由每个机构分别授权，不能复制到其他机构')
      const place = configItems.indexOf(item) + 1
      const to = String(answers.org_sn)
      await write(
        tx,
        session,
        to,
        item.name,
        String(row.value),
        String(row.valid_from ?? today()),
        String(BigInt(to) * 1000n + BigInt(place)),
      )
      await ensure(tx, session, row)
    },
    async reset(tx, session, row) {
      await ensure(tx, session, row)
      return { value: row.preset, valid_from: today(), valid_to: null, authorisation: [] }
    },
  },
}

/** The row that an action updates must exist. */
const ensure = (tx: Tx, session: Session, row: Readonly<RecordRow>) => tx`
  insert into org_config (id, org_id, name, value, valid_from, changed_by)
  values (${String(row.config_sn)}, ${String(row.holder_sn)}, ${itemOf(row).name}, ${String(row.value)},
    ${String(row.valid_from ?? today())}, ${session.userName}) on conflict do nothing returning id`
