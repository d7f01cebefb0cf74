import { add, type Decimal, plain } from '#kernel/values/decimal.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { maskedIdentity } from '#modules/base/vocabulary/identity-number.ts'
import { supplierNames } from '#modules/hospital/ward/usage/used-suppliers.server.ts'
import { cardsOf } from '#modules/hospital/ward/implants/implant-cards.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import { maySeePatients } from '#server/public/session.ts'

type Line = Readonly<Record<string, unknown>>
const kept = new Set(['reviewed', 'stopped'])

/** The UDI of a line as a symbol carries it; none where the goods have no identifier of GS1. */
function symbolOf({ udi_di, udi_pi }: Line): string | null {
  const di = String(udi_di ?? '')
  return /^\d{8,14}$/.test(di) ? `(01)${di.padStart(14, '0')}${String(udi_pi ?? '')}` : null
}

/** The serial in a UDI, else the code that the hospital gave the piece. */
function serialOf(code: string): string {
  const parsed = parseCode(code)
  return (parsed.ok && parsed.elements.find(({ ai }) => ai === '21')?.value) || code
}

/**
 * The sheet of a form, for users who may see patients; only a form in force is printed. The number of the identity card
 * is masked in part.
 */
export const implantFormSheet: NonNullable<DocumentHooks['printFields']> = async (tx, session, info) => {
  if (!maySeePatients(session)) throw new BusinessError('forbidden')
  if (!kept.has(String(info.state))) throw new BusinessError('rule', '患者信息单审核后才能打印')
  const given = info.lines as readonly Line[]
  const suppliers = await supplierNames(tx, given)
  const lines = given.map(line => ({
    ...line,
    supplier_name: suppliers.get(String(line.supplier_sn)) ?? null,
    serials: ((line.unit_codes ?? []) as readonly string[]).map(serialOf),
    udi_symbol: symbolOf(line),
    part_said: line.implant_part ?? info.implant_site ?? null,
  }))
  const total = lines.reduce<Decimal>(
    (sum, line) => add(sum, String((line as Line).quantity ?? '0') as Decimal, 3),
    '0',
  )
  const [form] = await tx<{ token: string }[]>`
    select fields->>'card_token' as token from document
     where org_id = ${session.org.id} and kind = 'patientImplantForm' and sn = ${String(info.sn)} and role = 'own'`
  const version = parseInteger(info.form_version ?? 1)
  return {
    lines,
    identity_masked: info.identity_no ? maskedIdentity(String(info.identity_no)) : null,
    version_said: version > 1 ? `第${version}版，更正${String(info.previous_sn)}` : null,
    implant_total: plain(total),
    cards: cardsOf({ ...info, card_token: form?.token }, lines),
  }
}
