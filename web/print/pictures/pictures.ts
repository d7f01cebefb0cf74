import type { FieldSpec } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** /pictureForprint: scans and pictures, each on a page or several on one. */
export const PICTURE_PRINT = '/pictureForprint'
export const MOST_PICTURES = 50
/** The time for which printing waits for pictures that do not come. */
export const PATIENCE_MS = 30_000

/** The number of pictures on a page, by their count in rows and columns. */
export const arrangements = { 1: '每页1张', 2: '每页2张', 4: '每页4张' } as const
export type Arrangement = keyof typeof arrangements

/** A picture and what is printed beside it. */
export type Picture = {
  readonly name: string
  /** The page of a PDF, from 1; null of a picture. */
  readonly page: number | null
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly isExpired: boolean
}

/** Names as the file store gives them; others are no files. */
export const namesIn = (text: string | null): readonly string[] => [
  ...new Set((text ?? '').split(',').filter(name => /^[\w-]{22}\.[a-z0-9]{2,5}$/.test(name))),
]
const isPdf = ({ name }: { readonly name: string }): boolean => name.endsWith('.pdf')
const isPrinted = (name: string): boolean => /\.(png|jpe?g|gif|webp|pdf)$/.test(name)

/** The address of a picture, or of a page drawn as one. */
export const addressOfPicture = ({ name, page }: Pick<Picture, 'name' | 'page'>): string =>
  `/file/${name}?action=print${page === null ? '' : `&page=${page}`}`
export const keyOfPicture = ({ name, page }: Pick<Picture, 'name' | 'page'>): string =>
  page === null ? name : `${name} ${page}`

/** PDFs among pictures, whose pages have to be counted. */
export const pdfsAmong = (pictures: readonly Picture[]): readonly string[] => [
  ...new Set(pictures.filter(isPdf).map(({ name }) => name)),
]

/** Each page of a PDF as a picture of its own; one that could not be read keeps its place. */
export const pageByPage = (pictures: readonly Picture[], pages: ReadonlyMap<string, number>): readonly Picture[] =>
  pictures.flatMap(picture => {
    if (!isPdf(picture)) return [picture]
    const count = Math.max(1, pages.get(picture.name) ?? 1)
    const titled = (page: number) => (count === 1 ? picture.title : `${picture.title}（第${page}页）`)
    return Array.from({ length: count }, (_, at) => ({ ...picture, page: at + 1, title: titled(at + 1) }))
  })

/** A fact of a record by the first of these names that has a value. */
const first = (row: Row, names: readonly string[]): string =>
  String(names.map(name => row[name]).find(value => value !== null && value !== undefined && value !== '') ?? '')

/** The pictures and scans of a record with its number, whose it is and until when it holds; others are not printed. */
export function picturesOf(kind: string, row: Row, today: string): readonly Picture[] {
  const definition = entityOf(kind)
  if (definition === undefined) return []
  const files = Object.entries(definition.fields as Record<string, FieldSpec>).filter(([, { as }]) => as === 'files')
  const until = first(row, ['valid_to', 'expiry_date'])
  const type = definition.fields.licence_type?.choices?.[String(row.licence_type)]
  const facts = [
    ['编号', first(row, ['licence_no', 'certificate_no', 'code'])],
    ['所属机构/产品', first(row, ['holder_name', 'holder_org_name', 'product_name', 'name', 'manufacturer_name'])],
    ['有效期至', row.long_term === true ? '长期' : until],
  ] as const
  return files.flatMap(([name, { label }]) =>
    codesOf(row[name])
      .filter(isPrinted)
      .map(file => ({
        name: file,
        page: null,
        title: type ?? (first(row, ['licence_name', 'title']) || label),
        facts: facts.filter(([, value]) => value !== ''),
        isExpired: row.long_term !== true && until !== '' && until < today,
      })),
  )
}

/** True if a record is about another organisation than its reader's: prints of its pictures name their purpose. */
export const isOfOthers = (row: Row, ownOrganisation: string): boolean => {
  if (row.holder_type === 'own') return false
  const holder = row.holder_sn ?? row.holder_org_sn ?? null
  return row.origin === 'granted' || (holder !== null && String(holder) !== ownOrganisation)
}

/** 仅供{用途}使用 {机构} {日期}. */
export const markOf = (purpose: string, organisation: string, day: string): string =>
  `仅供${purpose}使用 ${organisation} ${day}`

/** Pictures page by page. */
export const pagesOf = (pictures: readonly Picture[], arrangement: Arrangement): readonly (readonly Picture[])[] =>
  Array.from({ length: Math.ceil(pictures.length / arrangement) }, (_, at) =>
    pictures.slice(at * arrangement, (at + 1) * arrangement),
  )
