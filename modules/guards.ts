import type { CommonHeader, CommonLine, Paper } from '#kernel/document.ts'

/** Conditions that several papers share. Each answers true or the sentence the user reads. */
export const hasLines = (doc: Paper): true | string => doc.lines.length > 0 || '请至少添加一行明细'

export const needs = (name: keyof CommonHeader, sentence: string) => (doc: Paper): true | string =>
  (doc[name] !== null && doc[name] !== undefined && doc[name] !== '') || sentence

export const everyLine = (sentence: string, holds: (line: CommonLine) => boolean) => (doc: Paper): true | string => {
  const bad = doc.lines.find(line => !holds(line))
  return bad === undefined || `第${bad.line_no}行：${sentence}`
}

/** Issues name the lot (FEFO has proposed one): nothing is reserved without it. */
export const everyLineHasLot = (doc: Paper): true | string => {
  const bad = doc.lines.find(line => line.lot_no === null)
  return bad === undefined || `第${bad.line_no}行【${bad.product_name ?? ''}】请选择批号`
}

/** One piece, one code: a line with codes has exactly as many as pieces, none twice. */
export const codesMatchQuantity = (doc: Paper): true | string => {
  const seen = new Set<string>()
  for (const line of doc.lines) {
    if (line.unit_codes.length > 0 && Number(line.base_quantity) !== line.unit_codes.length)
      return `第${line.line_no}行【${line.product_name ?? ''}】数量${Number(line.base_quantity)}与院内码数量${line.unit_codes.length}不一致`
    for (const code of line.unit_codes) {
      if (seen.has(code)) return `院内码${code}在本单中重复`
      seen.add(code)
    }
  }
  return true
}
