import { idOf } from '#demo/rows.ts'
import { demoTable } from '#demo/tables.ts'
import { OPENING } from '#demo/simulation/calendar.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

type Contract = {
  readonly buyer: string
  readonly supplier: string
  readonly type: 'purchase' | 'consignment' | 'delivery' | 'quality'
  /** Yuan; a framework contract has none. */
  readonly amount?: string
  /** The end in days before the load day; contracts about goods end with their price list. */
  readonly until?: number
}

/** The contracts of the hospitals besides the framework contracts that their other price lists are. */
const contracts: readonly Contract[] = [
  { buyer: 'H01', supplier: 'D01', type: 'purchase', amount: '6000000' },
  { buyer: 'H01', supplier: 'D02', type: 'purchase', amount: '900000' },
  { buyer: 'H01', supplier: 'D03', type: 'consignment', amount: '1500000' },
  { buyer: 'H01', supplier: 'D01', type: 'delivery', until: -60 },
  { buyer: 'H01', supplier: 'D02', type: 'quality', until: -20 },
  { buyer: 'H01', supplier: 'D03', type: 'delivery', amount: '80000', until: 12 },
  { buyer: 'H02', supplier: 'D01', type: 'purchase', amount: '800000' },
  { buyer: 'H02', supplier: 'D02', type: 'quality', until: -150 },
]
const prefixes = { purchase: 'HT', consignment: 'HT', delivery: 'PS', quality: 'ZB' } as const

/**
 * Contracts are signed on the first days. One about goods has the number of the price list between the two and agrees
 * the first of its prices again, as what was awarded.
 */
export function planContracts(world: World): void {
  for (const { buyer, supplier, type, amount, until } of contracts) {
    // Read before the clock is set back: its days are counted from the load day.
    const [first] = demoTable('price_agreements')
      .filter(row => row.buyer_org === buyer && row.seller_org === supplier)
      .toSorted((a, b) => (a.valid_from ?? '').localeCompare(b.valid_from ?? '') || rank(b).localeCompare(rank(a)))
    world.plan(world.calendar.ago(OPENING - 1), 8.2, `contracts ${buyer}`, async () => {
      const { hands, calendar, masters } = world
      const isOfGoods = prefixes[type] === 'HT'
      const number = first?.contract_no ?? ''
      const sn = await hands.add(someone(world, buyer, 'buyer'), 'priceRegistration', {
        price_side: 'buy',
        counterparty_sn: orgId(world, supplier),
        price_type: 'awarded',
        contract_no: number.replace(/^HT/, prefixes[type]),
        contract_type: type,
        contract_amount: amount ?? null,
        valid_from: isOfGoods ? (first?.valid_from ?? null) : calendar.ago(OPENING - 1),
        valid_to: isOfGoods ? (first?.valid_to ?? null) : calendar.ago(until ?? 0),
        lines:
          isOfGoods && first
            ? [
                {
                  specification_sn: idOf(masters.specifications, first.specification_code),
                  quantity: '1',
                  price: first.price_taxed,
                  tax_rate: first.tax_rate,
                },
              ]
            : [],
      })
      await hands.pass(someone(world, buyer, 'buyer'), someone(world, buyer, 'head'), 'priceRegistration', sn)
    })
  }
}

/** The price lists that last longest come first. */
const rank = (row: Readonly<Record<string, string | null>>): string => row.valid_to ?? '9999'
