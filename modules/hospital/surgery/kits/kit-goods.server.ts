import { today } from '#kernel/values/date.ts'
import { type Decimal, isPositive, least, plain, subtract, wholePieces } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type KitContent, kitContents } from '#modules/hospital/surgery/kits/kit-contents.server.ts'
import { createAndReview } from '#server/public/actions.ts'
import { allocate, type AvailableBalance, availableStock, serialsByCode } from '#server/public/stock.ts'
import { inNameOf, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A numbered kit as the actions on it need it, locked. */
export type Kit = {
  readonly id: string
  readonly code: string
  readonly operation_kit_id: string
  readonly warehouse_id: string
  readonly place: string | null
  readonly status: string
  readonly out_sn: string | null
}

/** The kit, locked: two people who load it at once come one after the other. */
export async function lockedKit(tx: Tx, session: Session, id: unknown): Promise<Kit> {
  const [kit] = await tx<Kit[]>`
    select k.id, k.code, k.operation_kit_id, k.warehouse_id, k.place, k.status,
           (select d.sn from document d where d.org_id = k.org_id and d.id = k.out_plan_id) as out_sn
      from implant_kit k where k.org_id = ${session.org.id} and k.id = ${String(id)} for update of k`
  if (!kit) throw new BusinessError('notFound', '套包不存在或已被删除')
  if (kit.out_sn) throw new BusinessError('wrongState', `套包【${kit.code}】已随手术${kit.out_sn}送出，请先归还清点`)
  return kit
}

type Missing = {
  readonly specification_id: string
  readonly product_name: string
  readonly specification_name: string
  readonly missing: Decimal
}

/** The goods that a kit lacks of its list, in base units, in the order of the list. */
export const missingOf = (tx: Tx, session: Session, kit: string) => tx<Missing[]>`
  select l.specification_id, p.name as product_name, s.name as specification_name,
         (l.quantity - coalesce(b.held, 0))::numeric(18,3) as missing
    from implant_kit k
    join operation_kit_line l on l.org_id = k.org_id and l.operation_kit_id = k.operation_kit_id
    join specification s on s.id = l.specification_id join product p on p.id = s.product_id
    left join lateral (select sum(x.quantity) as held from stock_balance x
      where x.org_id = k.org_id and x.location = k.code and x.specification_id = l.specification_id) b on true
   where k.org_id = ${session.org.id} and k.id = ${kit} and l.quantity > coalesce(b.held, 0)
   order by l.tray nulls last, l.sort_no, l.id`

type Line = Readonly<Record<string, unknown>>
const REASON = { load: '装入套包', take_out: '从套包取出' } as const

const lineOf = (from: AvailableBalance, quantity: Decimal, codes: readonly string[], to: string): Line => ({
  specification_sn: from.specification_id,
  lot_id: from.lot_id,
  lot_no: from.lot_no,
  owner_org_sn: from.owner_id,
  location: from.location,
  quality_state: from.quality_state,
  to_location: to,
  quantity,
  unit_codes: codes,
})

/** Codes of the pieces at a place of a store, by lot and owner; those that another document holds are left out. */
async function freeCodes(
  tx: Tx,
  session: Session,
  warehouse: string,
  lots: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await tx<{ lot_id: string; owner_id: string; place: string; code: string }[]>`
    select u.lot_id, u.owner_id, coalesce(u.place, '') as place, c.bare as code
      from unit u
      join lateral (select x.bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id and x.ended is null
        and x.kind <> 'rfid' order by x.kind = 'inhouse' desc, x.bare limit 1) c on true
     where u.lot_id = any(${[...new Set(lots)]}::bigint[]) and u.id > 0 and u.status = 'in_stock'
       and u.holder_org_id = ${session.org.id} and u.warehouse_id = ${warehouse}
       and not exists (select from reservation r where r.org_id = ${session.org.id} and r.unit_codes && array[c.bare])
     order by u.lot_id, u.id`
  return new Map(
    [...Map.groupBy(rows, row => `${row.lot_id}/${row.owner_id}/${row.place}`)].map(([key, units]) => [
      key,
      units.map(unit => unit.code),
    ]),
  )
}

const shortSentence = (what: Missing, free: Decimal, need: Decimal, lot = ''): string =>
  `库存不足：${what.product_name} ${what.specification_name} ${lot === '' ? '' : `批号${lot} `}可用${plain(free)}，` +
  `需要${plain(need)}`

/**
 * 组包, 补货: what the kit lacks comes from its store, the lot that expires first before others, pieces with codes under
 * theirs. Refuses where the store has less, unless `takesWhatIsThere`. A constant number of statements for any list.
 */
export async function fill(tx: Tx, session: Session, kit: Kit, takesWhatIsThere: boolean): Promise<string> {
  const missing = await missingOf(tx, session, kit.id)
  if (missing.length === 0) throw new BusinessError('rule', `套包【${kit.code}】没有缺件，不需要补货`)
  const stock = await availableStock(
    tx,
    session.org.id,
    kit.warehouse_id,
    missing.map(line => line.specification_id),
  )
  const demands = missing.map(line => ({ specification_id: line.specification_id, quantity: line.missing }))
  const portions = allocate(demands, stock, session.org.id, today())
  const short = portions.find(portion => portion.from === null)
  if (short && !takesWhatIsThere) {
    const what = missing[short.demand]!
    const lots = new Set(
      portions.flatMap(each => (each.demand === short.demand && each.from ? [each.from.lot_no] : [])),
    )
    const free = subtract(what.missing, short.quantity, 3)
    throw new BusinessError('stockShort', shortSentence(what, free, what.missing, [...lots].join('、')))
  }
  const found = portions.flatMap(portion => (portion.from ? [{ ...portion, from: portion.from }] : []))
  if (found.length === 0)
    throw new BusinessError('stockShort', shortSentence(missing[0]!, '0' as Decimal, missing[0]!.missing))
  const codes = await freeCodes(
    tx,
    session,
    kit.warehouse_id,
    found.map(({ from }) => from.lot_id),
  )
  const lines = found.map(({ from, quantity }) => {
    const pieces = codes.get(`${from.lot_id}/${from.owner_id}/${from.location}`) ?? []
    return lineOf(from, quantity, pieces.splice(0, wholePieces(quantity)), kit.code)
  })
  return moveGoods(tx, session, kit, 'load', lines.flatMap(codedApart))
}

/** Splits a line of which some pieces have codes and some have not: each part becomes a line. */
function codedApart(line: Line): Line[] {
  const codes = line.unit_codes as readonly string[]
  const quantity = line.quantity as Decimal
  const bare = subtract(quantity, String(codes.length), 3)
  if (codes.length === 0 || !isPositive(bare)) return [line]
  return [
    { ...line, quantity: String(codes.length) },
    { ...line, quantity: bare, unit_codes: [] },
  ]
}

/** The goods that a person puts in or takes out: scanned pieces, or a quantity of a lot. */
export type Asked = {
  readonly unit_codes?: readonly string[] | null
  readonly specification_sn?: string | null
  readonly lot_no?: string | null
  readonly quantity?: Decimal | null
}

/** 扫码装入: scanned pieces of the kit's store, or a quantity of a lot there. */
export async function load(tx: Tx, session: Session, kit: Kit, asked: Asked): Promise<string> {
  const lines = [...(await scannedLines(tx, session, asked, code => code !== kit.code)), ...quantityLine(asked, '')]
  if (lines.length === 0) throw nothingSaid()
  return moveGoods(
    tx,
    session,
    kit,
    'load',
    lines.map(line => ({ ...line, to_location: kit.code })),
  )
}

const nothingSaid = () =>
  new BusinessError('invalid', '请扫描唯一码，或选择规格型号并填写数量', [
    { field: 'unit_codes', msg: '请扫描唯一码，或选择规格型号并填写数量' },
  ])

const quantityLine = ({ specification_sn, lot_no, quantity }: Asked, location: string): Line[] =>
  specification_sn && quantity
    ? [{ specification_sn, lot_no: lot_no ?? null, quantity, ...(location === '' ? {} : { location }) }]
    : []

/** Scanned pieces by the goods that they are; pieces that are elsewhere are left to the document to refuse. */
async function scannedLines(
  tx: Tx,
  session: Session,
  asked: Asked,
  belongs: (place: string) => boolean,
): Promise<Line[]> {
  const codes = [...new Set(asked.unit_codes ?? [])]
  const known = await serialsByCode(tx, session.org.id, codes)
  const unknown = codes.find(code => !known.has(code))
  if (unknown !== undefined)
    throw new BusinessError('unitNotHere', `唯一码${unknown}不存在，请核对后重新扫描`, [
      { field: 'unit_codes', msg: `唯一码${unknown}不存在，请核对后重新扫描` },
    ])
  const wrong = codes.find(code => !belongs(known.get(code)!.place ?? ''))
  if (wrong !== undefined) {
    const place = known.get(wrong)!.place ?? ''
    const msg = place === '' ? `唯一码${wrong}不在该套包内` : `唯一码${wrong}已在套包或货位【${place}】，请核对`
    throw new BusinessError('unitNotHere', msg, [{ field: 'unit_codes', msg }])
  }
  return codes.map(code => ({ unit_codes: [code], quantity: '1', specification_sn: known.get(code)!.specification_id }))
}

/** 取出: scanned pieces of the kit, or a quantity of a lot in it, are loose goods of the store again. */
export async function takeOut(tx: Tx, session: Session, kit: Kit, asked: Asked, to: string): Promise<string> {
  const contents = await kitContents(tx, session, [kit.id])
  const scanned = await scannedLines(tx, session, asked, place => place === kit.code)
  const lines = [...scanned, ...quantityOut(contents, asked, kit)]
  if (lines.length === 0) throw nothingSaid()
  return moveGoods(
    tx,
    session,
    kit,
    'take_out',
    lines.map(line => ({ ...line, to_location: to })),
  )
}

/** A quantity out of the balances of a kit: of the named lot, or of what expires first. */
function quantityOut(contents: readonly KitContent[], asked: Asked, kit: Kit): Line[] {
  const { specification_sn, lot_no, quantity } = asked
  if (!specification_sn || !quantity) return []
  let open = quantity
  const lines = contents
    .filter(row => row.specification_sn === specification_sn && (!lot_no || row.lot_no === lot_no))
    .flatMap(row => {
      const bare = subtract(row.quantity, String(row.unit_codes.length), 3)
      const part = least(bare, open)
      if (!isPositive(part)) return []
      open = subtract(open, part, 3)
      return [contentLine(row, part, [])]
    })
  if (!isPositive(open)) return lines
  const free = subtract(quantity, open, 3)
  throw new BusinessError(
    'stockShort',
    `套包【${kit.code}】内可取出的该规格${lot_no ? `批号${lot_no}` : ''}有${plain(free)}，需要${plain(quantity)}；` +
      '一物一码的产品请扫唯一码',
  )
}

const contentLine = (row: KitContent, quantity: Decimal, codes: readonly string[]): Line => ({
  specification_sn: row.specification_sn,
  lot_id: row.lot_id,
  lot_no: row.lot_no,
  owner_org_sn: row.owner_org_sn,
  location: row.location,
  quality_state: row.quality_state,
  quantity,
  unit_codes: codes,
})

/** 拆包: everything in the kit is loose goods of the store again. */
export async function takeAllOut(tx: Tx, session: Session, kit: Kit, to: string): Promise<string> {
  const contents = await kitContents(tx, session, [kit.id])
  if (contents.length === 0) throw new BusinessError('rule', `套包【${kit.code}】是空的，不需要拆包`)
  const lines = contents.map(row => contentLine(row, row.quantity, row.unit_codes)).flatMap(codedApart)
  return moveGoods(
    tx,
    session,
    kit,
    'take_out',
    lines.map(line => ({ ...line, to_location: to })),
  )
}

/** Books the document of a loading, in the name of the user who loads. Returns its number. */
function moveGoods(
  tx: Tx,
  session: Session,
  kit: Kit,
  load_type: 'load' | 'take_out',
  lines: readonly Line[],
): Promise<string> {
  const header = { kit_sn: kit.id, load_type, warehouse_model_inner_sn: kit.warehouse_id }
  const remarked = lines.map(line => ({ ...line, remark: REASON[load_type] }))
  return createAndReview(tx, inNameOf(session), 'kitLoading', header, remarked)
}
