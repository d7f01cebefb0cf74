import { namedLines } from '#kernel/print/label-formats.ts'
import type { Label } from '#kernel/print/label-data.ts'

/** One line of a label: the `rows` it may take, and its font style. */
export type LabelLine = {
  readonly name: string
  readonly text: string
  readonly rows: number
  readonly face: Face
}
type Face = 'plain' | 'name' | 'day' | 'code' | 'sign' | 'place'

/** A line a label may show. The lower the rank, the longer it stays when space is short; `whole`: never truncated. */
type LabelItem = {
  readonly name: string
  readonly text: string | null | undefined
  readonly rank: number
  readonly face?: Face
  readonly rows?: number
  readonly whole?: true
}

/** Plain text is never smaller than 6 points. */
export const LEAST_LETTER_MM = 2.2
/** If everything fits in a larger size, it is used: readable from further away. */
const SIZES = [1.6, 1.4, 1.2, 1] as const
const ROW = 1.25
/** Font sizes relative to plain text. */
const FACES: Readonly<Record<Face, number>> = { plain: 1, name: 1.14, day: 1, code: 1, sign: 1.25, place: 1.8 }
/**
 * Chinese characters are square; widths of other characters per style, measured so that unbroken text never
 * overflows.
 */
const LATIN: Readonly<Record<Face, number>> = {
  plain: 0.58,
  name: 0.62,
  day: 0.63,
  code: 0.61,
  sign: 0.61,
  place: 0.61,
}

/**
 * The readable text of a code, with its name if that costs no row: for a manufacturer's code the serial, as the
 * product is shown beside it.
 */
function readableOf(label: Label, width: number): string {
  const serial = /^\(01\)\d{14}\(21\)(.+)$/s.exec(label.code)?.[1]
  const [name, code] = label.type === 'lot' ? ['批号', label.code] : ['序列号', serial]
  if (code === undefined) return label.code
  const rows = (text: string) => rowsNeeded(text, 'code', LEAST_LETTER_MM, width)
  return rows(`${name} ${code}`) > rows(code) ? code : `${name} ${code}`
}

const named = (label: string, value: string | null | undefined) => (value ? `${label} ${value}` : null)

/** The texts for goods, in reading order. Those that identify a piece come before its manufacturer and owner. */
const goodsText = (label: Label, under: string, width: number): LabelItem[] => [
  { name: 'code', text: readableOf(label, width), rank: 0, face: 'code', whole: true },
  { name: 'name', text: label.marks.join('') + label.product_name, rank: 1, face: 'name', rows: 2 },
  { name: 'specification', text: label.specification_name, rank: 2 },
  { name: 'lot', text: label.lot_no === label.code ? null : named('批号', label.lot_no), rank: 2 },
  {
    name: 'expiry',
    text: label.lot_no === null ? null : `有效期至 ${label.expiry_date ?? '-'}`,
    rank: 0,
    face: 'day',
    whole: true,
  },
  { name: 'department', text: named('科室', label.department_name), rank: 6 },
  { name: 'store', text: named('仓库', [label.store_name, label.location].filter(Boolean).join('　')), rank: 7 },
  { name: 'quantity', text: named('数量', label.quantity), rank: 5 },
  { name: 'production', text: named('生产日期', label.production_date), rank: 8 },
  { name: 'maker', text: label.manufacturer_name, rank: 4, rows: 2 },
  { name: 'registration', text: label.registration_no, rank: 9 },
  { name: 'supplier', text: named('供应商', label.supplier_name), rank: 10, rows: 2 },
  { name: 'charge', text: named('收费编码', label.charge_code), rank: 11 },
  { name: 'ownership', text: named('产权', label.ownership), rank: 12 },
  { name: 'held', text: under === label.code ? null : under, rank: 13, face: 'code', whole: true },
  { name: 'org', text: label.org_name, rank: 14 },
  { name: 'cost', text: named('成本价', label.cost_price), rank: 15 },
  { name: 'sale', text: named('销售价', label.sale_price), rank: 15 },
]

