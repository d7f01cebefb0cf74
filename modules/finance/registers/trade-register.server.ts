import { compactDay, today } from '#kernel/values/date.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { StoredDocument } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const prefixes = { purchase: 'CGJL', sale: 'XSJL' } as const

/** Dealers and manufacturers keep registers; hospitals do not. */
const keeps = (session: Session): boolean => session.org.type === 'D' || session.org.type === 'V'

/**
 * Writes the document's rows into the register of its kind: two statements for any number of lines. Names, licences
 * and certificates are copied in their current state; later changes do not reach the register.
 */
export async function writeTradeRegister(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
): Promise<void> {
  const kept = definition.compliance.statutoryRegister
  if (!kept || !keeps(session) || doc.role !== kept.role || doc.lines.length === 0) return
  const org = session.org.id
  const day = today()
  const type = kept.type(doc)
  const sign = type === 'returned' ? -1 : 1
  const [counter] = await tx<{ last: string }[]>`
    insert into numbering as n (org_id, kind, day, last)
      values (${org}, ${`${kept.in}Record`}, ${day}, ${doc.lines.length})
    on conflict (org_id, kind, day) do update set last = n.last + ${doc.lines.length} returning last`
  const first = parseInteger(counter!.last) - doc.lines.length
  await tx`
    insert into trade_record (org_id, register, record_no, record_type, document_id, line_no, business_date,
      handler_name, partner_id, partner_name, partner_credit_code, partner_licence_no,
                              partner_address, partner_contact, specification_id, product_name, specification_name,
                                device_class, registration_no, registrant, contract_maker,
                              manufacturer_name, maker_licence_no, udi, storage_condition, is_implant, unit_name,
                                lot_no, production_date, expiry_date, quantity, price, amount)
    select ${org}, ${kept.in},
      ${`${prefixes[kept.in]}${compactDay(day)}`} ||
      lpad((${first}::bigint + row_number() over (order by l.line_no))::text, 4, '0'), ${type}, d.id, l.line_no,
      d.business_date,
           coalesce(e.name, ${session.userName}), o.id, o.name, o.social_credit_code,
             (${licenceOf(tx, org, 'o.id', '%经营%')}), o.address, concat_ws(' ', o.registrant, o.registrant_phone),
           s.id, p.name, s.name, p.device_class, c.certificate_no,
             coalesce(c.registrant_name, p.registrant_name, m.name),
           case when coalesce(c.registrant_name, p.registrant_name, m.name) <> m.name then m.name end, m.name,
             (${licenceOf(tx, org, 'm.id', '%生产%')}), s.udi_di, p.storage_condition, p.is_implant,
           s.unit_name, l.lot_no, l.production_date, l.expiry_date, ${sign} * l.base_quantity,
             case when l.base_quantity = 0 then l.price else round(l.taxed_amount / l.base_quantity, 4) end,
             ${sign} * l.taxed_amount
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      join specification s on s.id = l.specification_id join product p on p.id = s.product_id
        join organisation m on m.id = p.manufacturer_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join organisation o on o.id = d.counterparty_id left join employee e on e.org_id = d.org_id
        and e.id = d.handler_id
     where d.org_id = ${org} and d.id = ${doc.id}`
}

/**
 * The licence or filing to trade or make, from our own archive; a manufacturer's is used where there is no dealer's.
 */
const licenceOf = (tx: Tx, org: string, holder: string, kind: string) => tx`
  select k.licence_no from licence k where k.org_id = ${org} and k.holder_id = ${tx(holder)} and k.status = 'enabled'
    and (k.licence_type like ${kind} or k.licence_type like '%许可%')
   order by (k.licence_type like ${kind}) desc, k.valid_from desc limit 1`

/** Rows of a withdrawn document are struck through; they stay in the register. */
export async function voidTradeRegister(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  document: string,
): Promise<void> {
  if (!definition.compliance.statutoryRegister || !keeps(session)) return
  await tx`update trade_record set void_at = posting_now()
    where org_id = ${session.org.id} and document_id = ${document} and void_at is null`
}
