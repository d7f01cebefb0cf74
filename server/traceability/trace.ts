import type { ParsedCode } from '#kernel/codes/parsed-code.ts'
import { canonicalOf } from '#kernel/codes/canonical-code.ts'
import { asPackCode, isPartCode, packOf } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import {
  eventsOf,
  hiddenStores,
  inherited,
  lifeOf,
  maySee,
  namesFor,
  ownBranch,
  passedThrough,
  shown,
  withinScope,
} from '#server/traceability/chain.ts'
import { contentsSent } from '#server/traceability/container-sent.ts'
import { happenedAt } from '#server/traceability/happened.ts'
import { recall } from '#server/traceability/recall.ts'
import {
  goodsByRule,
  goodsNamed,
  lotNumbersOn,
  type Packed,
  specificationOf,
  type Subject,
  subjectsOf,
} from '#server/traceability/resolve.ts'
import { heldLots } from '#server/traceability/held-lots.ts'
import { parseWithKnown } from '#server/traceability/parse-with-known.ts'
import { noteScans } from '#server/documents/lines/code-scans.ts'
import { recordIncident } from '#server/audit/incidents.ts'
import { documentScopeSql } from '#server/access/data-scope.ts'
import { may, type Session } from '#server/access/session.ts'
import { packedPieces, partsOfPacks } from '#server/ledger/combined-packs.ts'
import type { Tx } from '#server/database/transaction.ts'

const statusNames: Readonly<Record<string, string>> = {
  in_stock: '在库',
  in_transit: '在途',
  used: '已使用',
  opened: '已拆包',
  scrapped: '已报废',
  lost: '已报损',
  returned: '已退回',
  issued: '已领出',
  void: '未启用',
  gone: '已出链',
}

type UnitRow = {
  status: string
  holder_org_id: string | null
  holder_name: string | null
  store: string | null
  place: string | null
  use_org_id: string | null
  use_id: string | null
  parent_id: string | null
  codes: string[]
}

async function unitRow(tx: Tx, subject: Subject): Promise<UnitRow> {
  const codes = await tx<
    { bare: string }[]
  >`select bare from unit_code where lot_id = ${subject.lot_id} and unit_id = ${subject.unit_id} order by bare`
  const [row] = await tx<UnitRow[]>`
    select u.status, u.holder_org_id, o.name as holder_name, u.store, u.place, u.use_org_id, u.use_id, u.parent_id
      from unit u left join organisation o on o.id = coalesce(u.holder_org_id, u.use_org_id)
        where u.lot_id = ${subject.lot_id} and u.id = ${subject.unit_id}`
  return { ...row!, codes: codes.map(code => code.bare) }
}

/**
 * The patient of a use: joined from the hospital's own documents, for a session of that hospital with the flag
 * `patient` who sees the use.
 */
async function patientOf(tx: Tx, session: Session, unit: UnitRow | null): Promise<Record<string, unknown> | null> {
  if (!unit?.use_id || unit.use_org_id !== session.org.id || !may(session, 'patient')) return null
  const [row] = await tx<{ fields: Record<string, unknown>; department_name: string | null }[]>`
    select d.fields, x.name as department_name from document d left join department x on x.org_id = d.org_id
      and x.id = d.department_id
     where d.org_id = ${session.org.id} and d.id = ${unit.use_id} and ${documentScopeSql(tx, session)}`
  if (!row) return null
  const { patient_no, patient_name, admission_no, implant_site, surgery_name, used_at } = row.fields
  return {
    patient_no: patient_no ?? null,
    patient_name: patient_name ?? null,
    admission_no: admission_no ?? null,
    implant_site: implant_site ?? null,
    surgery_name: surgery_name ?? null,
    used_at: used_at ?? null,
    department_name: row.department_name,
  }
}

