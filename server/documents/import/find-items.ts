import { parseCode } from '#kernel/codes/parse-code.ts'
import type { ReadCode } from '#kernel/codes/parsed-code.ts'
import { today } from '#kernel/values/date.ts'
import { itemColumns } from '#server/documents/import/columns.ts'
import type { Session } from '#server/access/session.ts'
import type { SheetRow } from '#server/sheets/sheet.ts'
import type { Tx } from '#server/database/transaction.ts'

type Specification = {
  readonly id: string
  readonly code: string
  readonly udi_di: string | null
  readonly name: string
  readonly model: string | null
  readonly product_name: string
  readonly unit_name: string
  readonly his_codes: readonly string[]
}
type Pack = {
  readonly id: string
  readonly specification_id: string
  readonly name: string
  readonly udi_di: string | null
}
/** Goods that rows may name, read at once. */
export type Goods = { readonly specifications: readonly Specification[]; readonly packs: readonly Pack[] }

/** The goods named by a row: the specification, the pack of its UDI, and other data in that UDI. */
export type NamedGoods = {
  readonly specification_sn: string
  readonly pack: string | null
  readonly read: ReadCode | null
}
export type GoodsProblem = { readonly column: string; readonly msg: string }

const cellOf = (row: SheetRow, column: keyof typeof itemColumns): string => row.cells.get(itemColumns[column]) ?? ''

/** A UDI cell has a bare DI (a spreadsheet may have dropped its leading zeros) or the whole string of a scan. */
function udiOf(text: string): { readonly di: string; readonly read: ReadCode | null } | null {
  if (text === '') return null
  const read = parseCode(text, { today: today() })
  if (read.ok && read.di !== null) return { di: read.di, read: read.kind === 'gtin' ? null : read }
  return { di: text, read: null }
}

const written = (rows: readonly SheetRow[], column: keyof typeof itemColumns): string[] => [
  ...new Set(rows.map(row => cellOf(row, column)).filter(Boolean)),
]

/** Everything the rows may refer to, in two statements regardless of the number of rows. */
export async function loadItems(tx: Tx, session: Session, rows: readonly SheetRow[]): Promise<Goods> {
  const dis = [...new Set(rows.flatMap(row => udiOf(cellOf(row, 'udi'))?.di ?? []))]
  const [codes, his, products, models] = [
    written(rows, 'code'),
    written(rows, 'his'),
    written(rows, 'product'),
    written(rows, 'model'),
  ]
  const specifications = await tx<Specification[]>`
    select s.id, s.code, s.udi_di, s.name, s.model, p.name as product_name, s.unit_name,
           array_remove(array[s.his_code, h.his_code], null) as his_codes
      from specification s join product p on p.id = s.product_id
      left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
     where s.id in (
       select id from specification where code = any(${codes})
       union select id from specification where udi_di = any(${dis})
       union select specification_id from pack_unit where udi_di = any(${dis})
       union select specification_id from hospital_product where org_id = ${session.org.id} and his_code = any(${his})
       union select m.id from product n join specification m on m.product_id = n.id
         where n.name = any(${products}) and m.name = any(${models}))`
  const packs = await tx<Pack[]>`
    select id, specification_id, name, udi_di from pack_unit
     where specification_id = any(${specifications.map(each => each.id)}::bigint[]) and status = 'enabled'`
  return { specifications, packs }
}

/** The ways by which rows find their goods, built once for all rows. */
export function itemFinder({ specifications, packs }: Goods) {
  const by = <Key>(keysOf: (each: Specification) => readonly Key[]) => {
    const found = new Map<Key, Specification[]>()
    for (const each of specifications) for (const key of keysOf(each)) found.set(key, [...(found.get(key) ?? []), each])
    return (key: Key) => found.get(key) ?? []
  }
  const byId = by(each => [each.id])
  const byCode = by(each => [each.code])
  const byDi = by(each => (each.udi_di === null ? [] : [each.udi_di]))
  const byHis = by(each => each.his_codes)
  const byName = by(each => [`${each.product_name}\n${each.name}`])
  const packByDi = new Map(packs.flatMap(pack => (pack.udi_di === null ? [] : [[pack.udi_di, pack] as const])))
  const packsOf = Map.groupBy(packs, pack => pack.specification_id)

  /** Each way in which the row names its goods, with the result. */
  function waysOf(row: SheetRow) {
    const [code, udi, his] = [cellOf(row, 'code'), udiOf(cellOf(row, 'udi')), cellOf(row, 'his')]
    const [product, model] = [cellOf(row, 'product'), cellOf(row, 'model')]
    const pack = udi === null ? undefined : packByDi.get(udi.di)
    const way = (column: keyof typeof itemColumns, text: string, found: readonly Specification[]) => ({
      column: itemColumns[column],
      text,
      found,
    })
    return {
      udi,
      pack,
      ways: [
        ...(code === '' ? [] : [way('code', code, byCode(code))]),
        ...(udi === null ? [] : [way('udi', udi.di, pack ? byId(pack.specification_id) : byDi(udi.di))]),
        ...(his === '' ? [] : [way('his', his, byHis(his))]),
        // A name beside a key is only for the reader; alone it must be complete.
        ...(code !== '' || udi !== null || his !== ''
          ? []
          : product === '' || model === ''
            ? []
            : [way('product', `${product} ${model}`, byName(`${product}\n${model}`))]),
      ],
    }
  }

  return {
    /** The goods of a row, or what is wrong with how it names them. */
    find: (row: SheetRow): NamedGoods | GoodsProblem => {
      const { ways, udi, pack } = waysOf(row)
      const [first] = ways
      if (!first) return { column: itemColumns.code, msg: '请填写产品编码、UDI-DI、HIS编码，或产品名称和规格型号' }
      for (const { column, text, found } of ways) {
        if (found.length === 0) return { column, msg: `${column}“${text.slice(0, 60)}”不存在` }
        if (found.length > 1) return { column, msg: `${column}“${text.slice(0, 60)}”对应多个规格，请改用产品编码` }
      }
      const other = ways.find(way => way.found[0]!.id !== first.found[0]!.id)
      if (other) return { column: other.column, msg: `${other.column}与${first.column}不是同一规格` }
      return { specification_sn: first.found[0]!.id, pack: pack?.id ?? null, read: udi?.read ?? null }
    },
    /** A unit by its name: the specification's own, or one of its packs. */
    unit: (specification: string, name: string): { readonly id: string } | { readonly msg: string } => {
      const own = byId(specification)[0]
      if (own?.unit_name === name) return { id: specification }
      const found = packsOf.get(specification)?.find(pack => pack.name === name)
      const names = [own?.unit_name, ...(packsOf.get(specification) ?? []).map(each => each.name)].filter(Boolean)
      return found ? { id: found.id } : { msg: `单位“${name.slice(0, 20)}”不属于该规格，可填：${names.join('、')}` }
    },
  }
}
