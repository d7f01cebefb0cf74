import { today } from '#kernel/values/date.ts'
import { configItemOf } from '#server/registry/hooks.ts'
import { settingOf } from '#kernel/definition/setting.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Warning days that an organisation may set itself, overriding the platform's. */
const ownDays = new Set(['expiry_warning_days', 'licence_warning_days', 'idle_warning_days'])

/** A figure that the platform set for an organisation, for use inside a statement; the preset where nothing was set. */
export function configNumberSql(tx: Tx, org: string, name: string): Fragment {
  if (ownDays.has(name)) return tx`(select warning_days(${org}, ${name}))`
  const preset = parseInteger(configItemOf(name)?.preset ?? 0)
  return tx`coalesce((select c.value::int from org_config c where c.org_id = ${org} and c.name = ${name}
    and c.valid_from <= ${today()}), ${preset}::int)`
}

/** A value that the platform set for an organisation, as the engine reads it; the preset where nothing was set. */
export async function configValue(tx: Tx, org: string, name: string): Promise<unknown> {
  const item = configItemOf(name)
  if (!item) throw new Error(`there is no configuration item ${name}`)
  const [row] = await tx<{ value: string }[]>`
    select value from org_config where org_id = ${org} and name = ${name} and valid_from <= ${today()}`
  return settingOf(item, row?.value ?? item.preset)
}
