import { type Decimal, sum } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { absentLineKeys } from '#kernel/definition/line-content.ts'
import { canBeCopied, isMeantFor } from '#kernel/rules/action-availability.ts'
import { countedKey, type Purpose } from '#kernel/definition/progress.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documents, sheetOf } from '#kernel/registry.ts'
import { derivedSelect } from '#server/documents/list/figures-sql.ts'
import { headerSelect, namesSelect } from '#server/documents/list/list.ts'
import { ofReader, readerOf } from '#server/documents/list/overseen.ts'
import { approvalProgress } from '#server/documents/approval/levels.ts'
import { without } from '#kernel/values/without.ts'
import { presentRow } from '#server/documents/list/present.ts'
import { loadLines } from '#server/documents/repository/load.ts'
import { customLineFields, type StoredLine } from '#server/documents/repository/document.ts'
import { hidePrices } from '#server/access/sensitive-fields.ts'
import { documentScopeSql } from '#server/access/data-scope.ts'
import { hooks } from '#server/registry/hooks.ts'
import { may, requirePageAccess, type Session } from '#server/access/session.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Actions allowed to this user now, in the definition's order. */
export function allowedActions(
  session: Session,
  definition: AnyDocument,
  doc: { readonly state: string; readonly role: string; readonly red_of_sn?: unknown },
): string[] {
  const keeper = doc.role === 'own'
  const flags: string[] = []
  if (keeper && ['draft', 'rejected'].includes(doc.state)) flags.push('edit', 'del')
  else if (keeper && doc.state === 'submitted' && definition.lifecycle.editableWhenSubmitted) flags.push('edit')
  for (const [flag, spec] of Object.entries(definition.actions)) {
    if ((spec.by === 'counterparty') === keeper) continue
    if (!spec.from.includes(doc.state as never)) continue
    if (doc.red_of_sn && flag !== 'print') continue
    if (!isMeantFor(spec, doc)) continue
    flags.push(flag)
  }
  const allowed = flags.filter(flag => may(session, `${definition.kind}.${flag}`))
  // Copying is adding, started from an earlier document.
  const copies = keeper && !doc.red_of_sn && canBeCopied(definition) && may(session, `${definition.kind}.add`)
  const prints = sheetOf(definition.kind) !== undefined && may(session, `${definition.kind}.print`)
  return [...allowed, ...(prints ? ['print'] : []), ...(copies ? ['copy'] : [])]
}

/** Actions on a waiting document reserved for the users whose turn it is. */
const ofReviewers = new Set(['review', 'reject'])

/** The quantities that follow-ups took of each line, by purpose. */
const takenOf = (tx: Tx, session: Session, document: string) => tx<
  { line_no: number; purpose: Purpose; taken: Decimal }[]
>`
  select line_no, purpose, taken from line_progress where org_id = ${session.org.id} and document_id = ${document}
    and line_no > 0`

/**
 * Lines as sent on the wire: own fields, progress by name, references by name. Lines of a document not yet created
 * are not stored yet.
 */
