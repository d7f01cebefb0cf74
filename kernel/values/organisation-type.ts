/** The four kinds of organisation of the specification: P=0 platform, H=1 hospital, D=2 dealer, V=3 vendor. */
export type OrgType = 'P' | 'H' | 'D' | 'V'

/** The wire's `system_type` of each kind. */
export const systemType = { P: 0, H: 1, D: 2, V: 3 } as const satisfies Record<OrgType, number>

/** The names of the types for users. */
export const orgTypeName = { P: '平台', H: '医院', D: '经销商', V: '厂商' } as const satisfies Record<OrgType, string>

type Partners = Readonly<Record<OrgType, readonly number[]>>
/** Types of organisations that each kind buys from and sells to. */
const partners = {
  supplier: { P: [], H: [1, 2, 3], D: [2, 3], V: [3] },
  customer: { P: [], H: [1], D: [1, 2], V: [1, 2] },
} as const satisfies Record<string, Partners>
/** Further types of partners, where a separate relation permits the trade. */
const partnersByRelation = {
  supplier: { P: [], H: [], D: [], V: [2] },
  customer: { P: [], H: [], D: [3], V: [] },
} as const satisfies Record<Direction, Partners>
/** A manufacturer buys from a dealer. */
export const VENDOR_BUYS: RelationCode = 'VD'
/** The direction of a trade: the partner sells to us, or buys from us. */
export type Direction = keyof typeof partners
export const directionName: Readonly<Record<Direction, string>> = { supplier: '供应商', customer: '客户' }
export const isDirection = (name: string | undefined): name is Direction => name !== undefined && name in partners

/** The `system_type` of those that an organisation of a kind may have as suppliers, or as customers. */
export const partnerTypes = (direction: Direction, own: OrgType): readonly number[] => partners[direction][own]
export const partnerTypesByRelation = (direction: Direction, own: OrgType): readonly number[] =>
  partnersByRelation[direction][own]

/** A set of organisation types written as letters, as menus and definitions use it: 'HDV'. */
export type OrgTypes = '' | OrgType | `${OrgType}${string}`

/** The organisation type of a `system_type`; refuses anything but 0-3. */
export function orgTypeOf(value: number): OrgType {
  const found = (['P', 'H', 'D', 'V'] as const)[value]
  if (!found) throw new Error(`not a system_type: ${value}`)
  return found
}

/** Relation codes between organisations: who buys (first letter) from or sells to whom. */
export const relationCodes = ['DD', 'DV', 'DH', 'HH', 'HD', 'HV', 'VD', 'VH'] as const
export type RelationCode = (typeof relationCodes)[number]

/** The names of a relation for users: our side and the partner's. */
export const relationNames: Readonly<Record<RelationCode, string>> = {
  DD: '经销商-经销商',
  DV: '经销商-厂商',
  DH: '经销商-医院',
  HH: '医院-医院',
  HD: '医院-经销商',
  HV: '医院-厂商',
  VD: '厂商-经销商',
  VH: '厂商-医院',
}
