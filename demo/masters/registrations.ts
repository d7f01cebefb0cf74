import type { TransactionSql } from 'postgres'
import type { Organisations } from '#demo/masters/organisations.ts'
import { idOf, insertRows } from '#demo/rows.ts'
import { divisionPath } from '#server/reference/divisions.ts'

type Applicant = {
  readonly type: number
  readonly name: string
  readonly alias?: string
  readonly credit: string
  readonly division: string
  readonly address: string
  readonly person: string
  readonly phone: string
  readonly daysAgo: number
  readonly refused?: string
}

/** Registration applicants: one of each kind waits; one was rejected and may apply again. */
const applicants: readonly Applicant[] = [
  {
    type: 1,
    name: '青梧演示中医医院',
    alias: '青梧中医院',
    credit: '12330108DEM000901H',
    division: '330108',
    address: '滨江区样例路18号',
    person: '简书宁',
    phone: '13900000901',
    daysAgo: 2,
  },
  {
    type: 2,
    name: '远岫演示医疗器械有限公司',
    credit: '91320102DEM000902K',
    division: '320102',
    address: '玄武区演示街7号',
    person: '薄明远',
    phone: '13900000902',
    daysAgo: 1,
  },
  {
    type: 3,
    name: '砚川演示生物材料有限公司',
    credit: '91310115DEM000903M',
    division: '310115',
    address: '浦东新区虚构路300号',
    person: '闵知行',
    phone: '13900000903',
    daysAgo: 0,
  },
  {
    type: 2,
    name: '临皋演示贸易行',
    credit: '91320505DEM000904P',
    division: '320505',
    address: '虎丘区样例巷2号',
    person: '辛如柏',
    phone: '13900000904',
    daysAgo: 9,
    refused: '未提供医疗器械经营许可证',
  },
]

/** Registrations of the demo, in the platform's book. */
export async function loadRegistrations(tx: TransactionSql, organisations: Organisations): Promise<void> {
  const platform = idOf(organisations.organisations, 'P01')
  const rows = await Promise.all(
    applicants.map(async (applicant, at) => ({
      org_id: platform,
      code: `ZCDEMO${String(at + 1).padStart(4, '0')}`,
      system_type: applicant.type,
      name: applicant.name,
      alias: applicant.alias ?? null,
      social_credit_code: applicant.credit,
      administrative_division_sn: applicant.division,
      division_name: divisionPath(applicant.division),
      address: applicant.address,
      registrant: applicant.person,
      registrant_phone: applicant.phone,
      applied_at: new Date(Date.now() - applicant.daysAgo * 86_400_000 - 3_600_000).toISOString(),
      state: applicant.refused ? 'refused' : 'pending',
      reason: applicant.refused ?? null,
      decided_by: applicant.refused ? '平台管理员' : null,
      decided_at: applicant.refused ? new Date(Date.now() - 8 * 86_400_000).toISOString() : null,
    })),
  )
  await insertRows(tx, 'registration', rows)
}

/** Changes of organisation data that two organisations requested: one waits, one was sent back. */
export async function loadOrgChanges(tx: TransactionSql, organisations: Organisations): Promise<void> {
  const common = { change_type: 'basic', attachments: [] as readonly string[] }
  await insertRows(tx, 'org_change', [
    {
      ...common,
      code: 'BGDEMO0001',
      organisation_id: idOf(organisations.organisations, 'H02'),
      bank_account: '000000000000009903',
      note: '基本户变更',
      changed: '银行账号',
      before_text: '银行账号：000000000000000003',
      after_text: '银行账号：000000000000009903',
      applied_by: '医院管理员',
      state: 'pending',
      reason: null,
      decided_by: null,
      decided_at: null,
    },
    ...(['H01', 'D01', 'V01'] as const).map((org, at) => ({
      ...common,
      code: `BGDEMO000${at + 2}`,
      organisation_id: idOf(organisations.organisations, org),
      bank_account: '000000000000000000',
      note: '开户行迁址',
      changed: '银行账号',
      before_text: '银行账号：（原账号）',
      after_text: '银行账号：000000000000000000',
      applied_by: '管理员',
      state: 'refused',
      reason: '账号与开户许可证不符',
      decided_by: '平台管理员',
      decided_at: new Date(Date.now() - 5 * 86_400_000).toISOString(),
    })),
  ])
}
