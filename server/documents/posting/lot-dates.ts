import { derived, documentOf, documents } from '#kernel/registry.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import type { LotDates } from '#kernel/rules/lot-dates.ts'
import { typesLotDates } from '#kernel/rules/types-lot-dates.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { dayOf } from '#kernel/values/date.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { lotsOfLines } from '#server/documents/posting/lots-and-serials.ts'
import {
  type DatedLot,
  dateNames,
  differences,
  keptDates,
  originSaid,
  refuseOtherDates,
  saidDay,
} from '#server/ledger/lot-dates.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** Goods may still be refused on the document: it books nothing, and its questions are answered on arrival. */
const asksOnly = ({ posting, lineRules }: AnyDocument): boolean => !posting.postings && !!lineRules.rejected

/** Documents of other organisations whose goods come in with one of ours. */
export const deliveryKinds = derived((): readonly string[] => [
  ...new Set(
    documents()
      .filter(typesLotDates)
      .flatMap(({ sourcing }) => (sourcing.sources ?? []).filter(take => take.fromCounterparty).map(take => take.from)),
  ),
])

type Typed = DatedLot & { readonly line: StoredLine; readonly line_no: number; readonly corrects: boolean }

/** The lot and dates that each line names; a line of a correction gives the corrected values. */
async function typedLots(tx: Tx, definition: AnyDocument, doc: StoredDocument): Promise<Typed[]> {
  const { correctedValues } = definition.lineRules
  const said = doc.lines
    .filter(line => line.specification_sn && !isZero(line.base_quantity))
    .map(line => ({ line, now: { ...line, ...correctedValues?.(line) } as StoredLine }))
    .filter(({ line, now }) => !correctedValues || now.lot_no !== line.lot_no || differences(now, line).length > 0)
  const open = said.filter(({ line, now }) => now.lot_no !== line.lot_no || line.lot_id === null)
  const lotOf = await lotsOfLines(
    tx,
    open.map(({ now }) => now),
  )
  return said.flatMap(({ line, now }): Typed[] => {
    const isSame = now.lot_no === line.lot_no
    const lot_id = (isSame ? line.lot_id : null) ?? lotOf(now)?.id
    if (!lot_id) return []
    const { line_no, production_date, expiry_date } = now
    return [
      {
        line,
        line_no,
        lot_id,
        specification_id: now.specification_sn!,
        lot_no: now.lot_no ?? '',
        production_date,
        expiry_date,
        corrects: Boolean(correctedValues) && isSame,
      },
    ]
  })
}

type Elsewhere = LotDates & { readonly lot_id: string; readonly said: string; readonly document_id: string | null }

/** The dates that the makers of lots keep for them; else those of the latest delivery that named the lot. */
async function datesElsewhere(tx: Tx, org: string, lots: readonly string[]): Promise<Elsewhere[]> {
  type Said = LotDates & {
    lot_id: string
    name: string
    at: string
    kind: string | null
    sn: string
    id: string | null
  }
  const [makers, deliveries] = await pipelined([
    tx<Said[]>`
      select m.lot_id, m.production_date, m.expiry_date, o.name, m.at, null as kind, '' as sn, null as id
        from lot t join specification s on s.id = t.specification_id join product p on p.id = s.product_id
        join maker_lot m on m.org_id = p.manufacturer_id and m.lot_id = t.id join organisation o on o.id = m.org_id
       where t.id = any(${lots as string[]}::bigint[]) and m.org_id <> ${org}`,
    tx<Said[]>`
      select distinct on (t.id) t.id as lot_id, l.production_date, l.expiry_date, o.name, c.created_at as at, c.kind,
        c.sn, c.id
        from lot t join document_line l on l.org_id = ${org} and l.lot_no = t.lot_no and l.lot_id = t.id
        join document c on c.org_id = l.org_id and c.id = l.document_id and c.role = 'counterparty'
          and c.kind = any(${deliveryKinds() as string[]}) and c.state in ('reviewed', 'partial', 'completed')
        join organisation o on o.id = c.from_org_id
       where t.id = any(${lots as string[]}::bigint[])
       order by t.id, c.id desc`,
  ])
  const known = new Set(makers.map(row => row.lot_id))
  return [...makers, ...deliveries.filter(row => !known.has(row.lot_id))].map(({ name, at, kind, sn, id, ...row }) => ({
    ...row,
    document_id: id,
    said:
      kind === null
        ? `生产厂家【${name}】于${dayOf(new Date(at))}登记`
        : `【${name}】于${dayOf(new Date(at))}发来的${documentOf(kind)?.title ?? kind}${sn.split('/')[0]}`,
  }))
}

