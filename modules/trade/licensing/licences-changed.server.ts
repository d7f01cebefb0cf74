import type { Sql } from 'postgres'
import { countLights } from '#modules/trade/licensing/dealer-lights.server.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/**
 * Recounts the lights of a dealer's goods as soon as a licence of the organisation passed, was filed, renewed or
 * stopped; warnings follow with the next run of their job.
 */
export async function recountLicences(
  tx: Tx,
  org: string,
  products: readonly string[] | null = null,
  approving: string | null = null,
): Promise<void> {
  const [dealer] = await tx`select 1 from organisation where id = ${org} and system_type = 2`
  if (dealer) await countLights(tx, org, products, approving)
  await tx`update warning_count set moved_at = null where org_id = ${org}`
}

/** The same after the commit of a change, perhaps by another organisation. */
export const licencesChanged = (sql: Sql, org: string): Promise<void> =>
  inOrganisation(sql, org, '0', tx => recountLicences(tx, org))

/**
 * After a change of a certificate of the shared catalogue: recounts the lights of all dealers of its products, each
 * among its own.
 */
export async function certificateChanged(sql: Sql, certificate: string): Promise<void> {
  const rows = await sql<{ dealer_id: string; products: string[] }[]>`
    select c.dealer_id, array_agg(c.product_id::text) as products from dealer_check c
     where c.product_id in (select s.product_id from specification s
       where s.registration_certificate_id = ${certificate}
       or s.registration_certificate_id in (
         select n.id from registration_certificate n where n.previous_id = ${certificate}
         union all select o.previous_id from registration_certificate o where o.id = ${certificate}))
     group by 1 order by 1`
  for (const { dealer_id, products } of rows)
    await inOrganisation(sql, dealer_id, '0', tx => recountLicences(tx, dealer_id, products))
}
