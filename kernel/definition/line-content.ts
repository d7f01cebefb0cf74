import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Fields } from '#kernel/definition/field.ts'

/** The common line fields that hold money, and those of a header that sum them up. */
export const priceFields = ['price', 'tax_rate', 'untaxed_amount', 'tax_amount', 'taxed_amount'] as const
export type PriceField = (typeof priceFields)[number]
const sums = ['untaxed_amount', 'tax_amount', 'taxed_amount', 'rounding'] as const

/** The common line fields that say which goods, in which unit, whose and where. */
export const goodsFields = [
  'specification_sn',
  'lot_no',
  'production_date',
  'expiry_date',
  'unit_codes',
  'unit_inner_sn',
  'base_quantity',
  'owner_org_sn',
  'quality_state',
  'location',
] as const
/** The names that answers add to a line from its goods. */
const goodsFacts = ['product_name', 'specification_name', 'unit_name', 'base_unit_name', 'owner_name'] as const

type Lines = Pick<AnyDocument, 'lines'>

/** True if lines name goods: without a specification they have no unit, no lot and no piece. */
export const namesGoods = ({ lines }: Lines): boolean => 'specification_sn' in lines

/** True if lines name goods by their lot: labels are printed of them. */
export const namesLots = ({ lines, posting }: Lines & Pick<AnyDocument, 'posting'>): boolean =>
  namesGoods({ lines }) && 'lot_no' in lines && posting.stockDirection !== 'none'

/** True if lines have a price, a tax or an amount; all others have none, whatever their source has. */
export const hasPrices = ({ lines, pricing }: Lines & Pick<AnyDocument, 'pricing'>): boolean =>
  pricing.keepsPrices === true || priceFields.some(name => name in lines)

/** The money of a line that follows from its price, quantity and tax rate. */
export const computedAmounts = ['untaxed_amount', 'tax_amount', 'taxed_amount'] as const

/** True if a call may say a line's amounts: where the document is about an amount, and where it repeats an invoice. */
export const takesAmounts = ({ lineRules, pricing }: Pick<AnyDocument, 'lineRules' | 'pricing'>): boolean =>
  lineRules.basis === 'amount' || pricing.typedAmounts === true

/** True if anything is counted on lines: goods, or the amounts of a document about money. */
const isCounted = ({ lines, lineRules }: AnyDocument): boolean => lineRules.basis === 'amount' || 'quantity' in lines

const missing = (fields: Fields, ...names: (readonly string[])[]): readonly string[] =>
  names.flat().filter(name => !(name in fields))

/** The common line fields that lines of this kind do not have: nobody writes them and no answer holds them. */
export const absentLineFields = (definition: AnyDocument): readonly string[] =>
  missing(
    definition.lines,
    hasPrices(definition) ? [] : priceFields,
    namesGoods(definition) ? [] : goodsFields,
    isCounted(definition) ? [] : ['quantity'],
  )

/** The keys that answers leave out: those fields, and what would be added to them. */
export const absentLineKeys = (definition: AnyDocument): ReadonlySet<string> =>
  new Set([
    ...absentLineFields(definition),
    ...missing(
      definition.lines,
      hasPrices(definition) ? [] : ['rounding'],
      namesGoods(definition) ? [] : goodsFacts,
      isCounted(definition) ? [] : ['executed_quantity'],
    ),
  ])

/** The sums that a header of this kind does not have. */
export const absentSums = (definition: AnyDocument): ReadonlySet<string> =>
  new Set(
    missing(definition.header, hasPrices(definition) ? [] : sums, isCounted(definition) ? [] : ['total_quantity']),
  )
