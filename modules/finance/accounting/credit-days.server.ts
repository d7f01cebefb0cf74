import type { ActionContext } from '#server/public/hooks.ts'

/** 账期: days of credit agreed with the document's partner; the organisation's own where none were agreed. */
export async function creditDays({ tx, session, doc, settings }: ActionContext): Promise<number> {
  const [relation] = await tx<{ payment_days: number }[]>`
    select payment_days from org_relation where org_id = ${session.org.id} and partner_id = ${doc.counterparty_sn}
      order by payment_days desc limit 1`
  return relation?.payment_days || settings.default_payment_days
}
