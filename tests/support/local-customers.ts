import type { Scene } from './fixture.ts'

type One = Scene['one']

/** Files a hospital's practising licence in the archive of whoever sells to it. Returns the hospital. */
export async function fileLicence(one: One, seller: string, hospital: string): Promise<string> {
  await one(
    `insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, valid_to, audit_state, status)
     values ($1, $2, '医疗机构执业许可证', 'ZY-OFF', current_date - 30, current_date + 300, 'passed', 'enabled')
     returning 1`,
    seller,
    hospital,
  )
  return hospital
}

/** The id of the dealer's customer that is not on the platform and is kept by the dealer itself, with its licence. */
export async function openLocalCustomer(one: One, dealer: string): Promise<string> {
  const { id } = await one(
    `select o.id from org_relation r join organisation o on o.id = r.partner_id
      where r.org_id = $1 and o.system_type = 1 and o.kept_by_id = $1 order by o.id limit 1`,
    dealer,
  )
  return fileLicence(one, dealer, id)
}
