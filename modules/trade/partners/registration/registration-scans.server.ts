import type { Sql } from 'postgres'
import { platformId } from '#server/public/organisations.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Passed = {
  readonly id: string
  readonly org: string
  readonly system_type: number
  readonly social_credit_code: string
  readonly attachments: readonly string[]
  readonly applied_on: string
  readonly files: readonly Readonly<Record<string, unknown>>[]
}

/** The page where each kind of organisation keeps its own licences. */
const pages = ['', '/commonView/myLic/hospital', '/commonView/myLic/dealer', '/commonView/myLic/vendor'] as const
const REMARK = '注册时上传，请核对证照编号与有效期'
/** A business licence has the credit code; the number of a hospital's licence is not asked at registration. */
const licenceOf = (one: Pick<Passed, 'system_type' | 'social_credit_code'>) =>
  one.system_type === 1
    ? { type: '医疗机构执业许可证', no: '待补充' }
    : { type: '营业执照', no: one.social_credit_code }

/** The licence shown by a registration's scans, in the archive of `keeper`; an existing one is left as it is. */
async function createLicence(tx: Tx, keeper: string, one: Omit<Passed, 'id' | 'files'>): Promise<boolean> {
  const { type, no } = licenceOf(one)
  const created = await tx`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, attachments, remark)
    select ${keeper}, ${one.org}, ${type}, ${no}, ${one.applied_on}::date, ${[...one.attachments]}::text[], ${REMARK}
     where not exists (select 1 from licence l where l.org_id = ${keeper} and l.holder_id = ${one.org}
       and l.licence_type = ${type} and l.status = 'enabled')
    on conflict do nothing returning id`
  return created.length > 0
}

/** Keeps the scans that the platform saw at its audit in the platform's own archive of the organisation. */
export async function archiveScans(tx: Tx, platform: string, org: string, registration: string): Promise<void> {
  const [one] = await tx<Omit<Passed, 'files'>[]>`
    select id, ${org} as org, system_type, social_credit_code, attachments,
      (applied_at at time zone 'Asia/Shanghai')::date::text as applied_on
      from registration where org_id = ${platform} and id = ${registration} and attachments <> '{}'`
  if (one) await createLicence(tx, platform, one)
}

/**
 * Scans of passed registrations become files and a licence of the organisation, in its own rows. Repeated until
 * done.
 */
export async function createScans(sql: Sql): Promise<void> {
  const platform = await platformId(sql)
  if (platform === null) return
  const asPlatform = <T>(work: (tx: Tx) => Promise<T>) => inOrganisation(sql, platform, '0', work)
  const passed = await asPlatform(
    tx => tx<Passed[]>`
    select r.id, o.id as org, r.system_type, r.social_credit_code, r.attachments,
      (r.applied_at at time zone 'Asia/Shanghai')::date::text as applied_on,
           (select jsonb_agg(jsonb_build_object('name', f.name, 'original_name', f.original_name, 'content_type',
             f.content_type, 'size', f.size, 'digest', f.digest))
              from stored_file f where f.org_id = r.org_id and f.name = any(r.attachments)) as files
      from registration r join organisation o on o.id = coalesce(r.matched_id, (select s.id from organisation s
             where s.kept_by_id is null and s.system_type = r.system_type
               and upper(s.social_credit_code) = r.social_credit_code))
     where r.org_id = ${platform} and r.state = 'passed' and r.attachments <> '{}' and r.scans_stored_at is null
       order by r.id limit 100`,
  )
  for (const one of passed) {
    await inOrganisation(sql, one.org, '0', tx => createAtHome(tx, one))
    await asPlatform(
      tx => tx`update registration set scans_stored_at = now() where org_id = ${platform} and id = ${one.id}`,
    )
  }
}

async function createAtHome(tx: Tx, one: Passed): Promise<void> {
  await tx`
    insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by)
    select ${one.org}, name, original_name, content_type, size, digest, 0
      from jsonb_to_recordset(${tx.json(one.files)}) as s(name text, original_name text, content_type text,
        size bigint, digest text)
    on conflict do nothing`
  if (!(await createLicence(tx, one.org, one))) return
  await sendMessage(tx, one.org, {
    title: '注册证照已归档',
    body: `注册时上传的${licenceOf(one).type}扫描件已归入我的证照，请核对证照编号与有效期`,
    uri: pages[one.system_type] ?? '',
    objectId: one.org,
    kind: 'licence',
    type: 'system',
  })
}
