import { day, type Person } from '../../support/story.ts'
import { arriving, bring, type Market, newCodes } from './fuzz-world.ts'

let lots = 0
const lot = () => `BG${++lots}`

/** Corrections of a wrongly recorded receipt, for the test that undoing leaves nothing. */
export function correctionCases(market: () => Market) {
  const who = (): Person => market().hospital
  const base = { who, reviewer: async () => market().second.H01, kind: 'stockCorrection', neverRed: true }
  /** Goods without an intercompany delivery: we may correct their price ourselves. */
  const receive = async (goods: Parameters<typeof arriving>[0]) => {
    const header = { counterparty_sn: market().org.D01, warehouse_model_inner_sn: market().shelf.H01 }
    await who().pass('purchaseGrn', await who().add('purchaseGrn', { ...header, lines: [arriving(goods)] }))
  }
  const correction = async (
    by: 'purchased' | 'consigned' | 'nobody',
    goods: object,
    change_type: string,
    line: object,
  ) => {
    const brought = { lot: lot(), quantity: 3, ...goods } as Parameters<typeof bring>[1]
    await (by === 'nobody' ? receive(brought) : bring(market(), brought, by))
    const [receipt] = await who().list('purchaseGrn', { lot_no: brought.lot })
    const sn = await who().add('stockCorrection', {
      source_sn: receipt.sn,
      source_type: 9,
      change_type,
      change_reason: '录错',
      quality_opinion: '已核对',
      attachments: [market().proof.H01],
      lines: [{ source_line_no: 1, quantity: '3', ...line }],
    })
    await who().done('stockCorrection', 'impact', sn)
    return sn
  }
  const coded = () => ({ specification: market().coded, codes: newCodes(3) })
  const plain = () => ({ specification: market().plain, price: '33.33' })
  return [
    { ...base, name: 'of a lot, coded', draft: () => correction('purchased', coded(), 'lot', { new_lot_no: lot() }) },
    {
      ...base,
      name: 'of a lot, some of bought goods',
      draft: () => correction('purchased', plain(), 'lot', { quantity: '2', new_lot_no: lot() }),
    },
    {
      ...base,
      name: 'of a price',
      draft: () => correction('nobody', plain(), 'price', { new_price: '31.11' }),
    },
    {
      ...base,
      name: 'of codes',
      draft: () => correction('consigned', coded(), 'code', { new_codes: newCodes(3) }),
    },
    {
      ...base,
      name: 'of dates, where nothing of the ledgers moves',
      draft: () => correction('purchased', coded(), 'lot', { new_expiry_date: day(333) }),
    },
  ]
}
