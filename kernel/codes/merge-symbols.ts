/** Labels with two symbols: one holds the product and its dates, the other the lot and the piece. */
import { gs1Code, withoutRepeats } from './gs1-code.ts'
import { bracketed, looksBracketed, readElementString } from './gs1-elements.ts'
import { inCommon, readGs1Scan } from './gs1-scan.ts'
import { hibcCode, joinedHibc } from './hibc-code.ts'
import { normalise } from './normalise.ts'
import { refuse, shown } from './parsed-code.ts'
import type { CodeContext, CodeElement, CodeKind, ParsedCode, RefusedCode } from './parsed-code.ts'
import { referenceDay } from './code-date.ts'

type Half = {
  readonly elements: readonly CodeElement[]
  readonly repaired: boolean
  readonly warnings: readonly string[]
}
/** The readings of one symbol: several where its separators are lost, none where it is refused. */
type Side = { readonly readings: readonly Half[] } | { readonly refusal: RefusedCode }

/** Next to a product code, a plain "10…" is not an in-house code but the other half of the label. */
function secondSymbol(scan: ParsedCode, today: string): Half | null {
  if (!scan.ok || scan.kind !== 'inhouse') return null
  const cleaned = normalise(scan.raw)
  if (cleaned.carrier !== 'unstated') return null
  const reading = readElementString(cleaned.text, today)
  return reading.ok ? { elements: reading.elements, repaired: false, warnings: [] } : null
}

/**
 * The readings of a symbol without a product, as one symbol with the number of its goods would be read: only so a
 * separator that the scanner dropped is noticed.
 */
function besideProduct({ raw }: ParsedCode, di: string, known: Half, context: CodeContext): Side {
  const scan = normalise(raw)
  if (looksBracketed(scan.text)) return { readings: [known] }
  const whole = readGs1Scan({ ...scan, text: `01${di}${scan.text}` }, context)
  if (!whole.ok) return { refusal: { ...whole, raw } }
  const readings = (whole.candidates ?? [whole]).map(({ elements, repaired, warnings }) => ({
    elements: elements.filter(({ ai }) => ai !== '01'),
    repaired,
    warnings,
  }))
  return { readings }
}

const LOT = new Set(['10', '$', 'L'])

/** The lot that a symbol prints, be it whole or the second one of its label; null for none. */
export function lotOfSymbol(scan: ParsedCode, today: string): string | null {
  if (scan.ok && scan.kind !== 'inhouse') return scan.lot
  const elements = scan.ok ? secondSymbol(scan, today)?.elements : scan.fragment
  return elements?.find(({ ai }) => LOT.has(ai))?.value ?? null
}

const NAMES: Readonly<Partial<Record<CodeKind, string>>> = { ma: 'MA 码', hibc: 'HIBC 码', document: '单据编号' }

function side(scan: ParsedCode, other: ParsedCode, context: CodeContext): Side {
  const di = other.ok ? other.di : null
  const half = (known: Half): Side =>
    di === null || !/^\d{14}$/.test(di) ? { readings: [known] } : besideProduct(scan, di, known, context)
  if (!scan.ok) {
    return scan.fragment === undefined
      ? { refusal: scan }
      : half({ elements: scan.fragment, repaired: false, warnings: [] })
  }
  if (scan.candidates !== undefined) {
    return { refusal: refuse(scan.raw, 'merge.undecided', '其中一个条码有多种拆分方式，请先选择正确的一种再合并。') }
  }
  if (scan.kind === 'gs1' || scan.kind === 'gs1-digital-link' || scan.kind === 'gtin') return { readings: [scan] }
  const second = secondSymbol(scan, referenceDay(context.today))
  if (second !== null) return half(second)
  return {
    refusal: refuse(
      scan.raw,
      'merge.notMergeable',
      `${NAMES[scan.kind] ?? '院内码'}“${shown(scan.text)}”不能与其他条码合并，请扫描同一标签上的两个 GS1 条码。`,
    ),
  }
}

function conflict(raw: string, a: readonly CodeElement[], b: readonly CodeElement[]): RefusedCode | null {
  for (const left of a) {
    const right = b.find(element => element.ai === left.ai && element.value !== left.value)
    if (right === undefined) continue
    const values = `“${shown(left.value)}”和“${shown(right.value)}”`
    return left.ai === '01'
      ? refuse(raw, 'merge.differentProducts', `两个条码的产品标识不同：${values}，不是同一标签，请重新扫码。`)
      : refuse(
          raw,
          'merge.conflictingElements',
          `两个条码的${left.label}(${left.ai})不同：${values}，请确认扫的是同一标签。`,
        )
  }
  return null
}

/** The groups of an HIBC code, primary or secondary; null for any other. */
function hibcElements(scan: ParsedCode): readonly CodeElement[] | null {
  if (scan.ok) return scan.kind === 'hibc' ? scan.elements : null
  return scan.error === 'hibc.missingProduct' ? (scan.fragment ?? null) : null
}

/**
 * Merges two scans of one label; the order of scanning does not change the result. The text of the whole is one code
 * that says the same. Where the second symbol may be read in several ways, so may the label.
 */
export function mergeScans(a: ParsedCode, b: ParsedCode, context: CodeContext = {}): ParsedCode {
  const raw = `${a.raw}\n${b.raw}`
  if (a.ok && b.ok && a.kind === 'ma' && b.kind === 'ma' && a.text === b.text) return a
  const hibc = [hibcElements(a), hibcElements(b)] as const
  if (hibc[0] !== null && hibc[1] !== null) return mergedHibc(raw, [...hibc[0], ...hibc[1]], context)
  const [left, right] = [side(a, b, context), side(b, a, context)]
  if ('refusal' in left) return left.refusal
  if ('refusal' in right) return right.refusal
  const merged = left.readings.flatMap(one => right.readings.map(two => mergedHalves(raw, one, two, context)))
  const fitting = merged.filter(each => each.ok)
  if (fitting.length > 1) return inCommon({ raw, text: raw, warnings: [] }, fitting, context)
  return fitting[0] ?? merged[0]!
}

function mergedHibc(raw: string, elements: readonly CodeElement[], context: CodeContext): ParsedCode {
  const merged = hibcCode({ raw, text: raw, warnings: [] }, elements, context)
  return merged.ok ? { ...merged, text: joinedHibc(merged.elements) } : merged
}

function mergedHalves(raw: string, left: Half, right: Half, context: CodeContext): ParsedCode {
  const refusal = conflict(raw, left.elements, right.elements)
  if (refusal !== null) return refusal
  const elements = [...left.elements, ...right.elements]
  const warnings = [...new Set([...left.warnings, ...right.warnings])]
  const merged = gs1Code({
    kind: 'gs1',
    scan: { raw, text: bracketed(withoutRepeats(elements).elements), warnings: [] },
    elements,
    today: context.today,
    repaired: left.repaired || right.repaired,
  })
  return merged.ok ? { ...merged, warnings: [...new Set([...warnings, ...merged.warnings])] } : merged
}
