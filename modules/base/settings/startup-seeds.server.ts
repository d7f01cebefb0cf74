import type { Sql } from 'postgres'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { configItems } from '#modules/base/settings/organisation-settings.ts'
import { readyRoles } from '#modules/base/settings/default-roles.ts'
import { permissionsIn } from '#server/public/menu.ts'

const types = { P: 0, H: 1, D: 2, V: 3 } as const
const names = { P: '平台', H: '医院', D: '经销商', V: '厂商' } as const

/** Creates the default template of each organisation type, where none exists yet. */
async function seedRoleTemplates(sql: Sql): Promise<void> {
  const [any] = await sql`select 1 from role_template limit 1`
  if (any) return
  for (const type of ['P', 'H', 'D', 'V'] as const satisfies readonly OrgType[]) {
    const [made] = await sql<{ id: string }[]>`
      insert into role_template (code, name, system_type, is_default, description)
        values (${`TPL-${type}`}, ${`${names[type]}标准角色`}, ${types[type]}, true, '机构注册通过后建立的角色')
      on conflict (code) do nothing returning id`
    if (!made) continue
    for (const [at, role] of readyRoles[type].entries())
      await sql`
        insert into template_role (role_template_id, code, name, description, flags)
        values (${made.id}, ${`R${String(at + 1).padStart(2, '0')}`}, ${role.name}, ${role.description},
          ${[...permissionsIn(type, role.groups), ...(role.also ?? [])]})
        on conflict (role_template_id, name) do nothing`
  }
}

const seedConfigItems = (sql: Sql) => sql`
  insert into config_item (place, name, title, category, value_kind, least, most, preset,
    trade_preset)
  select n.place, n.name, n.title, n.category, n.kind, n.least, n.most, n.preset, n."tradePreset"
    from jsonb_to_recordset(${sql.json(configItems.map((item, at) => ({ ...item, place: at + 1 })))}::jsonb)
      n(place int, name text, title text, category text, kind text, least numeric, most numeric, preset text,
        "tradePreset" text)
  on conflict (place) do update set name = excluded.name, title = excluded.title, category = excluded.category,
    value_kind = excluded.value_kind, least = excluded.least, most = excluded.most, preset = excluded.preset,
    trade_preset = excluded.trade_preset`

/**
 * Creates the roles, settings and levels that must exist before anybody signs in. Several processes may start at once.
 */
export async function seedSettings(owner: Sql): Promise<void> {
  await seedRoleTemplates(owner)
  await seedConfigItems(owner)
  await owner`
    insert into system_role (code, name, system_type, is_whole, is_builtin) values
      ('SYS-P', '平台管理员', 0, true, true), ('SYS-H', '医院', 1, true, true), ('SYS-D', '经销商', 2, true, true),
        ('SYS-V', '厂商', 3, true, true)
    on conflict do nothing`
  await owner`insert into vip_level (code, name, system_type) values (0, '免费版', 1), (0, '免费版', 2),
    (0, '免费版', 3) on conflict do nothing`
}
