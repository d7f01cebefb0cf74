import type { AnyDocument } from '#kernel/definition/document.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { documentOf, documents } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Decimal, share } from '#kernel/values/decimal.ts'
import { createDraft, definitionOf, editDraft } from '#server/public/drafts.ts'
import { loadDocument } from '#server/public/documents.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'
import { may, type Session } from '#server/public/session.ts'
import { dateNames, differences, serialsByCode } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

/** A ticked row of the statement, as far as the calls read it. */
type Difference = {
  readonly origin: 'delivery' | 'own' | 'maker'
  readonly document_id: string | null
  readonly document_sn: string | null
  readonly document_kind: string | null
  readonly line_no: number | null
  readonly lot_id: string
  readonly lot_no: string
  readonly partner_name: string
  readonly kept_expiry_date: string | null
  readonly kept_production_date: string | null
  readonly typed_expiry_date: string | null
  readonly typed_production_date: string | null
  readonly quantity: Decimal | null
}

/** 有效期至2028-01-31、生产日期2026-02-01: those of the two dates that differ, on the requested side. */
function saidDates(row: Difference, side: 'known' | 'typed'): string {
  const typed = { expiry_date: row.typed_expiry_date, production_date: row.typed_production_date }
  const known = { expiry_date: row.kept_expiry_date, production_date: row.kept_production_date }
  return differences(typed, known)
    .map(each => `${dateNames[each.field]}${each[side] ?? '为空'}`)
    .join('、')
}

type Brought = {
  readonly sn: string
  readonly line_no: number
  readonly codes: string[]
  readonly warehouse_id: string
}

/** Our line that brought the lot: the one that its dates come from, else the first with a rest. */
async function broughtBy(tx: Tx, org: string, lot: string): Promise<Brought | undefined> {
  const kinds = (definitionOf('stockCorrection').sourcing.sources ?? [])
    .filter(take => take.sourceType === sourceTypes.GRN)
    .map(take => take.from)
  const [line] = await tx<Brought[]>`
    select d.sn, l.line_no, l.unit_codes as codes, d.warehouse_id
      from lot t join document_line l on l.org_id = ${org} and l.lot_no = t.lot_no and l.lot_id = t.id
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'own' and d.red_of_id is null
        and d.kind = any(${kinds}) and d.state in ('reviewed', 'partial', 'completed')
      left join stock_lot_origin k on k.org_id = l.org_id and k.lot_id = t.id
     where t.id = ${lot} and l.base_quantity > 0
     order by d.id = k.document_id desc nulls last, d.reviewed_at, l.line_no limit 1`
  return line
}

/** Only one correction of a lot at a time: the waiting one has to be continued. */
async function refuseWaiting(tx: Tx, org: string, { lot_id, lot_no }: Difference): Promise<void> {
  const [other] = await tx<{ sn: string }[]>`
    select d.sn from lot t join document_line l on l.org_id = ${org} and l.lot_no = t.lot_no and l.lot_id = t.id
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.kind = 'stockCorrection' and d.role = 'own'
        and d.state in ('draft', 'submitted', 'rejected') and d.fields->>'change_type' = 'lot'
     where t.id = ${lot_id} limit 1`
  if (other)
    throw new BusinessError('rule', `批号${lot_no}已有进销存变更单${other.sn}，请在该单上继续`, [], {
      kind: 'stockCorrection',
      sn: other.sn,
    })
}

async function correctionOf(tx: Tx, session: Session, row: Difference): Promise<string> {
  const { lot_no, typed_expiry_date: until, typed_production_date: made } = row
  if (until === null && row.kept_expiry_date !== null)
    throw new BusinessError('rule', `${row.partner_name}没有写明批号${lot_no}的有效期至，不能据此更正，请核对实物标签`)
  await refuseWaiting(tx, session.org.id, row)
  const brought = await broughtBy(tx, session.org.id, row.lot_id)
  if (!brought)
    throw new BusinessError('rule', `批号${lot_no}没有可更正的入库单据，请到【进销存变更】引用登记该批号的单据`)
  const units = await serialsByCode(tx, session.org.id, brought.codes)
  const here = brought.codes.filter(code => {
    const unit = units.get(code)
    return unit?.status === 'in_stock' && unit.warehouse_id === brought.warehouse_id
  })
  const source = row.document_kind === null ? '登记的' : `的${documentOf(row.document_kind)!.title}${row.document_sn}中`
  const reason =
    `${row.partner_name}${source}批号${lot_no}为${saidDates(row, 'typed')}，` +
    `本单位登记为${saidDates(row, 'known')}，按实物标签更正`
  const { sn } = await createDraft(tx, session, definitionOf('stockCorrection'), {
    source_sn: brought.sn,
    source_type: sourceTypes.GRN,
    change_type: 'lot',
    change_reason: reason.slice(0, 200),
    lines: [
      {
        source_line_no: brought.line_no,
        ...(until === row.kept_expiry_date ? {} : { new_expiry_date: until }),
        ...(made === null || made === row.kept_production_date ? {} : { new_production_date: made }),
        ...(brought.codes.length > 0 ? { unit_codes: here } : {}),
      },
    ],
  })
  return sn
}

