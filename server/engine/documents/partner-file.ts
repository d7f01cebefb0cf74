import type { AnyDocument } from '#kernel/document.ts'
import type { Tx } from '#server/engine/transaction.ts'

type Header = Readonly<Record<string, unknown>>
type File = { name: string; social_credit_code: string; bank_name: string | null; bank_account: string | null }

const fieldsOf = (definition: AnyDocument) =>
  Object.entries(definition.header).flatMap(([name, field]) => (field.partner ? [[name, field.partner] as const] : []))
const blank = (value: unknown) => value === null || value === undefined || value === ''

/** Bank and tax data that were left out, as the partner's file has them. */
export async function fromPartnerFile(tx: Tx, definition: AnyDocument, header: Header): Promise<Header> {
  const missing = fieldsOf(definition).filter(([name]) => blank(header[name]))
  if (missing.length === 0 || !header.counterparty_sn) return {}
  const [file] = await tx<File[]>`
    select name, social_credit_code, bank_name, bank_account from organisation where id = ${String(header.counterparty_sn)}`
  return file ? Object.fromEntries(missing.map(([name, column]) => [name, file[column]])) : {}
}

/** Another partner brings his own data: what stood of the one before is asked of the file again. */
export const forgotten = (definition: AnyDocument, before: string | null, written: Header): Header =>
  written.counterparty_sn === undefined || written.counterparty_sn === before
    ? {}
    : Object.fromEntries(fieldsOf(definition).map(([name]) => [name, null]))
