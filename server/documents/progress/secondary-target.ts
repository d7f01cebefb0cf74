import type { AnyDocument } from '#kernel/definition/document.ts'
import { lineField } from '#kernel/definition/common-fields.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
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
  const named = [...new Set(doc.lines.flatMap(line => (isEmpty(line[rule.sn]) ? [] : [String(line[rule.sn])])))]
  if (named.length === 0) return new Map()
  const rows = await tx<Found[]>`
    select d.id, d.sn, d.counterparty_id,
      array(select l.line_no from document_line l where l.org_id = d.org_id and l.document_id = d.id) as line_numbers
      from document d
     where d.org_id = ${org} and d.kind = ${rule.kind} and d.role = ${rule.fromCounterparty ? 'counterparty' : 'own'}
       and (d.role = 'own' or d.from_org_id = ${doc.counterparty_sn ?? null}) and d.sn = any(${named})`
  return new Map(rows.map(row => [row.sn, row]))
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
      const named = found.get(String(line[rule.sn] ?? ''))
      if (!named || isEmpty(line[rule.line])) return []
      return [[line.line_no, { id: named.id, line_no: parseInteger(line[rule.line]) }]]
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
  const label = (field: string): string => lineField(definition, field)?.label ?? field
  const refuse = (line: StoredLine, field: string, msg: string): never => {
    throw new BusinessError('rule', `第${line.line_no}行：${msg}`, [{ line: line.line_no, field, msg }])
  }
  for (const line of doc.lines) {
    const { [rule.sn]: sn, [rule.line]: number } = line as Readonly<Record<string, unknown>>
    if (isEmpty(sn) && isEmpty(number)) continue
    if (isEmpty(sn)) refuse(line, rule.sn, `请填写【${label(rule.sn)}】`)
    if (isEmpty(number)) refuse(line, rule.line, `请填写【${label(rule.line)}】，写明${title}${String(sn)}的行号`)
    const named = found.get(String(sn))
    const isOthers =
      named && named.counterparty_id !== null && doc.counterparty_sn && named.counterparty_id !== doc.counterparty_sn
    if (!named || (isOthers && !rule.fromCounterparty))
      return refuse(line, rule.sn, `没有该往来单位的单据${String(sn)}，请核对【${label(rule.sn)}】`)
    if (!named.line_numbers.includes(parseInteger(number)))
      refuse(line, rule.line, `${title}${String(sn)}没有第${String(number)}行，请核对【${label(rule.line)}】`)
  }
}
