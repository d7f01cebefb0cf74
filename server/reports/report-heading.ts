import type { FieldSpec } from '#kernel/definition/field.ts'
import { type AnyReport, groupsIn } from '#kernel/definition/report.ts'
import { entityOf } from '#kernel/registry.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The display name of the row whose key was requested; the key itself where there is none. */
export async function nameOfKey(tx: Tx, session: Session, field: FieldSpec, value: string): Promise<string> {
  const target = entityOf(field.target ?? '')
  if (!target || !/^\d{1,18}$/.test(value)) return value
  const own = target.scope === 'organisation' ? tx`and org_id = ${session.org.id}` : tx``
  const [row] = await tx<{ name: string }[]>`
    select ${tx(target.display)}::text as name from ${tx(target.table)} where id = ${value} ${own}`
  return row?.name ?? value
}

/** The lines above a report's table: its title, the conditions in words, time and user. */
export async function reportHeading(
  tx: Tx,
  session: Session,
  definition: AnyReport,
  raw: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const said: string[] = []
  for (const [name, field] of Object.entries(definition.parameters)) {
    const value = typeof raw[name] === 'string' ? raw[name] : ''
    if (value === '') continue
    const shown =
      field.as === 'ref'
        ? await nameOfKey(tx, session, field, value)
        : (field.choices?.[value] ?? (field.as === 'flag' ? '是' : value))
    said.push(`${field.label}：${shown}`)
  }
  const groups = groupsIn(raw.group_by).map(name => definition.columns[name]?.label ?? name)
  if (groups.length > 0) said.push(`分组汇总：${groups.join('、')}`)
  const at = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
  return [
    `${session.org.name} ${definition.title}`,
    `查询条件：${said.length === 0 ? '全部' : said.join('；')}`,
    `导出时间：${at}　导出人：${session.userName}`,
  ]
}
