import { falseFirst } from '#kernel/values/order.ts'
import { dayOf, minuteOf } from '#kernel/values/date.ts'
import { type AnyDocument, regimes } from '#kernel/definition/document.ts'
import { permits } from '#modules/trade/licensing/licence-types.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Info = Readonly<Record<string, unknown>>

const IN_FORCE = new Set(['reviewed', 'partial', 'completed', 'stopped', 'reversed'])

/**
 * Facts that several sheets label alike, under whatever name the document has them: destination and recipient, shipping
 * time, delivery note.
 */
function factsOf({ title }: AnyDocument, info: Info, own: Info, other: Info): Info {
  const left = IN_FORCE.has(String(info.state)) && info.reviewed_at ? dayOf(new Date(String(info.reviewed_at))) : null
  const kind = title.replace(/单$/, '')
  return {
    delivery_address: info.delivery_address ?? info.return_address ?? other.counterparty_address ?? null,
    receiver: info.receiver ?? info.contact ?? other.counterparty_contact ?? null,
    receiver_phone: info.receiver_phone ?? info.contact_phone ?? other.counterparty_phone ?? null,
    org_reach: [own.org_address, own.org_phone].filter(Boolean).join(' ') || null,
    shipped_on: info.shipped_on ?? left,
    note_no: info.delivery_note_no ?? null,
    arrived_on: info.arrival_date ?? null,
    inspection_result: info.conclusion ?? null,
    grn_kind: inWord(info.regime) === inWord('consigned') ? `${kind}（${inWord('consigned')}）` : kind,
    printed_moment: minuteOf(new Date()),
  }
}
const inWord = (regime: unknown): string => regimes[regime as keyof typeof regimes] ?? String(regime ?? '')

/** The certificates by which an organisation may trade: the licence (许可证) before the filing record. */
const traders = [
  ...permits.toSorted((a, b) => falseFirst(b.includes('许可证'), a.includes('许可证'))),
  '第一类医疗器械生产备案凭证',
]

/** An organisation's address and its trading licence. */
async function reach(tx: Tx, org: string, side: 'org' | 'counterparty'): Promise<Info> {
  const [row] = await tx<
    { address: string; contact: string | null; phone: string | null; licence_no: string | null }[]
  >`
    select o.address, o.registrant as contact, o.registrant_phone as phone,
           (select l.licence_no from licence l where l.holder_id = o.id and l.licence_type = any(${traders})
             and l.status = 'enabled'
             order by array_position(${traders}::text[], l.licence_type), l.valid_from desc limit 1) as licence_no
      from organisation o where o.id = ${org}`
  return {
    [`${side}_address`]: row?.address,
    [`${side}_contact`]: row?.contact ?? null,
    [`${side}_phone`]: row?.phone,
    [`${side}_licence_no`]: row?.licence_no,
  }
}

/**
 * The makers' production licences, as a delivery note must name them, and the insurance codes of the document's
 * date.
 */
async function withNumbersOfTheDay(tx: Tx, session: Session, info: Info): Promise<readonly Info[]> {
  const lines = (info.lines ?? []) as readonly Info[]
  const specifications = lines.flatMap(line => (line.specification_sn ? [String(line.specification_sn)] : []))
  if (specifications.length === 0) return lines
  const day = String(info.business_date)
  const rows = await tx<{ id: string; no: string | null; code: string | null; needs_two: boolean }[]>`
    select s.id, p.is_cold_chain or (p.is_implant and p.device_class = 'III') as needs_two,
      (select l.licence_no from licence l where l.holder_id = p.manufacturer_id and l.licence_type like '%生产%'
      and l.status = 'enabled' order by l.valid_from desc limit 1) as no,
           (select i.code from insurance_code i where i.org_id = ${session.org.id} and i.specification_id = s.id
             and i.match_state in ('matched', 'past', 'gone')
               and coalesce(i.valid_from, ${day}) <= ${day} and coalesce(i.valid_to, ${day}) >= ${day}
                 order by i.valid_from desc nulls last, i.match_state = 'matched' desc limit 1) as code
      from specification s join product p on p.id = s.product_id
        where s.id = any(${[...new Set(specifications)]}::bigint[])`
  const known = new Map(rows.map(row => [row.id, row]))
  return lines.map(line => {
    const { no = null, code = null, needs_two = false } = known.get(String(line.specification_sn)) ?? {}
    return { insurance_code: code, ...line, manufacturer_licence_no: no, needs_two }
  })
}

/** Fields of every printed document beyond its own: the contact data of both parties, and the numbers of its goods. */
export async function printFields(tx: Tx, session: Session, definition: AnyDocument, info: Info): Promise<Info> {
  const own = await reach(tx, String(info.org_sn), 'org')
  const other = info.counterparty_sn ? await reach(tx, String(info.counterparty_sn), 'counterparty') : {}
  return {
    ...own,
    ...other,
    ...factsOf(definition, info, own, other),
    lines: await withNumbersOfTheDay(tx, session, info),
  }
}
