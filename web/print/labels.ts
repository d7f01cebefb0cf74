/** Labels on rolls, or many on a sheet of A4, in millimetres; and the code each kind bears. */
export type LabelSize = {
  readonly width: number
  readonly height: number
  readonly name?: string
  /** Several on one sheet of A4, left to right and top to bottom. */
  readonly grid?: { readonly columns: number; readonly rows: number }
}
export type LabelCode = { readonly as: string; readonly label: string; readonly holds: 'code' | 'gs1' | 'link' | 'ean' }
export type LabelSheet = {
  readonly route: `/newprint/${string}`
  readonly title: string
  readonly sizes: readonly LabelSize[]
  /** Symbologies offered, the first being the usual one. */
  readonly codes: readonly LabelCode[]
}

export const labelSheets: readonly LabelSheet[] = [
  {
    route: '/newprint/BarCodePrint',
    title: '条码标签打印',
    sizes: [
      { width: 50, height: 30 },
      { width: 60, height: 40 },
      { width: 40, height: 30 },
      { width: 70, height: 50 },
      { width: 100, height: 70 },
      { width: 70, height: 30, name: 'RFID标签 70×30 mm' },
      { width: 70, height: 37, name: 'A4 3×8张', grid: { columns: 3, rows: 8 } },
    ],
    codes: [
      { as: 'gs1datamatrix', label: 'GS1 DataMatrix', holds: 'gs1' },
      { as: 'gs1-128', label: 'GS1-128', holds: 'gs1' },
      { as: 'code128', label: 'Code 128(院内码)', holds: 'code' },
      { as: 'ean13', label: 'EAN-13(商品条码)', holds: 'ean' },
    ],
  },
  {
    route: '/newprint/QrcodePrint',
    title: '二维码标签打印',
    sizes: [
      { width: 40, height: 30 },
      { width: 30, height: 20 },
      { width: 60, height: 40 },
      { width: 80, height: 80 },
      { width: 52.5, height: 29.7, name: 'A4 4×10张', grid: { columns: 4, rows: 10 } },
    ],
    codes: [
      { as: 'qrcode', label: 'GS1 Digital Link', holds: 'link' },
      { as: 'qrcode', label: '院内码', holds: 'code' },
    ],
  },
]

export const sizeName = ({ name, width, height }: LabelSize): string => name ?? `${width}×${height} mm`

/** Bars and dots narrower than this are not read by a scanner at the shelf. */
export const LEAST_MODULE_MM = { linear: 0.25, qr: 0.33 } as const
/** Wider bars only waste the label. */
export const MOST_MODULE_MM = 0.5

/** Labels by sheet of A4; the first begins at a place that is still free. `places`: how many a sheet has. */
export function sheetsOf<T>(labels: readonly T[], places: number, start: number): (T | null)[][] {
  const all = [...Array.from({ length: start - 1 }, () => null), ...labels]
  return Array.from({ length: Math.ceil(all.length / places) }, (_, at) => all.slice(at * places, (at + 1) * places))
}