/** 更正本单位批号效期: drafts a correction of our own record, to be proved, analysed and reviewed as any other. */
const correct: ReportCall = async ({ tx, session, rows }) => {
  const once = new Map(rows.map(row => [String(row.lot_id), row as unknown as Difference]))
  const made: string[] = []
  for (const row of once.values()) made.push(await correctionOf(tx, session, row))
  return {
    said: `已生成进销存变更单${made.join('、')}，请上传依据、做影响分析后提交，由质量负责人审核`,
    ...(made.length === 1 ? { made: { kind: 'stockCorrection', sn: made[0]! } } : {}),
  }
}

/** The kinds that people of this organisation make from a delivery. */
const madeFrom = (kind: string, { org }: Session): readonly AnyDocument[] =>
  documents().filter(
    ({ ownerTypes, sourcing }) =>
      ownerTypes.includes(org.type) && sourcing.sources?.some(take => take.fromCounterparty && take.from === kind),
  )

type Sent = { readonly sn: string; readonly from: string; readonly quantity: Decimal; readonly base: Decimal }

/** Our waiting drafts of these kinds that were made from the delivery. */
const draftsOf = (tx: Tx, { org }: Session, delivery: string, kinds: readonly string[]) => tx<
  { kind: string; sn: string }[]
>`
  select d.kind, d.sn from document d
   where d.org_id = ${org.id} and d.role = 'own' and d.kind = any(${kinds as string[]})
     and d.state in ('draft', 'rejected') and d.source_document_id = ${delivery}
   order by d.id`

/** Edits the line that came from the delivery's line, and leaves the others unchanged. */
async function editLine(
  tx: Tx,
  session: Session,
  found: { readonly kind: string; readonly sn: string },
  row: Difference,
  said: object,
): Promise<void> {
  const definition = definitionOf(found.kind)
  const doc = await loadDocument(tx, session.org.id, definition, found.sn, { lock: true })
  const isOf = (line: (typeof doc.lines)[number]) =>
    line.source_document_id === row.document_id && line.source_line_no === row.line_no
  if (!doc.lines.some(isOf)) return
  const lines = doc.lines.map(line => ({ line_no: line.line_no, ...(isOf(line) ? said : {}) }))
  await editDraft(tx, session, definition, { sn: found.sn, version: doc.version, lines })
}

async function refusalOf(tx: Tx, session: Session, row: Difference): Promise<{ kind: string; sn: string }> {
  const refuse = (msg: string) => new BusinessError('rule', msg)
  if (row.origin !== 'delivery')
    throw refuse(
      row.origin === 'own'
        ? `${row.document_sn}是本单位的单据，没有可退回的来货，请修改或作废该单据`
        : `生产厂家【${row.partner_name}】登记的日期没有来货单据，请更正本单位的登记，或联系厂家`,
    )
  const kinds = madeFrom(row.document_kind!, session)
  // Goods of a delivery are refused on arrival by the first kind that can do so.
  const definition = kinds.find(({ lineRules }) => lineRules.rejected)
  if (!definition)
    throw refuse(
      `${documentOf(row.document_kind!)!.title}${row.document_sn}不能拒收，请联系${row.partner_name}终止该单据`,
    )
  const [sent] = await tx<Sent[]>`
    select d.sn, d.from_org_id as from, l.quantity, l.base_quantity as base from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.line_no = ${row.line_no}
     where d.org_id = ${session.org.id} and d.id = ${row.document_id}`
  const refuse_reason = `批号${row.lot_no}为${saidDates(row, 'typed')}，与本单位登记的${saidDates(row, 'known')}不符`
  const said = {
    quantity: '0',
    unit_codes: [],
    refused_quantity: share(sent!.quantity, row.quantity!, sent!.base, 3),
    refuse_reason,
  }
  const receipts = kinds
    .filter(each => each !== definition && 'reject_reason' in each.lines && may(session, `${each.kind}.edit`))
    .map(({ kind }) => kind)
  for (const found of await draftsOf(tx, session, row.document_id!, receipts))
    await editLine(tx, session, found, row, { quantity: '0', unit_codes: [], reject_reason: refuse_reason })
  const [waiting] = await draftsOf(tx, session, row.document_id!, [definition.kind])
  if (waiting) {
    await editLine(tx, session, waiting, row, said)
    return waiting
  }
  const take = definition.sourcing.sources!.find(one => one.fromCounterparty && one.from === row.document_kind)!
  const header = { source_sn: sent!.sn, source_org_sn: sent!.from, source_type: take.sourceType }
  const lines = [{ source_line_no: row.line_no, ...said }]
  const { sn } = await createDraft(tx, session, definition, { ...header, lines })
  return { kind: definition.kind, sn }
}

/** 退回发货方: the goods are refused on arrival for this reason; they remain the sender's, who takes them back. */
const sendBack: ReportCall = async ({ tx, session, rows }) => {
  const made: { kind: string; sn: string }[] = []
  for (const row of rows) {
    const found = await refusalOf(tx, session, row as unknown as Difference)
    if (!made.some(({ sn }) => sn === found.sn)) made.push(found)
  }
  return {
    said: `已在${made.map(({ kind, sn }) => `${documentOf(kind)!.title}${sn}`).join('、')}上登记拒收及原因，提交审核后通知发货方`,
    ...(made.length === 1 ? { made: made[0]! } : {}),
  }
}

export const lotDatesRules: ReportRules = { kind: 'lotDates', calls: { correct, sendBack } }