/** The lines of a template in its order: earlier ones stay longer; code and expiry date are never truncated. */
const inOrder = (items: readonly LabelItem[], names: readonly string[]): LabelItem[] =>
  names.flatMap((name, at) =>
    items.filter(item => item.name === name).map(item => ({ ...item, rank: Math.min(item.rank, at + 1) })),
  )

/** Lines for goods: as the template names them; otherwise all except prices. */
const goodsLines = (label: Label, under: string, width: number, template: string | null): LabelItem[] => {
  const items = goodsText(label, under, width)
  const names = namedLines(template)
  return names === null ? items.filter(({ name }) => name !== 'cost' && name !== 'sale') : inOrder(items, names)
}

/** For a location: its code, readable from a distance, and its description. A long code is smaller, in one row. */
const locationText = (label: Label, width: number): LabelItem[] => [
  {
    name: 'code',
    text: label.code,
    rank: 0,
    face: rowsNeeded(label.code, 'place', LEAST_LETTER_MM, width) > 1 ? 'sign' : 'place',
    whole: true,
  },
  ...label.facts!.map(([name, value], at) => ({ name, text: `${name} ${value}`, rank: at + 1, rows: 2 })),
]

/** Text width, in units of its font height. */
const emsOf = (text: string, face: Face): number =>
  [...text].reduce((sum, letter) => sum + (letter > '\u2E7F' ? 1 : LATIN[face]), 0)

/** Rows a text needs; a row may end one character short of its edge. */
function rowsNeeded(text: string, face: Face, letter: number, width: number): number {
  const room = Math.max(1, Math.floor((width / (letter * FACES[face]) - 0.4) * 10) / 10)
  return Math.ceil(emsOf(text, face) / room)
}

type Room = { readonly width: number; readonly height: number }
type Created = LabelItem & { readonly text: string; readonly face: Face; rows: number }

const heightOf = (lines: readonly Created[], letter: number): number =>
  lines.reduce((sum, { rows, face }) => sum + rows * letter * FACES[face] * ROW, 0)

/** Lines up to this rank identify the goods. */
const NAMES = 2

/** Drops text until the label fits: first second rows, then the least important line. Whole lines are not shortened. */
function giveWay(lines: Created[], letter: number, height: number): Created[] {
  let left = lines
  while (heightOf(left, letter) > height) {
    const last = left.reduce((least, line) => (line.rank >= least.rank ? line : least))
    const cut = left.findLast(line => line.rows > 1 && !line.whole && (line.rank > NAMES || last.rank <= NAMES))
    if (last.rank === 0 && !cut) return left
    if (cut) cut.rows = 1
    else left = left.filter(line => line !== last)
  }
  return left
}

/**
 * The text beside a label's code: the largest size at which everything fits; at the smallest size the least
 * important lines are dropped completely, never cut in the middle. `under`: the readable content of the code;
 * `template`: the lines named by a template.
 */
export function labelText(
  label: Label,
  under: string,
  room: Room,
  template: string | null = null,
): { letter: number; lines: readonly LabelLine[] } {
  const items =
    label.facts === undefined ? goodsLines(label, under, room.width, template) : locationText(label, room.width)
  const said = items.filter((item): item is LabelItem & { text: string } => Boolean(item.text))
  for (const size of SIZES) {
    const letter = LEAST_LETTER_MM * size
    const lines = said.map((item): Created => {
      const { face = 'plain', rows: most = 1, whole } = item
      const needed = rowsNeeded(item.text, face, letter, room.width)
      return { ...item, face, rows: whole ? needed : Math.min(most, needed) }
    })
    const fits = heightOf(lines, letter) <= room.height
    // Larger type must not break a code that fits in one row when smaller.
    const isShort = lines.every(line => {
      const most = line.whole ? rowsNeeded(line.text, line.face, LEAST_LETTER_MM, room.width) : line.rows
      return rowsNeeded(line.text, line.face, letter, room.width) <= most
    })
    if ((fits && isShort) || size === 1) return { letter, lines: giveWay(lines, letter, room.height) }
  }
  throw new Error('there is a smallest size')
}
