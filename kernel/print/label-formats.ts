import type { PrintTemplate } from '#kernel/print/print-definition.ts'
import { wordsOf } from '#kernel/print/print-definition.ts'

/** Labels on rolls, or many on a sheet of A4, in millimetres. */
export type LabelSize = {
  /** The key used in templates. */
  readonly key: LabelSizeKey
  readonly width: number
  readonly height: number
  readonly name?: string
  /** Several on one sheet of A4, left to right and top to bottom. */
  readonly grid?: { readonly columns: number; readonly rows: number }
}
/** The machine-readable code of a label, and which data it holds. */
export type LabelCode = {
  readonly key: LabelCodeKey
  readonly as: string
  readonly label: string
  readonly holds: 'code' | 'gs1' | 'link' | 'ean'
}
export type LabelSheet = {
  readonly route: `/newprint/${string}`
  readonly title: string
  /** The name its templates are found under. */
  readonly name: string
  readonly sizes: readonly LabelSize[]
  /** Symbologies offered; the first is the default. */
  readonly codes: readonly LabelCode[]
}

/** Sizes by the name stored in a template. */
export const labelSizes = {
  '50x30': '标签 50×30 mm',
  '60x40': '标签 60×40 mm',
  '40x30': '标签 40×30 mm',
  '30x20': '标签 30×20 mm',
  '70x50': '标签 70×50 mm',
  '80x80': '标签 80×80 mm',
  '100x70': '标签 100×70 mm',
  rfid: 'RFID标签 70×30 mm',
  a4x24: '标签 A4 3×8张',
  a4x40: '标签 A4 4×10张',
} as const
type LabelSizeKey = keyof typeof labelSizes
/** Carriers by the name stored in a template. */
export const labelCodes = {
  gs1datamatrix: 'GS1 DataMatrix',
  'gs1-128': 'GS1-128',
  code128: 'Code128',
  ean13: 'EAN-13',
  link: 'GS1 Digital Link',
  qrcode: 'QR',
} as const
type LabelCodeKey = keyof typeof labelCodes

const roll = (width: 30 | 40 | 50 | 60 | 70 | 80 | 100, height: 20 | 30 | 40 | 50 | 70 | 80): LabelSize => ({
  key: `${width}x${height}` as LabelSizeKey,
  width,
  height,
})

/** Every sheet of labels. */
export const labelSheets: readonly LabelSheet[] = [
  {
    route: '/newprint/BarCodePrint',
    title: '条码标签打印',
    name: '条码标签',
    sizes: [
      roll(50, 30),
      roll(60, 40),
      roll(40, 30),
      roll(70, 50),
      roll(100, 70),
      { key: 'rfid', width: 70, height: 30, name: 'RFID标签 70×30 mm' },
      { key: 'a4x24', width: 70, height: 37, name: 'A4 3×8张', grid: { columns: 3, rows: 8 } },
    ],
    codes: [
      { key: 'gs1datamatrix', as: 'gs1datamatrix', label: 'GS1 DataMatrix', holds: 'gs1' },
      { key: 'gs1-128', as: 'gs1-128', label: 'GS1-128', holds: 'gs1' },
      { key: 'code128', as: 'code128', label: 'Code 128(院内码)', holds: 'code' },
      { key: 'ean13', as: 'ean13', label: 'EAN-13(商品条码)', holds: 'ean' },
    ],
  },
  {
    route: '/newprint/QrcodePrint',
    title: '二维码标签打印',
    name: '二维码标签',
    sizes: [
      roll(40, 30),
      roll(30, 20),
      roll(60, 40),
      roll(80, 80),
      { key: 'a4x40', width: 52.5, height: 29.7, name: 'A4 4×10张', grid: { columns: 4, rows: 10 } },
    ],
    codes: [
      { key: 'link', as: 'qrcode', label: 'GS1 Digital Link', holds: 'link' },
      { key: 'qrcode', as: 'qrcode', label: '院内码', holds: 'code' },
    ],
  },
]

export const sizeName = ({ name, width, height }: Pick<LabelSize, 'name' | 'width' | 'height'>): string =>
  name ?? `${width}×${height} mm`

/** The sheet of labels under an address. */
export const labelSheetAt = (route: unknown): LabelSheet | undefined => labelSheets.find(each => each.route === route)

/** Lines of a goods label, as named in templates, in default order. */
export const labelLines = {
  code: '编码',
  name: '产品名称',
  specification: '规格型号',
  lot: '批号',
  expiry: '有效期至',
  department: '使用科室',
  store: '仓库/货位',
  quantity: '数量/单位',
  production: '生产日期',
  maker: '生产厂家',
  registration: '注册证号',
  supplier: '供应商',
  charge: '收费编码',
  ownership: '产权',
  held: '人读文字',
  org: '机构简称',
} as const
/** Lines with money: only where a template names them, and only for users who may see prices. */
export const pricedLines = { cost: '含价：成本价', sale: '含价：销售价' } as const
const allLines: Readonly<Record<string, string>> = { ...labelLines, ...pricedLines }
/** Lines that no template can remove. */
export const fixedLines: readonly string[] = [labelLines.code, labelLines.expiry]
export const FIXED_BECAUSE = '标签上的编码和有效期不能移除'

/** The lines that a template names, in its order; null: default. */
export function namedLines(text: string | null | undefined): readonly string[] | null {
  const words = wordsOf(text ?? null)
  if (words.length === 0) return null
  return words.flatMap(word => Object.keys(allLines).filter(name => allLines[name] === word))
}

/** True if a template prints prices on labels. */
export const hasPrices = (template: Pick<PrintTemplate, 'column_layout'> | undefined): boolean =>
  namedLines(template?.column_layout)?.some(name => name in pricedLines) === true

/** The problem of the lines named in a template, in a sentence. */
export function lineProblem(text: string): string | null {
  const named = wordsOf(text)
  const offered = Object.values(allLines)
  const unknown = named.find(word => !offered.includes(word))
  if (unknown) return `标签上没有【${unknown}】，可选：${offered.join('、')}`
  const twice = named.find((word, at) => named.indexOf(word) !== at)
  if (twice) return `【${twice}】重复`
  const missing = fixedLines.find(word => !named.includes(word))
  return missing ? `${FIXED_BECAUSE}：${missing}` : null
}
