import type { AnyDocument } from '#kernel/definition/document.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Header = Readonly<Record<string, unknown>>
type File = Record<NonNullable<FieldSpec['partner']>, string | null>

const fieldsOf = (definition: AnyDocument) =>
  Object.entries(definition.header).flatMap(([name, field]) => (field.partner ? [[name, field.partner] as const] : []))
const blank = (value: unknown) => value === null || value === undefined || value === ''

/**
 * Fills omitted bank, tax and delivery data from the partner's file: what we keep in the relation, else the
 * partner's own data.
 */
export async function partnerDefaults(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: Header,
): Promise<Header> {
  const missing = fieldsOf(definition).filter(([name]) => blank(header[name]))
  if (missing.length === 0 || !header.counterparty_sn) return {}
  const [file] = await tx<File[]>`
    select o.name, o.social_credit_code, o.bank_name, o.bank_account, r.contact, r.phone,
           coalesce(r.delivery_address, nullif(o.address, '')) as delivery_address
      from organisation o left join lateral (
        select contact, phone, nullif(delivery_address, '') as delivery_address from org_relation
         where org_id = ${session.org.id} and partner_id = o.id and status = 'enabled'
           order by delivery_address is null, id limit 1) r on true
     where o.id = ${String(header.counterparty_sn)}`
  return file ? Object.fromEntries(missing.map(([name, column]) => [name, file[column]])) : {}
}

/** A new partner has its own data: values of the previous one are read from the file again. */
export const clearPartnerFields = (definition: AnyDocument, before: string | null, written: Header): Header =>
  written.counterparty_sn === undefined || written.counterparty_sn === before
    ? {}
    : Object.fromEntries(fieldsOf(definition).map(([name]) => [name, null]))
