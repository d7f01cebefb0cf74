import { addDays, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { qualityPosts } from '#modules/base/identity/staff-file.entity.ts'
import type { TransactionSql } from 'postgres'
import type { Masters } from '#demo/masters/masters.ts'
import { idOf, idOrNull, insertRows, newIds, type TableRow } from '#demo/rows.ts'
import { type DemoRow, demoTable } from '#demo/tables.ts'
import { divisionPath, parseDivisions } from '#server/reference/divisions.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'

export type Organisations = Pick<Masters, 'organisations' | 'departments' | 'employees' | 'warehouses'>

/** Organisations with their relations, licences, departments, employees, stores and rules. */
export async function loadTenants(tx: TransactionSql): Promise<Organisations> {
  const organisations = await loadOrganisations(tx)
  await loadRelations(tx, organisations)
  const departments = await loadDepartments(tx, organisations)
  const employees = await loadEmployees(tx, organisations, departments)
  const orgs = {
    organisations,
    departments,
    employees,
    warehouses: await loadWarehouses(tx, organisations, departments, employees),
  }
  await loadLicences(tx, organisations)
  await loadSettings(tx, organisations)
  return orgs
}

const codesOf = (rows: readonly DemoRow[], column: string) => rows.map(row => row[column] ?? '')

async function loadOrganisations(tx: TransactionSql): Promise<Map<string, string>> {
  const rows = demoTable('organisations')
  const ids = await newIds(tx, codesOf(rows, 'org_code'))
  await insertRows(
    tx,
    'organisation',
    rows.map(row => ({
      id: idOf(ids, row.org_code),
      code: row.org_code ?? '',
      name: row.name ?? '',
      alias: row.alias ?? null,
      system_type: parseInteger(row.org_type),
      social_credit_code: row.social_credit_code ?? '',
      administrative_division_sn: row.administrative_division_sn ?? null,
      division_name: divisionPath(row.administrative_division_sn ?? null),
      address: row.address ?? '',
      legal_person: row.legal_person ?? null,
      registrant: row.registrant ?? null,
      registrant_phone: row.registrant_phone ?? null,
      registrant_email: row.registrant_email ?? null,
      description: row.description ?? null,
      hospital_level: row.hospital_level ?? null,
      nature: row.org_type === '1' ? '公立' : null,
      gln: row.gln ?? null,
      bank_name: row.bank_name ?? null,
      bank_account: row.bank_account ?? null,
      pinyin: pinyinInitials(`${row.name}${row.alias ?? ''}`),
    })),
  )
  return ids
}

const relationStatus: Readonly<Record<string, string>> = { 启用: 'enabled', 停用: 'disabled', 待审核: 'pending' }

/**
 * DH and HD are the two books of one trade; every other relation is written here from one side and recorded in both
 * books.
 */
async function loadRelations(tx: TransactionSql, orgs: Map<string, string>): Promise<void> {
  const rows = demoTable('relations')
  const books = rows.flatMap((row): DemoRow[] => {
    const [from, to] = [row.from_org ?? null, row.to_org ?? null]
    const own = { ...row, org: from, partner: to }
    const isReciprocal = row.relation_type === 'DH' || row.relation_type === 'HD'
    return isReciprocal ? [own] : [own, { ...row, org: to, partner: from }]
  })
  await insertRows(
    tx,
    'org_relation',
    books.map(row => ({
      org_id: idOf(orgs, row.org),
      partner_id: idOf(orgs, row.partner),
      relation: row.relation_type ?? '',
      authorisation_no: row.authorisation_no ?? null,
      valid_from: row.valid_from ?? null,
      valid_to: row.valid_to ?? null,
      default_tax_rate: parseInteger(row.default_tax_rate),
      settlement_method: row.settlement_method === '月结' ? 'monthly' : 'none',
      payment_days: parseInteger(row.payment_days),
      credit_limit: row.credit_limit ?? null,
      remark: row.note ?? null,
      status: relationStatus[row.state ?? ''] ?? 'enabled',
      applicant_id: row.state === '待审核' ? idOf(orgs, row.from_org) : null,
      apply_note: row.state === '待审核' ? (row.note ?? null) : null,
    })),
  )
}

const departmentKinds: Readonly<Record<string, string>> = {
  临床: 'clinical',
  医技: 'technical',
  手术室: 'operating',
  职能: 'office',
  库房: 'store',
}

async function loadDepartments(tx: TransactionSql, orgs: Map<string, string>): Promise<Map<string, string>> {
  const rows = demoTable('departments')
  const ids = await newIds(tx, codesOf(rows, 'department_code'))
  await insertRows(
    tx,
    'department',
    rows.map(row => ({
      org_id: idOf(orgs, row.org_code),
      id: idOf(ids, row.department_code),
      code: row.department_code ?? '',
      name: row.name ?? '',
      parent_id: idOrNull(ids, row.parent_code),
      department_kind: departmentKinds[row.department_kind ?? ''] ?? null,
      campus: row.campus ?? null,
      his_code: row.his_department_code ?? null,
      cost_centre: row.cost_centre ?? null,
      sort_no: parseInteger(row.sort_no),
      pinyin: pinyinInitials(row.name ?? ''),
      status: row.status === '1' ? 'enabled' : 'disabled',
    })),
  )
  return ids
}

async function loadEmployees(
  tx: TransactionSql,
  orgs: Map<string, string>,
  departments: Map<string, string>,
): Promise<Map<string, string>> {
  const rows = demoTable('employees')
  const ids = await newIds(tx, codesOf(rows, 'employee_code'))
  await insertRows(
    tx,
    'employee',
    rows.map(row => ({
      org_id: idOf(orgs, row.org_code),
      id: idOf(ids, row.employee_code),
      code: row.employee_code ?? '',
      name: row.name ?? '',
      department_id: idOrNull(departments, row.department_code),
      sex: row.sex ?? null,
      position: row.position ?? null,
      title: row.title ?? null,
      phone: row.phone ?? null,
      email: row.email ?? null,
      his_staff_no: row.his_staff_no ?? null,
      is_surgeon: row.is_surgeon === '1',
      entry_date: row.entry_date ?? null,
      quality_post: postOf(row),
      pinyin: pinyinInitials(row.name ?? ''),
      status: row.status === '在职' ? 'enabled' : 'disabled',
    })),
  )
  await fileStaff(tx, orgs, ids)
  return ids
}

const postOf = (row: DemoRow): string | null =>
  Object.entries(qualityPosts).find(([, label]) => label === row.quality_post)?.[0] ?? null

/** Employees with a quality post were checked and trained on one day; a check is good for a year. */
async function fileStaff(tx: TransactionSql, orgs: Ids, employees: Ids): Promise<void> {
  const files = demoTable('employees').flatMap(row => {
    const done_on = row.health_check_on as Day | null
    if (postOf(row) === null || !done_on) return []
    const of = { org_id: idOf(orgs, row.org_code), employee_id: idOf(employees, row.employee_code), done_on }
    return [
      { ...of, file_kind: 'health', subject: '市疾病预防控制中心', valid_to: addDays(done_on, 365) },
      { ...of, file_kind: 'training', subject: '医疗器械经营质量管理规范年度培训', valid_to: null },
    ]
  })
  await insertRows(tx, 'staff_file', files)
}

const models: Readonly<Record<string, string>> = {
  中心库: 'central',
  科室二级库: 'ward',
  智能柜: 'cabinet',
  寄售库: 'consigned',
  '虚拟库/在途': 'transit',
  停售库: 'stopSale',
  租赁库: 'leased',
}

type Place = { readonly org: string; readonly code: string; readonly name: string; readonly model: string }

/** 在途 and 已消耗 of every organisation, where the demo's list lacks them. */
function placesBeside(rows: readonly DemoRow[], orgs: Map<string, string>): Place[] {
  const withTransit = new Set(
    rows.filter(row => models[row.warehouse_model ?? ''] === 'transit').map(row => row.org_code),
  )
  return [...orgs.keys()].flatMap(org => [
    ...(withTransit.has(org) ? [] : [{ org, code: `${org}-TRANSIT`, name: '在途', model: 'transit' }]),
    { org, code: `${org}-CONSUMED`, name: '已消耗', model: 'consumed' },
  ])
}

type Ids = Map<string, string>

async function loadWarehouses(tx: TransactionSql, orgs: Ids, departments: Ids, employees: Ids): Promise<Ids> {
  const rows = demoTable('warehouses')
  const places = placesBeside(rows, orgs)
  const ids = await newIds(tx, [...codesOf(rows, 'warehouse_code'), ...places.map(place => place.code)])
  const stores = rows.map((row): TableRow => {
    const model = models[row.warehouse_model ?? ''] ?? 'central'
    return {
      org_id: idOf(orgs, row.org_code),
      id: idOf(ids, row.warehouse_code),
      code: row.warehouse_code ?? '',
      name: row.name ?? '',
      model,
      type: parseInteger(row.type_code),
      // Only a ward's store and a cabinet belong to a department; elsewhere the demo's department is the one that
      // runs the store.
      department_id: model === 'ward' || model === 'cabinet' ? idOf(departments, row.department_code) : null,
      parent_id: idOrNull(ids, row.parent_warehouse),
      manager_id: idOrNull(employees, row.manager_code),
      storage: row.storage ?? null,
      address: row.address ?? null,
      use_locations: row.use_locations === '1',
      remark: row.note ?? null,
      status: row.status === '1' ? 'enabled' : 'disabled',
    }
  })
  await insertRows(tx, 'warehouse', stores)
  const beside = places.map(
    ({ org, code, name, model }): TableRow => ({
      org_id: idOf(orgs, org),
      id: idOf(ids, code),
      code,
      name,
      model,
      type: 3,
    }),
  )
  await insertRows(tx, 'warehouse', beside)
  return ids
}

/** Each organisation keeps its own licences, and a copy of every licence of its partners. */
async function loadLicences(tx: TransactionSql, orgs: Map<string, string>): Promise<void> {
  const names = new Map(demoTable('employees').map(row => [row.employee_code, row.name]))
  const rows = demoTable('licences')
  const partners = demoTable('relations')
    .filter(row => row.state === '启用')
    .flatMap(row => [
      [row.from_org, row.to_org],
      [row.to_org, row.from_org],
    ])
  const keepers = (holder: string | null) =>
    new Set([holder, ...partners.filter(([of]) => of === holder).map(([, keeper]) => keeper)])
  await insertRows(
    tx,
    'licence',
    rows.flatMap(row =>
      [...keepers(row.org_code ?? null)].map(
        (keeper): TableRow => ({
          org_id: idOf(orgs, keeper),
          holder_id: idOf(orgs, row.org_code),
          licence_type: row.licence_type ?? '',
          licence_no: row.licence_no ?? '',
          issuer: row.issuer ?? null,
          issued_on: row.issued_on ?? null,
          valid_from: row.valid_from ?? '',
          valid_to: row.valid_to ?? null,
          long_term: row.long_term === '1',
          scope: row.scope ?? null,
          grantor_id: idOrNull(orgs, row.grantor_org),
          grantee_id: idOrNull(orgs, row.grantee_org),
          person_name: names.get(row.person_code ?? '') ?? null,
          remark: row.note ?? null,
          audit_state: 'passed',
          status: row.audit_state === '已换证' ? 'replaced' : 'enabled',
        }),
      ),
    ),
  )
  // The subjects in the text of a hospital's licence, as items of the list.
  await tx`
    update licence l set subjects = array(
      select i.name from dictionary_item i join dictionary d on d.id = i.dictionary_id
       where d.code = 'clinical_subject' and position(replace(i.name, '专业', '') in l.scope) > 0 order by i.code)
     where l.licence_type = '医疗机构执业许可证'`
  await loadAuthorised(tx, orgs)
}

/** The scope of each authorisation: goods the grantor makes or may grant, at the hospitals it names or in its area. */
async function loadAuthorised(tx: TransactionSql, orgs: Map<string, string>): Promise<void> {
  for (const row of demoTable('licences').filter(each => each.licence_type === '授权书'))
    for (const hospital of row.authorised_hospital?.split(',') ?? [null]) {
      const area = hospital ? null : (row.scope?.match(/区域：([^；]*)/)?.[1] ?? null)
      await tx`
        insert into licence_line (org_id, licence_id, manufacturer_id, hospital_id, area, area_codes, may_pass_on)
        select l.org_id, l.id, case g.system_type when 3 then g.id end, ${idOrNull(orgs, hospital)}, ${area},
          ${parseDivisions(area ?? '').stems}, ${row.scope?.includes('可转授权') === true}
          from licence l join organisation g on g.id = l.grantor_id
            where l.licence_type = '授权书' and l.licence_no = ${row.licence_no!} order by l.id`
    }
}

/** Settings that are lighter in the demo than the presets, so that one person can play it; 业务配置 shows each of them. */
const LIGHTER = {
  allow_self_review: '是',
  inspection_papers: '否',
  double_recheck: '关闭',
  first_approval: '关闭',
  first_approval_customer: '关闭',
} as const
/** Rules of the demo's hospitals that the platform has no item for; 规则配置 shows them. */
const LIGHTER_AT_HOSPITALS = ['twoInvoice', 'useNeedsPatient'] as const

async function loadSettings(tx: TransactionSql, orgs: Map<string, string>): Promise<void> {
  const ids = [...orgs.values()]
  await tx`
    insert into org_config (id, org_id, name, value, valid_from, changed_by)
    select o.id * 1000 + i.place, o.id, i.name, k.value, '2000-01-01', '演示'
      from organisation o
      cross join jsonb_each_text(${tx.json(LIGHTER)}) k(name, value) join config_item i on i.name = k.name
     where o.id = any(${ids}::bigint[])`
  await tx`
    insert into hospital_rule (org_id, id, name, control, figure, reason, changed_by)
    select o.id, 900000000000000000 + i.place, i.name, 'off', i.figure, '演示环境简化流程', '演示'
      from organisation o cross join rule_item i
     where o.id = any(${ids}::bigint[]) and o.system_type = 1 and i.name = any(${[...LIGHTER_AT_HOSPITALS]}::text[])`
}
