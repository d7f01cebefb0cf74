import { lineAmounts, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { lineField } from '#kernel/definition/common-fields.ts'
import { compare, type Decimal, isZero, multiply, plain, round } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { parseInput } from '#server/documents/draft/input.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { checkReviews } from '#server/documents/approval/levels.ts'
import { packUnits } from '#server/documents/lines/units-of-measure.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { negated, progressEntries, recordProgress } from '#server/documents/progress/progress.ts'
import { normaliseCodes } from '#server/documents/allocation/serial-codes.ts'
import { release, reserve } from '#server/documents/allocation/reserve.ts'
import {
  byName,
  customLineFields,
  type StoredDocument,
  type StoredLine,
} from '#server/documents/repository/document.ts'
import { updateDocument } from '#server/documents/repository/save.ts'
import { checkActsThere } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Values = Readonly<Record<string, unknown>>
type Input = ReturnType<typeof parseInput>

const isSame = (field: FieldSpec | undefined, value: unknown, before: unknown): boolean =>
  isFigure(field) && value && before
    ? compare(value as Decimal, before as Decimal) === 0
    : String(value ?? '') === String(before ?? '')
const isFigure = (field: FieldSpec | undefined): boolean => field?.as === 'quantity' || field?.as === 'price'

type Changed = { readonly name: string; readonly label: string; readonly line: number | null }

/** The first of the named fields that the input writes otherwise than it stands; null where it writes none. */
function firstChange(
  { header, lines }: AnyDocument,
  written: Input,
  standing: (Values & { readonly lines: readonly StoredLine[] }) | null,
  isOne: (name: string, field: FieldSpec) => boolean,
): Changed | null {
  const known = new Map((standing?.lines ?? []).map(line => [line.line_no, line]))
  const changes = (fields: Fields, row: Values, before: Values | undefined, line: number | null): Changed[] =>
    Object.entries(fields)
      .filter(([name, field]) => name in row && isOne(name, field) && !isSame(field, row[name], before?.[name]))
      .map(([name, { label }]) => ({ name, label, line }))
  const own = changes(header, written.header, standing ?? undefined, null)
  const further = (written.lines ?? []).flatMap((row, at) =>
    changes(lines, row, known.get(row.line_no as number), at + 1),
  )
  return [...own, ...further][0] ?? null
}

/**
 * Refuses a draft in which its author writes what belongs to the reviewer, or how much of it is granted: the reviewer
 * writes that after submit.
 */
export function refuseCorrections(definition: AnyDocument, written: Input, standing: StoredDocument | null): void {
  const corrected = definition.lineRules.quantityCorrection?.field
  const changed = firstChange(definition, written, standing, (name, field) => field.byReviewer || name === corrected)
  if (changed === null) return
  const { name: field, label, line } = changed
  const msg = `${line === null ? '' : `第${line}行：`}【${label}】由审核人在提交后填写`
  throw new BusinessError('invalid', msg, [{ field, msg, ...(line === null ? {} : { line }) }])
}

/** Refuses what belongs to the reviewer of a waiting document to everybody who could not review it now. */
async function checkReviewersFields(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  written: Input,
): Promise<void> {
  const corrected = definition.lineRules.quantityCorrection?.field
  // The quantity itself may be written in place of the field that corrects it.
  const quantityIsTheirs = corrected !== undefined && definition.lines[corrected]?.byReviewer === true
  const changed = firstChange(
    definition,
    written,
    doc,
    (name, field) => field.byReviewer === true || (quantityIsTheirs && name === 'quantity'),
  )
  if (changed === null) return
  const { label } = changed.name === 'quantity' ? definition.lines[corrected!]! : changed
  await checkReviews(tx, session, definition, doc, label)
}

/**
 * A waiting document may only be corrected in the fields its kind names. A corrected quantity never exceeds the
 * earlier one, the earlier one is kept beside it, and what was reserved at submit is adjusted.
 */
export async function editSubmitted(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  written: Input,
): Promise<{ sn: string; version: number }> {
  const allowed = Array.isArray(definition.lifecycle.editableWhenSubmitted)
    ? (definition.lifecycle.editableWhenSubmitted as readonly string[])
    : null
  const refused =
    allowed &&
    [...Object.keys(written.header), ...(written.lines ?? []).flatMap(line => Object.keys(line))].find(
      name =>
        !allowed.includes(name) &&
        name !== 'line_no' &&
        (name !== 'quantity' || !definition.lineRules.quantityCorrection),
    )
  if (refused)
    throw new BusinessError(
      'wrongState',
      `待处理的${definition.title}不能修改【` +
        `${(definition.header[refused] ?? lineField(definition, refused))?.label ?? refused}】`,
    )
  await checkReviewersFields(tx, session, definition, doc, written)
  const typed = await normaliseCodes(tx, session.org.id, written.lines ?? [], 'known')
  const changes = new Map(typed.map(line => [line.line_no as number, line]))
  const packs = await packUnits(
    tx,
    doc.lines.flatMap(line => (line.unit_inner_sn ? [line.unit_inner_sn] : [])),
  )
  const lines = doc.lines.map(line =>
    correctLine(
      definition,
      line,
      changes.get(line.line_no),
      String(packs.get(line.unit_inner_sn ?? '')?.base_measure ?? 1),
    ),
  )
  const before = await progressEntries(tx, session.org.id, definition, doc, 'submit')
  const after = await progressEntries(tx, session.org.id, definition, { lines }, 'submit')
  await recordProgress(tx, session, negated(before))
  await recordProgress(tx, session, after)
  // The fields its kind names are those its reviewer decides on, at most as much as was asked.
  const header = { ...doc, ...written.header }
  checkActsThere(session, definition, 'editSubmitted', header)
  const version = await updateDocument(tx, session, definition, doc.id, header, lines, 'reviewer')
  if (definition.posting.reservesStock) {
    await release(tx, session, doc.id)
    await reserve(tx, session, { ...doc, lines })
  }
  await writeHistory(tx, session, doc.id, { action: 'edit', label: '修改', from: doc.state, to: doc.state })
  return { sn: doc.sn, version }
}

/** 批准数量不能大于申领数量: both figures by their labels, and the earlier quantity. */
function aboveSentence(definition: AnyDocument, line: number, stood: Decimal): string {
  const label = (name: string | undefined) => (name ? definition.lines[name]?.label : undefined)
  const { field, keeps } = definition.lineRules.quantityCorrection ?? {}
  return `第${line}行：${label(field) ?? '数量'}不能大于${label(keeps) ?? ''}${plain(stood)}`
}

function correctLine(
  definition: AnyDocument,
  line: StoredLine,
  change: LineInput | undefined,
  measure: Decimal,
): StoredLine {
  if (!change) return line
  const field = definition.lineRules.quantityCorrection?.field
  const stood =
    (definition.lineRules.quantityCorrection &&
      (byName(line)[definition.lineRules.quantityCorrection.keeps] as Decimal | undefined)) ??
    line.quantity
  const quantity =
    (field
      ? ((change[field] as Decimal | null | undefined) ?? (change.quantity as Decimal | null | undefined))
      : (change.quantity as Decimal | null | undefined)) ?? line.quantity
  if (compare(quantity, stood) > 0) throw new BusinessError('rule', aboveSentence(definition, line.line_no, stood))
  const outsider = (change.unit_codes as string[] | undefined)?.find(
    code => line.unit_codes.length > 0 && !line.unit_codes.includes(code),
  )
  if (outsider) {
    const msg = (definition.lineRules.quantityCorrection?.unknownCode ?? '院内码{code}不在本单明细中').replace(
      '{code}',
      outsider,
    )
    throw new BusinessError('unitNotHere', msg, [{ field: 'unit_codes', line: line.line_no, msg }])
  }
  // A quantity of zero has no pieces.
  const named = (change.unit_codes as string[] | undefined)?.length ? (change.unit_codes as string[]) : line.unit_codes
  const codes = isZero(quantity) ? [] : named
  const own = Object.fromEntries(
    Object.entries(change).filter(([name]) => name in customLineFields(definition) || name === 'remark'),
  )
  return {
    ...line,
    ...own,
    quantity: round(quantity, 3),
    base_quantity: multiply(quantity, measure, 3),
    unit_codes: codes,
    ...lineAmounts(line.price, quantity, line.tax_rate as TaxRate),
    ...(definition.lineRules.quantityCorrection
      ? {
          [definition.lineRules.quantityCorrection.keeps]: stood,
          [definition.lineRules.quantityCorrection.field]: round(quantity, 3),
        }
      : {}),
  } as StoredLine
}
