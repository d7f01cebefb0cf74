import { byName, type StoredDocument, type StoredLine } from '#server/documents/repository/document.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { lineField } from '#kernel/definition/common-fields.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import { sourceScopeSql } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Target = { readonly id: string; readonly line_no: number }
type Doc = Pick<StoredDocument, 'lines'> & Partial<StoredDocument>
type Found = {
  readonly id: string
  readonly sn: string
  readonly counterparty_id: string | null
  readonly line_numbers: readonly number[]
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** The documents that lines name besides their sources, with the numbers of their lines. */
async function namedDocuments(tx: Tx, org: string, { sourcing }: AnyDocument, doc: Doc): Promise<Map<string, Found>> {
  const rule = sourcing.secondaryTarget!
  const names = doc.lines.map(line => byName(line)[rule.sn])
  const named = [...new Set(names.filter(name => !isEmpty(name)).map(String))]
  if (named.length === 0) return new Map()
  const rows = await tx<Found[]>`
    select d.id, d.sn, d.counterparty_id,
      array(select l.line_no from document_line l where l.org_id = d.org_id and l.document_id = d.id) as line_numbers
      from document d
     where d.org_id = ${org} and d.kind = ${rule.kind} and d.role = ${rule.fromCounterparty ? 'counterparty' : 'own'}
       and (d.role = 'own' or d.from_org_id = ${doc.counterparty_sn ?? null}) and d.sn = any(${named})`
  return new Map(rows.map(row => [row.sn, row]))
}

type Named = { readonly line: number; readonly field: string }

function refuseTarget(definition: AnyDocument, { line, field }: Named, why: (label: string) => string): never {
  const msg = `第${line}行：${why(lineField(definition, field)?.label ?? field)}`
  throw new BusinessError('rule', msg, [{ line, field, msg }])
}

const refuseMissing = (definition: AnyDocument, named: Named, sn: unknown): never =>
  refuseTarget(definition, named, label => `没有该往来单位的单据${String(sn)}，请核对【${label}】`)

/**
 * A user who writes the number of such a document must be able to read it, as with sources. A document of other stores
 * and departments is refused in the words for a number that does not exist.
 */
export async function checkTargetsSeen(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  lines: readonly Readonly<Record<string, unknown>>[],
  last = 0,
): Promise<void> {
  const rule = definition.sourcing.secondaryTarget
  if (!rule || lineField(definition, rule.sn)?.readOnly) return
  const names = lines.map(line => (isEmpty(line[rule.sn]) ? null : String(line[rule.sn])))
  if (names.every(name => name === null)) return
  const rows = await tx<{ sn: string }[]>`
    select d.sn from document d
     where d.org_id = ${session.org.id} and d.kind = ${rule.kind}
       and d.role = ${rule.fromCounterparty ? 'counterparty' : 'own'}
       and d.sn = any(${names.filter(name => name !== null)}) and ${sourceScopeSql(tx, session)}`
  const seen = new Set(rows.map(row => row.sn))
  const at = names.findIndex(name => name !== null && !seen.has(name))
  if (at >= 0) refuseMissing(definition, { line: lineNumbers(lines, last)[at]!, field: rule.sn }, names[at])
}

/** The line of another document that each line uses up besides its source, by the line's number. */
export async function secondaryTargets(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: Doc,
): Promise<Map<number, Target>> {
  const rule = definition.sourcing.secondaryTarget
  if (!rule) return new Map()
  const found = await namedDocuments(tx, org, definition, doc)
  return new Map(
    doc.lines.flatMap((line): [number, Target][] => {
      const own = byName(line)
      const named = found.get(String(own[rule.sn] ?? ''))
      if (!named || isEmpty(own[rule.line])) return []
      return [[line.line_no, { id: named.id, line_no: parseInteger(own[rule.line]) }]]
    }),
  )
}

/**
 * A line that names such a document names it wholly: the document is there and of the same partner, and so is the line
 * that is used up. Otherwise it would be used up without being counted.
 */
export async function checkSecondaryTargets(tx: Tx, org: string, definition: AnyDocument, doc: Doc): Promise<void> {
  const rule = definition.sourcing.secondaryTarget
  if (!rule) return
  const found = await namedDocuments(tx, org, definition, doc)
  const title = documentOf(rule.kind)!.title
  const refuse = ({ line_no: line }: StoredLine, field: string, why: (label: string) => string) =>
    refuseTarget(definition, { line, field }, why)
  for (const line of doc.lines) {
    const { [rule.sn]: sn, [rule.line]: number } = line as Readonly<Record<string, unknown>>
    if (isEmpty(sn) && isEmpty(number)) continue
    if (isEmpty(sn)) refuse(line, rule.sn, label => `请填写【${label}】`)
    if (isEmpty(number)) refuse(line, rule.line, label => `请填写【${label}】，写明${title}${String(sn)}的行号`)
    const named = found.get(String(sn))
    const isOthers =
      named && named.counterparty_id !== null && doc.counterparty_sn && named.counterparty_id !== doc.counterparty_sn
    if (!named || (isOthers && !rule.fromCounterparty))
      return refuseMissing(definition, { line: line.line_no, field: rule.sn }, sn)
    if (!named.line_numbers.includes(parseInteger(number)))
      refuse(line, rule.line, label => `${title}${String(sn)}没有第${String(number)}行，请核对【${label}】`)
  }
}
