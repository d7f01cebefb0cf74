import { clock, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { patchDocument, patchLines } from '#server/public/documents.ts'
import type { GrantedFiles } from '#server/public/files.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation } from '#server/public/database.ts'
import type { Sql } from 'postgres'

type Grant = {
  readonly sn: string
  readonly owner: string
  readonly line_no: number
  readonly licence_type: string
  readonly watermark: string | null
  readonly may_print: boolean
  readonly state: string
  readonly valid_to: string
}

/**
 * Scans granted by a partner: found on the copy of its authorisation, which says whether they may be viewed and
 * printed.
 */
export const grantedScans: GrantedFiles = {
  async find(tx, session, name) {
    const [grant] = await tx<Grant[]>`
      select d.sn, d.from_org_id as owner, l.line_no, l.fields->>'licence_type' as licence_type,
        d.fields->>'watermark' as watermark, coalesce((d.fields->>'may_print')::boolean, false) as may_print,
             d.state, d.fields->>'valid_to' as valid_to
        from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
       where d.org_id = ${session.org.id} and d.kind = 'licenceEmpower' and d.role = 'counterparty'
         and d.state in ('reviewed', 'completed', 'stopped') and l.fields->'scans' ? ${name}
       order by (d.state = 'reviewed') desc, d.id desc limit 1`
    if (!grant) return null
    if (grant.state === 'stopped') throw new BusinessError('rule', '授权已撤销，不能查看扫描件')
    if (grant.state === 'completed' || grant.valid_to < today())
      throw new BusinessError('rule', '授权已到期，不能查看扫描件')
    return {
      original_name: `${grant.licence_type.replaceAll('/', '、')}${name.slice(name.lastIndexOf('.'))}`,
      watermark: grant.watermark ?? '',
      mayPrint: grant.may_print,
      looked: (sql, who, action) => noteLook(sql, who, grant, action),
    }
  },
}

/** A view is counted at the grantor and at the viewer, each in its own transaction. */
export async function noteLook(
  sql: Sql,
  session: Session,
  grant: Pick<Grant, 'sn' | 'owner' | 'line_no' | 'licence_type'>,
  action: 'view' | 'print',
): Promise<void> {
  const viewer = session.org.id
  const [line, head] =
    action === 'view' ? (['line_views', 'view_count'] as const) : (['line_prints', 'print_count'] as const)
  for (const org of [viewer, grant.owner])
    await inOrganisation(sql, org, '0', async tx => {
      await tx`
        insert into licence_access (org_id, grant_org_id, grant_sn, viewer_org_id, line_no, licence_type, action,
          user_name, at)
        values (${org}, ${grant.owner}, ${grant.sn}, ${viewer}, ${grant.line_no}, ${grant.licence_type}, ${action},
          ${session.userName}, ${(clock.at ?? new Date()).toISOString()})`
      if (org !== grant.owner) return
      const [seen] = await tx<{ id: string; of_line: number; of_all: number }[]>`
        select d.id, coalesce((l.fields->>${line})::int, 0) as of_line, coalesce((d.fields->>${head})::int, 0) as of_all
          from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
         where d.org_id = ${org} and d.kind = 'licenceEmpower' and d.role = 'own' and d.sn = ${grant.sn}
           and l.line_no = ${grant.line_no} for update of d, l`
      if (!seen) return
      const giver = await systemSessionOf(tx, org)
      const given = { id: seen.id, kind: 'licenceEmpower' }
      const values = { [line]: seen.of_line + 1 }
      await patchLines(tx, giver, given, [{ line_no: grant.line_no, values }], 'derived')
      await patchDocument(tx, giver, given, { [head]: seen.of_all + 1 }, 'derived')
    })
}
