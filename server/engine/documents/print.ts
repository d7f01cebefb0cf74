import { chineseMoney } from '#kernel/chinese-money.ts'
import { dayOf, minuteOf } from '#kernel/day.ts'
import { type AnyDocument, regimes } from '#kernel/document.ts'
import { nameKeyOf } from '#kernel/field.ts'
import { Refusal } from '#kernel/refusal.ts'
import { falseFirst } from '#kernel/order.ts'
import { permits } from '#modules/licence-types.ts'
import { sheetOf, sheetsBesides } from '#modules/registry.ts'
import { documentRulesOf } from '#modules/registry.server.ts'
import { contractOf } from '#server/engine/documents/contract.ts'
import { documentInfo } from '#server/engine/documents/info.ts'
import { firstPrint, keepFirstPrint, templatesFor, triedIn } from '#server/engine/documents/print-templates.ts'
import { printedBeside } from '#server/engine/documents/printed-beside.ts'
import { nameOn } from '#server/engine/organisations.ts'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

type Info = Readonly<Record<string, unknown>>
type Whose = { readonly role: 'own' | 'counterparty' | null; readonly from: string | null }

/** What the page asks besides the paper: which sheet, by which template, as it is now, or on trial. */
type Asked = {
  readonly sheet?: unknown
  readonly template?: unknown
  readonly newest?: unknown
  readonly trial?: unknown
}

/** The templates that fit, best first, and the one by which the paper was printed first, which a reprint follows. */
async function templatesOf(tx: Tx, session: Session, sheet: string, document: string, info: Info, asked: Asked) {
  const tried = triedIn(asked)
  const first = tried !== null ? undefined : await firstPrint(tx, session, document, sheet)
  return {
    templates: await templatesFor(tx, session, sheet, info, tried),
    ...(first === undefined ? {} : { first_template: first }),
  }
}

/** A paper as it is printed: with the names of its day, whom to reach on both sides, and the templates that fit it, best first. */
export async function printInfo(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  whose: Whose,
  asked: Asked = {},
): Promise<Info> {
  const besides = sheetsBesides(definition.kind).find(each => each.route === asked.sheet)
  const sheet = besides ?? sheetOf(definition.kind)
  const info = await readForPrint(tx, session, definition, sn, whose, sheet !== undefined)
  const day = String(info.business_date)
  const document = await rowOf(tx, session, info)
  const [own, other, printed] = [
    await reach(tx, String(info.org_sn), 'org'),
    info.counterparty_sn ? await reach(tx, String(info.counterparty_sn), 'counterparty') : {},
    await timesPrinted(tx, session, document),
  ]
  const paper: Info = {
    ...info,
    ...inWords(definition, info),
    ...(await namedIn(tx, session, definition, info)),
    title: info.red_of_sn ? `红冲${definition.title}` : definition.title,
    red: Boolean(info.red_of_sn),
    // As the two were called on the paper's day.
    org_name: await nameOn(tx, String(info.org_sn), day),
    ...(info.counterparty_sn ? { counterparty_name: await nameOn(tx, String(info.counterparty_sn), day) } : {}),
    ...own,
    ...other,
    ...(await printedBeside(tx, session, document, (info.source_sn as string | null) ?? null)),
    ...factsOf(definition, info, own, other),
    receiver_name: info.to_warehouse_name ?? info.department_name ?? null,
    lines: await withNumbersOfTheDay(tx, session, info),
    ...((info.taxed_amount ?? null) !== null ? { amount_in_words: chineseMoney(String(info.taxed_amount)) } : {}),
    times_printed: printed,
    ...(sheet ? await templatesOf(tx, session, sheet.route, document, info, asked) : { templates: [] }),
    printed_at: new Date().toISOString(),
    printed_by: session.userName,
  }
  const more = await documentRulesOf(definition.kind).print?.(tx, session, paper, sheet?.route ?? null)
  const whole = { ...paper, ...more }
  return besides?.contract
    ? contractOf(tx, session, definition.kind, besides.contract, { whole, raw: info }, asked)
    : whole
}

/** The paper, for whoever may print it. Of many that are printed at once the one that is refused is named. */
async function readForPrint(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  whose: Whose,
  isPrinted: boolean,
): Promise<Info> {
  try {
    if (isPrinted) mustBeAllowed(session, `${definition.kind}.print`)
    return await documentInfo(tx, session, definition, sn, whose)
  } catch (thrown) {
    const isHidden = thrown instanceof Refusal && ['notFound', 'forbidden'].includes(thrown.reason)
    throw isHidden ? new Refusal(thrown.reason, `单据${sn.slice(0, 64)}不存在或无权限`) : thrown
  }
}

const IN_FORCE = new Set(['reviewed', 'partial', 'completed', 'stopped', 'reversed'])

/** Facts that several sheets name alike, whatever the paper calls them: where goods go and to whom, when they left, on which note they came. */
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

/** What was picked, and moments, as people read them. */
const inWords = (definition: AnyDocument, info: Info): Info =>
  Object.fromEntries(
    Object.entries(definition.header).flatMap(([name, field]) => {
      const moment = field.as === 'instant' && typeof info[name] === 'string' ? new Date(info[name]) : null
      const word =
        moment === null ? (field.as === 'pick' ? field.choices?.[String(info[name])] : undefined) : minuteOf(moment)
      return word === undefined ? [] : [[name, word]]
    }),
  )