export async function lineDetails(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  document: string | null,
  lines: readonly StoredLine[],
): Promise<Record<string, unknown>[]> {
  const progress = document === null ? [] : await takenOf(tx, session, document)
  const facts = await tx<
    {
      id: string
      code: string
      unit_name: string
      udi_di: string | null
      device_class: string
      manufacturer_name: string
      registration_no: string | null
      registration_expiry: string | null
      storage_condition: string | null
      is_unit_coded: boolean
      is_cold_chain: boolean
    }[]
  >`
    select s.id, s.code, s.unit_name, s.udi_di, p.device_class, o.name as manufacturer_name,
      c.certificate_no as registration_no, c.valid_to as registration_expiry, p.storage_condition, p.is_unit_coded,
      p.is_cold_chain
      from specification s join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id left
        join registration_certificate c on c.id = s.registration_certificate_id
     where s.id =
       any(${[...new Set(lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : [])))]}::bigint[])`
  const units = await tx<{ id: string; name: string }[]>`select id, name from unit_tree
    where id = any(${[...new Set(lines.flatMap(line => (line.unit_inner_sn ? [line.unit_inner_sn] : [])))]}::bigint[])`
  const owners = await tx<{ id: string; name: string }[]>`select id, name from organisation
    where id = any(${[...new Set(lines.flatMap(line => (line.owner_org_sn ? [line.owner_org_sn] : [])))]}::bigint[])`
  const factOf = new Map(facts.map(row => [row.id, row]))
  const unitOf = new Map(units.map(row => [row.id, row.name]))
  const ownerOf = new Map(owners.map(row => [row.id, row.name]))
  const taken = Map.groupBy(progress, row => row.line_no)
  const own = Object.keys(customLineFields(definition))
  const absent = absentLineKeys(definition)
  return lines.map(line => {
    const {
      lot_id: _lot,
      source_document_id: _source,
      order_document_id: _order,
      order_line_no: _orderNo,
      delivery_document_id: _delivery,
      delivery_line_no: _deliveryNo,
      ...shown
    } = line
    const fact = factOf.get(line.specification_sn ?? '')
    const steps = taken.get(line.line_no) ?? []
    const main = steps
      .filter(
        row => row.purpose === definition.progress.main || definition.progress.mainAlso?.includes(row.purpose as never),
      )
      .map(row => row.taken)
    const whole = {
      ...Object.fromEntries(own.map(name => [name, null])),
      ...shown,
      ...(fact ? { ...fact, id: undefined, specification_code: fact.code, code: undefined } : {}),
      unit_inner_sn: line.unit_inner_sn ?? line.specification_sn,
      unit_name: unitOf.get(line.unit_inner_sn ?? '') ?? fact?.unit_name ?? null,
      base_unit_name: fact?.unit_name ?? null,
      owner_name: ownerOf.get(line.owner_org_sn ?? '') ?? null,
      executed_quantity: sum(main, 3),
      ...Object.fromEntries(steps.map(row => [countedKey(row.purpose), row.taken])),
    }
    return without(whole, absent)
  })
}

/** Columns beyond the document's own that its page shows, as modules register them. */
const detailSelect = (tx: Tx, definition: AnyDocument): Fragment =>
  Object.entries(hooks().detailColumns).reduce((all, [name, select]) => {
    const column = select(tx, definition)
    return column ? tx`${all}, ${column} as ${tx(name)}` : all
  }, tx``)

/**
 * Source and follow-up documents of this organisation, one step each way, for the graph beside the document; and
 * those whose lines deal with another document's lines.
 */
async function relatedDocuments(
  tx: Tx,
  session: Session,
  { kind, sourcing: { secondaryTarget: dealsWith } }: AnyDocument,
  document: string,
  sn: string,
): Promise<readonly unknown[]> {
  const dealing = documents().filter(each => each.sourcing.secondaryTarget?.kind === kind)
  const dealt = dealsWith
    ? tx`
    union
    select distinct 'source', d.kind, d.sn, d.state, d.role, o.name, d.id
      from document_line l join document d on d.org_id = l.org_id and d.kind = ${dealsWith.kind}
        and d.role = ${dealsWith.fromCounterparty ? 'counterparty' : 'own'} and d.sn = l.fields->>${dealsWith.sn}
      join organisation o on o.id = d.from_org_id
     where l.org_id = ${session.org.id} and l.document_id = ${document} and d.state <> 'deleted'
       and ${documentScopeSql(tx, session)}`
    : tx``
  const dealers = dealing.reduce(
    (all, each) => tx`${all}
    union
    select distinct 'follow_up', d.kind, d.sn, d.state, d.role, o.name, d.id
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
        join organisation o on o.id = d.from_org_id
     where d.org_id = ${session.org.id} and d.kind = ${each.kind} and d.role = 'own'
       and l.fields->>${each.sourcing.secondaryTarget!.sn} = ${sn} and d.state <> 'deleted'
       and ${documentScopeSql(tx, session)}`,
    tx``,
  )
  return tx`
    select distinct 'source' as direction, d.kind, d.sn, d.state, d.role, o.name as org_name, d.id
      from document_line l join document d on d.org_id = l.org_id and d.id = l.source_document_id
        join organisation o on o.id = d.from_org_id
     where l.org_id = ${session.org.id} and l.document_id = ${document} and d.state <> 'deleted'
       and ${documentScopeSql(tx, session)}
    union
    select distinct 'follow_up', d.kind, d.sn, d.state, d.role, o.name, d.id
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
        join organisation o on o.id = d.from_org_id
     where l.org_id = ${session.org.id} and l.source_document_id = ${document} and d.state <> 'deleted'
       and ${documentScopeSql(tx, session)}
    union
    select 'red', d.kind, d.sn, d.state, d.role, o.name, d.id from document d
      join organisation o on o.id = d.from_org_id
     where d.org_id = ${session.org.id} and d.red_of_id = ${document}
       and ${documentScopeSql(tx, session)} ${dealt} ${dealers}
    order by direction, sn limit 60`
}