async function candidatesOf(tx: Tx, subjects: readonly Subject[]): Promise<unknown[]> {
  const rows = await Promise.all(
    subjects
      .slice(0, 50)
      .map(async subject => ({ subject, specification: await specificationOf(tx, subject.specification_id) })),
  )
  return rows.map(({ subject, specification }) => ({
    code: subject.code,
    lot_no: subject.lot_no,
    specification_sn: subject.specification_id,
    product_name: specification?.product_name,
    specification_name: specification?.specification_name,
    query:
      subject.code ?? (specification?.udi_di ? `(01)${specification.udi_di}(10)${subject.lot_no}` : subject.lot_no),
  }))
}

type Reading = { readonly parsed: ParsedCode; readonly goods: Packed | null; readonly subjects: readonly Subject[] }

/** The pieces and lots that a text means here: by standard, by stored code, and last by the organisation's rules. */
async function readAll(tx: Tx, session: Session, text: string): Promise<Reading> {
  const parsed = await parseWithKnown(tx, text)
  const goods = await goodsNamed(tx, session, text, parsed)
  const subjects = await maySee(tx, session, await subjectsOf(tx, session, text, parsed, goods))
  const ruled = goods || subjects.length > 0 ? null : await goodsByRule(tx, session, parsed)
  if (!ruled) return { parsed, goods, subjects }
  const found = await subjectsOf(tx, session, text, ruled.parsed, ruled.goods)
  return { ...ruled, subjects: await maySee(tx, session, found) }
}

/** The pieces and lots that a scan names, as far as they passed through the organisation. */
export const goodsOfScan = async (tx: Tx, session: Session, text: string): Promise<readonly Subject[]> =>
  (await readAll(tx, session, text)).subjects

/**
 * The freezes of the organisation for a lot: of all of it and of single pieces. For a piece only those that apply to
 * it.
 */
const freezesOf = (tx: Tx, session: Session, { lot_id, unit_id }: Subject): Promise<Record<string, unknown>[]> => tx`
  select id as goods_freeze_sn, code, reason, frozen_by, frozen_at from goods_freeze
   where org_id = ${session.org.id} and lot_id = ${lot_id} and state = 'frozen'
     ${unit_id === '0' ? tx`` : tx`and unit_id in (0, ${unit_id})`} order by unit_id, id`

/** The open recall of the lot here, if any: the lot cannot leave any store until it is closed. */
async function openRecall(tx: Tx, session: Session, lot: string): Promise<Record<string, string> | null> {
  const [row] = await tx<Record<string, string>[]>`
    select recall_sn, title, recall_level, requirement from recall_feedback
     where org_id = ${session.org.id} and lot_id = ${lot} and state in ('waiting', 'answered') order by id desc limit 1`
  return row ?? null
}

/** The lot with this organisation's dates, and whether it is recalled or frozen here. */
async function lotHere(tx: Tx, session: Session, subject: Subject) {
  const [dates] = await tx<
    { production_date: string | null; expiry_date: string | null }[]
  >`select production_date, expiry_date from stock_lot where org_id = ${session.org.id} and lot_id = ${subject.lot_id}`
  const lot = {
    lot_no: subject.lot_no,
    production_date: dates?.production_date ?? null,
    expiry_date: dates?.expiry_date ?? null,
  }
  return {
    lot,
    recall: await openRecall(tx, session, subject.lot_id),
    freezes: await freezesOf(tx, session, subject),
  }
}

/** The choice where a text means several goods, or what is in the container whose code it is; null for one of them. */
async function severalOf(tx: Tx, session: Session, text: string, { goods, subjects }: Reading) {
  const isOfGoods = goods !== null || subjects.some(({ code }) => code === asPackCode(text.trim()))
  const container = isOfGoods ? null : await contentsSent(tx, session, text)
  if (subjects.length < 2 && !container) return null
  return { candidates: await candidatesOf(tx, subjects), ...(container ? { container } : {}) }
}

/**
 * `GET /v1/trace`: what the code is, the chain of events in order, where it is now; forward: where the whole lot is.
 */
