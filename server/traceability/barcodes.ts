import { type CodeRule, readWithRule } from '#kernel/codes/custom-rule.ts'
import { deviceIdentifier } from '#kernel/codes/device-identifier.ts'
import type { ParsedCode, ReadCode } from '#kernel/codes/parsed-code.ts'
import { today } from '#kernel/values/date.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Goods that a stored code names, and the package: null is the base unit. */
export type Named = { readonly specification_id: string; readonly unit_id: string | null }

/**
 * The stored meaning of a code, by the organisation or by the maker for everyone; the organisation's own comes
 * first.
 */
export async function barcodeNamed(tx: Tx, session: Session, codes: readonly string[]): Promise<Named | null> {
  const [row] = await tx<Named[]>`
    select specification_id, unit_id from product_barcode
     where code = any(${codes as string[]}) and status = 'enabled' and (org_id = ${session.org.id} or for_everybody)
     order by org_id = ${session.org.id} desc limit 1`
  return row ?? null
}

/** Goods by the code that a rule extracted: a stored code, a device identifier, or a catalogue code. */
async function goodsOf(tx: Tx, session: Session, product: string): Promise<Named | null> {
  const codes = [product, ...[deviceIdentifier(product)].flatMap(found => found?.di ?? [])]
  const kept = await barcodeNamed(tx, session, codes)
  if (kept) return kept
  const [row] = await tx<Named[]>`
    select s.id as specification_id, null::bigint as unit_id from specification s
      where s.udi_di = any(${codes}) or s.code = ${product}
     union all
    select k.specification_id, k.id from pack_unit k where k.udi_di = any(${codes})
     limit 1`
  return row ?? null
}

/** A code that no standard reads, read by the organisation's first rule whose parts all fit. */
export async function readByRules(
  tx: Tx,
  session: Session,
  text: string,
): Promise<{ readonly code: ReadCode; readonly goods: Named | null } | null> {
  const rules = await tx<CodeRule[]>`
    select name, prefix, total_length, date_format, product_from, product_length, lot_from, lot_length,
      production_from, expiry_from, serial_from, serial_length
      from barcode_rule where org_id = ${session.org.id} and status = 'enabled' order by place, id`
  for (const rule of rules) {
    const reading = readWithRule(text, rule, today())
    if (reading) return { code: reading.code, goods: await goodsOf(tx, session, reading.product) }
  }
  return null
}

/** True if a text follows no standard: then the organisation's rules and its own codes are tried. */
export const isUnread = (parsed: ParsedCode): boolean =>
  parsed.ok ? parsed.kind === 'inhouse' : parsed.fragment === undefined