/** Lines that took the dates of another of our documents unchanged: the user who typed them there was asked. */
async function takenOver(tx: Tx, org: string, lots: readonly Typed[]): Promise<ReadonlySet<number>> {
  const sources = lots.flatMap(({ line }) => line.source_document_id ?? [])
  if (sources.length === 0) return new Set()
  const kinds = documents()
    .filter(typesLotDates)
    .map(({ kind }) => kind)
  const rows = await tx<(LotDates & { document_id: string; line_no: number; lot_no: string | null })[]>`
    select l.document_id, l.line_no, l.lot_no, l.production_date, l.expiry_date
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.id = any(${[...new Set(sources)]}::bigint[]) and d.role = 'own'
       and d.kind = any(${kinds})`
  return new Set(
    lots
      .filter(({ line, corrects, ...lot }) => {
        const source = rows.find(
          row => row.document_id === line.source_document_id && row.line_no === line.source_line_no,
        )
        return !corrects && source?.lot_no === lot.lot_no && differences(lot, source).length === 0
      })
      .map(({ line_no }) => line_no),
  )
}

/** Asks about dates of a lot that is typed for the first time, where its maker or supplier has others. */
async function askForOthers({ tx, session, warnings }: ActionContext, lots: readonly Typed[]): Promise<void> {
  if (lots.length === 0) return
  const org = session.org.id
  const [elsewhere, asked] = await pipelined([
    datesElsewhere(
      tx,
      org,
      lots.map(lot => lot.lot_id),
    ),
    takenOver(tx, org, lots),
  ])
  for (const lot of lots) {
    const other = elsewhere.find(row => row.lot_id === lot.lot_id)
    if (!other || asked.has(lot.line_no)) continue
    const differ = differences(lot, other)
    if (differ.length === 0) continue
    const [typed, known] = (['typed', 'known'] as const).map(side =>
      differ.map(difference => `${dateNames[difference.field]}${saidDay(difference, difference[side])}`).join('、'),
    )
    const msg = `批号${lot.lot_no}填写为${typed}，${other.said}为${known}，请核对实物标签，确认按填写的登记吗？`
    warnings.push({ rule: 'otherLotDates', line: lot.line_no, msg })
  }
}

/** Kinds that bring home what was sent: their goods are those of the line that they take back. */
export const bringsHome = ({ posting, lines }: AnyDocument): boolean =>
  posting.stockCard === 'return_in' && posting.stockDirection === 'named' && 'lot_no' in lines

/** Refuses a lot, or dates of it, that differ from those of the goods that were sent. */
async function refuseOtherThanSent({ tx, session, doc }: ActionContext): Promise<void> {
  const sent = await tx<(LotDates & { line_no: number; lot_no: string })[]>`
    select k.line_no, l.lot_no, l.production_date, l.expiry_date
      from jsonb_to_recordset(${tx.json(doc.lines)}) as k(line_no int, source_document_id bigint, source_line_no int)
      join document_line l on l.org_id = ${session.org.id} and l.document_id = k.source_document_id
        and l.line_no = k.source_line_no
     where l.lot_no is not null`
  const problems = doc.lines.flatMap((line): Problem[] => {
    const source = sent.find(row => row.line_no === line.line_no)
    if (source === undefined) return []
    const at = `第${line.line_no}行：`
    if (line.lot_no !== source.lot_no) {
      const msg = `${at}退回的货物应为发出的批号${source.lot_no}，本单为${line.lot_no ?? '空'}，请核对实物后改回`
      return [{ field: 'lot_no', line: line.line_no, msg }]
    }
    return differences(line, source).map(difference => ({
      field: difference.field,
      line: line.line_no,
      msg:
        `${at}批号${source.lot_no}发出时的${dateNames[difference.field]}为${saidDay(difference, difference.known)}，` +
        `本单为${saidDay(difference, difference.typed)}，请改回；登记有误请到【批号效期核对】更正`,
    }))
  })
  if (problems[0]) throw new BusinessError('rule', problems[0].msg, problems)
}

/**
 * The dates of lots where they are typed, for every kind: what the organisation has otherwise is refused, or asked
 * about where the goods are only counted and may still be refused; what the maker or a deliverer says otherwise is
 * asked about once.
 */
export async function checkLotDates(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc, action, warnings } = ctx
  if (action === 'submit' && bringsHome(definition)) await refuseOtherThanSent(ctx)
  if (action !== 'submit' || !typesLotDates(definition)) return
  const lots = await typedLots(tx, definition, doc)
  if (lots.length === 0) return
  const kept = await keptDates(
    tx,
    session.org.id,
    lots.map(lot => lot.lot_id),
  )
  const mine = lots.filter(lot => !lot.corrects)
  if (!asksOnly(definition)) refuseOtherDates(mine, kept)
  for (const lot of asksOnly(definition) ? mine : [])
    for (const difference of differences(lot, kept.get(lot.lot_id) ?? lot)) {
      const { field, typed, known } = difference
      const msg =
        `批号${lot.lot_no}的${dateNames[field]}为${saidDay(difference, typed)}，本单位为${saidDay(difference, known)}` +
        `（${originSaid(kept.get(lot.lot_id)!)}）：入库前须到【批号效期核对】更正，或拒收，是否继续？`
      warnings.push({ rule: 'otherLotDates', line: lot.line_no, msg })
    }
  await askForOthers(
    ctx,
    lots.filter(lot => lot.corrects || !kept.has(lot.lot_id)),
  )
}
