/** Labels on rolls, in millimetres, and the code each kind bears. */
export type LabelSheet = {
  readonly route: `/newprint/${string}`
  readonly title: string
  readonly sizes: readonly { readonly width: number; readonly height: number }[]
  /** Symbologies offered, the first being the usual one. */
  readonly codes: readonly { readonly as: string; readonly label: string; readonly holds: 'code' | 'gs1' | 'link' }[]
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
    ],
    codes: [
      { as: 'gs1datamatrix', label: 'GS1 DataMatrix', holds: 'gs1' },
      { as: 'gs1-128', label: 'GS1-128', holds: 'gs1' },
      { as: 'code128', label: 'Code 128(院内码)', holds: 'code' },
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
    ],
    codes: [
      { as: 'qrcode', label: 'GS1 Digital Link', holds: 'link' },
      { as: 'qrcode', label: '院内码', holds: 'code' },
    ],
  },
]

/** Bars narrower than this are not read by a scanner at the shelf. */
export const LEAST_MODULE_MM = { linear: 0.25, qr: 0.33 }