/** Whom and what the paper names in fields of its own: counters, receivers, the company or the product that is judged. */
async function namedIn(tx: Tx, session: Session, definition: AnyDocument, info: Info): Promise<Info> {
  const lists = {
    employee: (ids: string[]) =>
      tx`select id, name from employee where org_id = ${session.org.id} and id = any(${ids}::bigint[])`,
    organisation: (ids: string[]) => tx`select id, name from organisation where id = any(${ids}::bigint[])`,
    product: (ids: string[]) => tx`select id, name from product where id = any(${ids}::bigint[])`,
  }
  const named: Record<string, unknown> = {}
  for (const [target, read] of Object.entries(lists)) {
    const fields = Object.entries(definition.header).filter(
      ([name, field]) => field.target === target && info[name] && !info[nameKeyOf(name)],
    )
    if (fields.length === 0) continue
    const names = new Map((await read(fields.map(([name]) => String(info[name])))).map(row => [row.id, row.name]))
    for (const [name] of fields) named[nameKeyOf(name)] = names.get(String(info[name])) ?? null
  }
  return named
}

/** By which paper somebody trades: the licence before the record. */
const traders = [
  ...permits.toSorted((a, b) => falseFirst(b.includes('许可证'), a.includes('许可证'))),
  '第一类医疗器械生产备案凭证',
]

/** Where an organisation is and by which licence it trades. */
async function reach(tx: Tx, org: string, side: 'org' | 'counterparty'): Promise<Info> {
  const [row] = await tx<
    { address: string; contact: string | null; phone: string | null; licence_no: string | null }[]
  >`
    select o.address, o.registrant as contact, o.registrant_phone as phone,
           (select l.licence_no from licence l where l.holder_id = o.id and l.licence_type = any(${traders}) and l.status = 'enabled'
             order by array_position(${traders}::text[], l.licence_type), l.valid_from desc limit 1) as licence_no
      from organisation o where o.id = ${org}`
  return {
    [`${side}_address`]: row?.address,
    [`${side}_contact`]: row?.contact ?? null,
    [`${side}_phone`]: row?.phone,
    [`${side}_licence_no`]: row?.licence_no,
  }
}

/** The makers' production licences, as the delivery note must name them, and the insurance codes of the paper's day. */
async function withNumbersOfTheDay(tx: Tx, session: Session, info: Info): Promise<readonly Info[]> {
  const lines = (info.lines ?? []) as readonly Info[]
  const specifications = lines.flatMap(line => (line.specification_sn ? [String(line.specification_sn)] : []))
  if (specifications.length === 0) return lines
  const day = String(info.business_date)
  const rows = await tx<{ id: string; no: string | null; code: string | null; needs_two: boolean }[]>`
    select s.id, p.is_cold_chain or (p.is_implant and p.device_class = 'III') as needs_two, (select l.licence_no from licence l where l.holder_id = p.manufacturer_id and l.licence_type like '%生产%' and l.status = 'enabled' order by l.valid_from desc limit 1) as no,
           (select i.code from insurance_code i where i.org_id = ${session.org.id} and i.specification_id = s.id and i.match_state in ('matched', 'past', 'gone')
               and coalesce(i.valid_from, ${day}) <= ${day} and coalesce(i.valid_to, ${day}) >= ${day} order by i.valid_from desc nulls last, i.match_state = 'matched' desc limit 1) as code
      from specification s join product p on p.id = s.product_id where s.id = any(${[...new Set(specifications)]}::bigint[])`
  const known = new Map(rows.map(row => [row.id, row]))
  return lines.map(line => {
    const { no = null, code = null, needs_two = false } = known.get(String(line.specification_sn)) ?? {}
    return { insurance_code: code, ...line, manufacturer_licence_no: no, needs_two }
  })
}

/** The row of a paper that was read: two organisations may have given the same number. */
async function rowOf(tx: Tx, session: Session, { sn, org_sn: from }: Info): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and from_org_id = ${String(from)} and sn = ${String(sn)}`
  if (!row) throw new Refusal('notFound', `单据${String(sn)}不存在或无权限`)
  return row.id
}

async function timesPrinted(tx: Tx, session: Session, id: string): Promise<number> {
  const [row] = await tx<{ times: number }[]>`
    select times from document_print where org_id = ${session.org.id} and document_id = ${id}`
  return row?.times ?? 0
}

/**
 * `printed`: it went to a printer; gives how often by now. From the second on the paper says so, and follows the template of the first,
 * which is kept as it was; a `copy` for another reader has none.
 */
export async function countPrint(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  sn: string,
  whose: Whose,
  told: Info = {},
): Promise<{ times: number }> {
  mustBeAllowed(session, `${definition.kind}.print`)
  const info = await documentInfo(tx, session, definition, sn, whose)
  const id = await rowOf(tx, session, info)
  const besides = sheetsBesides(definition.kind).find(each => each.route === told.sheet)
  const { route: sheet } = besides ?? sheetOf(definition.kind)!
  if (!told.copy)
    await keepFirstPrint(tx, session, id, info, { sheet, template: told.template, revision: told.revision })
  const [row] = await tx<{ times: number }[]>`
    insert into document_print (org_id, document_id, times, last_by) values (${session.org.id}, ${id}, 1, ${session.userName})
    on conflict (org_id, document_id) do update set times = document_print.times + 1, last_by = excluded.last_by, last_at = now()
    returning times`
  return row!
}
