import type { Sql } from 'postgres'
import { type OrgType, systemType } from '#kernel/values/organisation-type.ts'
import { loanStore } from '#server/documents/posting/locations.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** The two locations that every organisation's ledgers need beside its stores; a hospital's, what it has on loan. */
const everybodys = [
  { model: 'transit', code: 'ZAITU', name: '在途' },
  { model: 'consumed', code: 'XIAOHAO', name: '已消耗' },
] as const
const placesOf = (type: OrgType) => (type === 'H' ? [...everybodys, loanStore] : everybodys)

type Default = { readonly code: string; readonly name: string; readonly kind: string }

/**
 * The departments and the store with which a new organisation of each type starts; its administrator may change them.
 */
const beginnings: Readonly<Record<OrgType, { readonly departments: readonly Default[]; readonly store: string }>> = {
  P: { departments: [{ code: 'K01', name: '运营部', kind: 'office' }], store: '' },
  H: {
    departments: [
      { code: 'K01', name: '设备科', kind: 'office' },
      { code: 'K02', name: '财务科', kind: 'office' },
      { code: 'K03', name: '耗材库房', kind: 'store' },
    ],
    store: '中心库',
  },
  D: { departments: tradeDepartments(), store: '主仓库' },
  V: { departments: tradeDepartments(), store: '成品仓库' },
}

function tradeDepartments(): readonly Default[] {
  return [
    { code: 'K01', name: '采购部', kind: 'office' },
    { code: 'K02', name: '销售部', kind: 'office' },
    { code: 'K03', name: '质量管理部', kind: 'office' },
    { code: 'K04', name: '财务部', kind: 'office' },
    { code: 'K05', name: '仓储部', kind: 'store' },
  ]
}

/**
 * Creates what an organisation needs before its first document. Runs at sign-in, as that organisation: no one writes
 * another's rows.
 */
export async function provisionOrganisation(sql: Sql, session: Session): Promise<void> {
  const org = session.org.id
  await inOrganisation(sql, org, session.userId, async tx => {
    const rows = await tx<{ model: string }[]>`select model from warehouse where org_id = ${org}`
    for (const { model, code, name } of placesOf(session.org.type).filter(
      place => !rows.some(row => row.model === place.model),
    )) {
      await tx`insert into warehouse (org_id, code, name, model, type, pinyin)
        values (${org}, ${code}, ${name}, ${model}, 3, ${pinyinInitials(name)})
        on conflict (org_id, code) do nothing`
    }
    if (rows.length === 0) await begin(tx, session)
  })
}

/** Creates the first departments and stores when an organisation signs in that never had any. */
async function begin(tx: Tx, session: Session): Promise<void> {
  const org = session.org.id
  const template = await seedTemplate(tx, session)
  const preset = beginnings[session.org.type]
  const departments = template.departments.length > 0 ? named(template.departments, 'K', 'office') : preset.departments
  const stores = template.warehouses.length > 0 ? template.warehouses : preset.store ? [preset.store] : []
  for (const [at, { code, name, kind }] of departments.entries())
    await tx`
      insert into department (org_id, code, name, department_kind, sort_no, pinyin)
        values (${org}, ${code}, ${name}, ${kind}, ${at}, ${pinyinInitials(name)})
      on conflict (org_id, code) do nothing`
  if (stores.length === 0) return
  for (const { code, name } of named(stores, 'W', ''))
    await tx`insert into warehouse (org_id, code, name, model, type, pinyin)
      values (${org}, ${code}, ${name}, 'central', 3, ${pinyinInitials(name)})
      on conflict (org_id, code) do nothing`
  await tx`insert into warehouse (org_id, code, name, model, type, pinyin)
    values (${org}, 'W99', '停售库', 'stopSale', 2, ${pinyinInitials('停售库')})
    on conflict (org_id, code) do nothing`
}

const named = (names: readonly string[], letter: string, kind: string): readonly Default[] =>
  names.map((name, at) => ({ code: `${letter}${String(at + 1).padStart(2, '0')}`, name, kind }))

type Template = { readonly departments: readonly string[]; readonly warehouses: readonly string[] }

/**
 * The roles of the platform's default template for this organisation type, and the departments and stores that it
 * names.
 */
async function seedTemplate(tx: Tx, session: Session): Promise<Template> {
  const [template] = await tx<(Template & { id: string; code: string })[]>`
    select id, code, departments, warehouses from role_template
     where is_default and status = 'enabled' and system_type = ${systemType[session.org.type]} order by vip_level
       limit 1`
  if (!template) return { departments: [], warehouses: [] }
  await tx`
    insert into role (org_id, name, description, flags, template_code)
    select ${session.org.id}, r.name, r.description, r.flags, ${template.code} from template_role r
      where r.role_template_id = ${template.id}
    on conflict (org_id, name) do nothing`
  return template
}