export async function trace(
  tx: Tx,
  session: Session,
  text: string,
  direction: string,
): Promise<{ info: Record<string, unknown>; list: unknown[]; total: number }> {
  const reading = await readAll(tx, session, text)
  const { parsed, subjects } = reading
  if (subjects.length === 0)
    throw new BusinessError(
      'notFound',
      parsed.ok ? `没有找到“${text.trim().slice(0, 60)}”的流向记录，请核对条码或批号` : parsed.message,
    )
  const several = await severalOf(tx, session, text, reading)
  if (several) return { info: { parsed, ...several }, list: [], total: 0 }
  const subject = subjects[0]!
  const specification = await specificationOf(tx, subject.specification_id)
  const maker = specification?.manufacturer_sn ?? ''
  const lotEvents = await eventsOf(tx, subject.lot_id, '0')
  const known = await lotHere(tx, session, subject)
  const isUnit = subject.unit_id !== '0' && direction !== 'forward'
  if (!isUnit) {
    const branch = ownBranch(session, maker, lotEvents)
    const names = await namesFor(tx, session, branch, maker)
    const happened = await happenedAt(tx, session, branch)
    const whole = await recall(tx, session, subject.lot_id, maker, lotEvents)
    return {
      info: { parsed, specification, ...known, unit: null, now: null, ...whole, direction: 'forward' },
      ...notified(
        withinScope(session, branch).map(event => ({ ...shown(event, names, true), happened_at: happened(event) })),
      ),
    }
  }
  const { events: own, lot: bornIn } = await lifeOf(tx, subject.lot_id, subject.unit_id)
  const before = inherited(bornIn === subject.lot_id ? lotEvents : await eventsOf(tx, bornIn, '0'), own)
  const events = [...before, ...own]
  if (!passedThrough(session, maker, events))
    throw new BusinessError('notFound', `没有找到“${text.trim().slice(0, 60)}”的流向记录，请核对条码或批号`)
  const names = await namesFor(tx, session, events, maker)
  const unit = await unitRow(tx, subject)
  const patient = await patientOf(tx, session, unit)
  const holder = unit.holder_org_id ?? unit.use_org_id
  const hidden = holder === session.org.id && (await hiddenStores(tx, session)).has(unit.store ?? '')
  const now = {
    status: unit.status,
    status_name: statusNames[unit.status] ?? unit.status,
    holder_name: names.of(holder),
    place: names.visible(holder) && !hidden ? unit.store : null,
    location: holder === session.org.id && !hidden ? unit.place : null,
  }
  const happened = await happenedAt(tx, session, events)
  const list = withinScope(session, events).map(event => ({
    ...shown(event, names, event.unit_id === '0'),
    happened_at: happened(event),
    ...(event.step === 'use' && patient ? { patient_no: patient.patient_no, patient_name: patient.patient_name } : {}),
  }))
  return {
    info: {
      parsed,
      specification,
      ...known,
      unit: {
        code: subject.code,
        codes: unit.codes,
        status: unit.status,
        pack: await packOfPart(tx, session, subject),
      },
      now,
      ...(patient ? { patient } : {}),
      direction: 'chain',
    },
    list,
    total: list.length,
  }
}

const notified = (list: unknown[]) => ({ list, total: list.length })

/**
 * `POST /v1/code/parse`: what a scanned string says and which specification, unit and lot it means here.
 * Unrecognised scans are recorded for the users who maintain codes; a `trial` is not.
 */
