import type { Person } from '../../support/story.ts'
import { arriving, bring, type Market, newCodes } from './fuzz-world.ts'

let lots = 0
const lot = () => `LOSS${++lots}`

/** Losses, gains and scrapped goods, of our own and of a supplier's, for the test that undoing leaves nothing. */
export function lossCases(market: () => Market) {
  const by = {
    who: (): Person => market().hospital,
    reviewer: (): Promise<Person> => market().stage.person('keeper'),
  }
  const add = (kind: string, line: object, header: object) =>
    market().hospital.add(kind, {
      warehouse_model_inner_sn: market().shelf.H01,
      lines: [{ line_reason: '盘点', remark: '账实不符', ...line }],
      ...header,
    })
  const lost = { loss_type: 'missing' }
  return [
    {
      ...by,
      kind: 'loss',
      name: 'of a supplier’s coded goods that the hospital pays for',
      draft: async () => {
        const codes = newCodes(3)
        await bring(market(), { specification: market().coded, lot: lot(), quantity: 3, codes }, 'consigned')
        return add('loss', { unit_codes: codes }, { ...lost, bearer: 'hospital' })
      },
    },
    {
      ...by,
      kind: 'overflow',
      name: 'of our own goods, by lot',
      draft: async () => {
        const goods = { specification: market().plain, lot: lot(), quantity: 5, price: '33.33' }
        await bring(market(), goods, 'purchased')
        const { price: _price, ...line } = arriving({ ...goods, quantity: 3 })
        return add('overflow', line, { overflow_reason: '盘盈' })
      },
    },
    {
      ...by,
      kind: 'scrap',
      name: 'of our own goods, found unfit',
      draft: async () => {
        const goods = { specification: market().plain, lot: lot(), quantity: 3 }
        await bring(market(), goods, 'purchased')
        const unfit = { ...arriving(goods), quality_state: 'unqualified' }
        const found = await add('overflow', unfit, { overflow_reason: '盘盈' })
        await market().hospital.done('overflow', 'submit', found)
        await (await by.reviewer()).done('overflow', 'review', found)
        const line = { specification_sn: goods.specification, lot_no: goods.lot, quantity: '3' }
        return add('scrap', { ...line, quality_state: 'unqualified' }, { scrap_reason: '包装破损' })
      },
    },
  ]
}