/**
 * The session for one document of all that the platform oversees: that of its owner. Numbers are unique within an
 * organisation only, so a number that several have needs the organisation's as well.
 */
async function amongOwners(tx: Tx, session: Session, definition: AnyDocument, sn: string): Promise<Session> {
  if (session.oversees !== 'all') return session
  const owners = await tx<{ id: string }[]>`
    select d.org_id as id from document d
     where ${ofReader(tx, session)} and d.kind = ${definition.kind} and d.sn = ${sn} and d.role = 'own'
       and d.state <> 'deleted' limit 2`
  if (owners.length > 1) {
    const msg = `有多家机构的${definition.title}${sn}，请指明机构`
    throw new BusinessError('invalid', msg, [{ field: 'source_org_sn', msg }])
  }
  return owners[0] ? { ...session, oversees: 'one', org: { ...session.org, id: owners[0].id } } : session
}

/** `info`: the whole document, flat: header, lines, history, actions allowed to the user now. */
export async function documentDetail(
  tx: Tx,
  asker: Session,
  definition: AnyDocument,
  sn: string,
  where: { role?: 'own' | 'counterparty' | null; from?: string | null } = {},
): Promise<Record<string, unknown>> {
  const reader = await readerOf(tx, asker, definition, where.from ?? null)
  requirePageAccess(reader, definition)
  const session = await amongOwners(tx, reader, definition, sn)
  const [row] = await tx<Record<string, unknown>[]>`
    select ${headerSelect(tx)}, ${namesSelect(tx)} ${derivedSelect(tx, definition)} ${detailSelect(tx, definition)}
      from document d
     where d.org_id = ${session.org.id} and d.kind = ${definition.kind} and d.sn = ${sn} and d.state <> 'deleted'
       and ${documentScopeSql(tx, session)}
       ${where.role ? tx`and d.role = ${where.role}` : tx``} ${
         where.from
           ? tx`and d.from_org_id =
         ${where.from}`
           : tx``
       }
     order by d.role desc, d.id limit 1`
  if (!row) throw new BusinessError('notFound', `${definition.title}${sn.slice(0, 64)}不存在或已被删除`)
  const id = String(row.id)
  const lines = (await loadLines(tx, session.org.id, [id])).get(id) ?? []
  const history = await tx`
    select h.action, h.label, h.from_state, h.to_state, h.actor_name, h.actor_org_name, h.reason, h.confirmed, h.at
      from document_history h
     where h.org_id = ${session.org.id} and h.document_id = ${id} order by h.seq`
  const more = await Promise.all(hooks().detailFields.map(read => read(tx, session, definition, id)))
  const header = presentRow(session, definition, row) as Record<string, unknown>
  const review = await approvalProgress(tx, session, definition, row)
  const masked = Object.fromEntries((definition.lineRules.hiddenFields?.(header) ?? []).map(name => [name, null]))
  const shown = await lineDetails(tx, session, definition, id, lines)
  return hidePrices(session, definition.kind, {
    ...header,
    ...(review.steps.length > 0 ? { review_steps: review.steps } : {}),
    ...masked,
    lines: shown.map(line => ({ ...line, ...masked })),
    history,
    ...Object.assign({}, ...more),
    related: await relatedDocuments(tx, session, definition, id, sn),
    actions: allowedActions(session, definition, {
      ...header,
      state: String(row.state),
      role: String(row.role),
      red_of_sn: row.red_of_sn,
    }).filter(flag => review.mine || !ofReviewers.has(flag)),
  })
}