export async function readCode(
  tx: Tx,
  session: Session,
  text: string,
  trial = false,
): Promise<Record<string, unknown>> {
  const { parsed, goods: specification, subjects } = await readAll(tx, session, text)
  const unmatched =
    parsed.ok && !specification && subjects.length === 0 && (parsed.di !== null || parsed.elements.length > 1)
  const isSecondSymbol = !parsed.ok && parsed.fragment !== undefined
  const incident = parsed.ok ? (unmatched ? 'unmatched' : null) : isSecondSymbol ? null : 'unreadable'
  if (incident !== null && !trial && session.org.type !== 'P')
    await recordIncident(tx, session, {
      kind: incident,
      source: '扫码',
      description: parsed.ok ? '条码中的产品标识没有匹配到产品' : parsed.message,
      object: text.trim(),
    })
  const exact = subjects.length === 1 ? subjects[0]! : null
  const scanned = asPackCode(text.trim())
  const parts = (await partsOfPacks(tx, session.org.id, [scanned])).get(scanned) ?? null
  const named = exact ? await specificationOf(tx, exact.specification_id) : null
  const here = exact ? await lotHere(tx, session, exact) : { lot: null, recall: null, freezes: [] }
  const unit = exact && exact.unit_id !== '0' ? await unitState(tx, session, exact) : null
  const lot_nos = await lotNumbersOn(tx, parsed, specification)
  const held_lots = await heldLots(tx, session, specification, lot_nos)
  // For goods that were never here: nobody takes them in.
  const [recalled] = specification === null ? [] : held_lots.filter(({ recall_sn }) => recall_sn !== null)
  if (!trial) await noteScans(tx, session, codesOf(scanned, parsed, exact && unit ? exact.code : null, parts))
  return {
    parsed,
    specification: specification ?? (named ? { ...named, measure: unit?.quantity ?? '1', unit_inner_sn: null } : null),
    unit: exact && unit ? { code: exact.code, lot_no: exact.lot_no, ...unit } : null,
    pack: parts && { code: scanned, parts },
    lot_nos,
    ...here,
    recall: here.recall ?? (recalled ? { recall_sn: recalled.recall_sn } : null),
    held_lots,
    place: specification === null && exact === null ? await placeNamed(tx, session, text.trim()) : null,
  }
}

/** The codes under which lines name the pieces of a scan; none where it names a size, a lot or a place. */
function codesOf(
  scanned: string,
  parsed: ParsedCode,
  known: string | null,
  parts: readonly string[] | null,
): readonly string[] {
  if (parts !== null) return parts
  if (known === null && !(parsed.ok && parsed.serial)) return []
  return [canonicalOf(scanned, parsed).bare, ...(known === null ? [] : [known])]
}

/** The location with this code: where the goods scanned next are stored. One code may exist in several stores. */
async function placeNamed(tx: Tx, session: Session, code: string): Promise<Record<string, unknown> | null> {
  const rows = await tx<{ id: string }[]>`
    select warehouse_id as id from shelf_place where org_id = ${session.org.id} and code = ${code}
      and status = 'enabled'
       ${session.warehouses === 'all' ? tx`` : tx`and warehouse_id = any(${[...session.warehouses]}::bigint[])`}
         order by 1`
  return rows.length === 0 ? null : { code, warehouse_sns: rows.map(row => row.id) }
}

/** The outer box that a piece came out of, and what else did. */
async function boxOfPiece(tx: Tx, session: Session, code: string): Promise<Record<string, unknown> | null> {
  const [box] = await tx<{ code: string; parts: string[] }[]>`
    select code, piece_codes as parts from opened_box
     where org_id = ${session.org.id} and piece_codes @> array[${code}]::text[] order by opened_at desc limit 1`
  return box ?? null
}

/** The pack that a part or a coded piece is in, and what else it holds. */
async function packOfPart(tx: Tx, session: Session, { code }: Subject): Promise<Record<string, unknown> | null> {
  if (code === null) return null
  const [packed] = isPartCode(code) ? [] : await packedPieces(tx, session.org.id, [code])
  if (!isPartCode(code) && !packed) return boxOfPiece(tx, session, code)
  const whole = packed?.pack_code ?? packOf(code)
  const parts = (await partsOfPacks(tx, session.org.id, [whole])).get(whole)
  return parts ? { code: whole, parts } : null
}

async function unitState(
  tx: Tx,
  session: Session,
  subject: Subject,
): Promise<Record<string, unknown> & { readonly quantity: string }> {
  const [row] = await tx`select trim_scale(quantity)::text as quantity, status, holder_org_id as holder_org_sn,
      warehouse_id as warehouse_model_inner_sn from unit
      where lot_id = ${subject.lot_id} and id = ${subject.unit_id}`
  const store = row?.warehouse_model_inner_sn ?? null
  const hidden = store !== null && session.warehouses !== 'all' && !session.warehouses.has(String(store))
  return {
    quantity: '1',
    ...row,
    ...(hidden ? { warehouse_model_inner_sn: null } : {}),
    status_name: statusNames[String(row?.status)] ?? null,
  }
}
