import type { LabelCode, LabelSheet, LabelSize } from '#kernel/print/label-formats.ts'

/** Minimum width of bars and dots that a scanner reads at the shelf. */
export const LEAST_MODULE_MM = { linear: 0.25, qr: 0.33 } as const
/** Wider bars only waste space. */
export const MOST_MODULE_MM = 0.5

/** Labels per sheet of A4; the first starts at a free position. `places`: how many a sheet has. */
export function sheetsOf<T>(labels: readonly T[], places: number, start: number): (T | null)[][] {
  const all = [...Array.from({ length: start - 1 }, () => null), ...labels]
  return Array.from({ length: Math.ceil(all.length / places) }, (_, at) => all.slice(at * places, (at + 1) * places))
}

type Template = { readonly paper?: string | null; readonly carrier?: string | null }
/** The size and code of a template; otherwise the sheet's usual ones. */
export const labelLook = (sheet: LabelSheet, template: Template | undefined): { size: LabelSize; code: LabelCode } => ({
  size: sheet.sizes.find(({ key }) => key === template?.paper) ?? sheet.sizes[0]!,
  code: sheet.codes.find(({ key }) => key === template?.carrier) ?? sheet.codes[0]!,
})
