import type { Scene } from './fixture.ts'

/** The id of a dealer's employee who may attend operations at the hospital: its archive holds his letter. */
export async function openTechnician({ one, d, h }: Scene): Promise<string> {
  const person = await one(
    `select id, name from employee where org_id = $1 and status = 'enabled' order by id limit 1`,
    d,
  )
  await one(
    `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, person_name, grantee_id,
       audit_state, status) values ($1, $1, '法人授权委托书（跟台人员）', 'WT-1', current_date - 30, current_date + 300,
       $2, $3, 'passed', 'enabled') returning 1`,
    d,
    person.name,
    h,
  )
  return person.id
}
