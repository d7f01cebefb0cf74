import { bring, type Market, newCodes } from './fuzz-world.ts'

let lots = 0
const lot = () => `IN${++lots}`

/** Internal operations of a hospital, for the test that undoing leaves nothing. */
export function indoorCases(market: () => Market) {
  const who = () => market().hospital
  const goods = async (kind: 'coded' | 'plain', quantity: number) => {
    const codes = kind === 'coded' ? { codes: newCodes(quantity) } : {}
    const brought = { specification: market()[kind], lot: lot(), quantity, price: '33.33', ...codes }
    await bring(market(), brought, 'purchased')
    return brought
  }
  const lineOf = ({ specification, lot, codes }: Awaited<ReturnType<typeof goods>>, quantity: number) => ({
    specification_sn: specification,
    lot_no: lot,
    quantity: String(quantity),
    ...(codes ? { unit_codes: codes.slice(0, quantity) } : {}),
  })
  const transfer = (line: object, more: object = {}) =>
    who().add('transfer', {
      warehouse_model_inner_sn: market().shelf.H01,
      to_warehouse_model_inner_sn: market().ward,
      lines: [line],
      ...more,
    })
  let held = ''
  return [
    {
      who,
      reviewer: async () => {
        await market().second.H01.done('stopSale', 'check', held, { conclusion: 'open', disposal: 'hold' })
        return market().second.H01
      },
      kind: 'stopSale',
      name: 'of coded goods, held',
      draft: async () => {
        held = await who().add('stopSale', {
          warehouse_model_inner_sn: market().shelf.H01,
          stop_reason: 'quality',
          lines: [lineOf(await goods('coded', 3), 3)],
        })
        return held
      },
    },
    {
      who,
      kind: 'transfer',
      name: 'by two steps, coded',
      draft: async () => transfer(lineOf(await goods('coded', 3), 3)),
    },
    {
      who,
      kind: 'transfer',
      name: 'by one step, part of a lot at an odd cost',
      draft: async () => {
        const line = { ...lineOf(await goods('plain', 7), 3), to_location: 'B-02' }
        return transfer(line, { transfer_type: 'move', to_warehouse_model_inner_sn: market().shelf.H01 })
      },
    },
    {
      who,
      kind: 'transferReturn',
      name: 'of coded goods that the other store never took',
      draft: async () => {
        const sn = await transfer(lineOf(await goods('coded', 3), 3))
        await who().pass('transfer', sn)
        return who().add('transferReturn', { source_sn: sn, source_type: 8, return_reason: '未收货' })
      },
    },
    {
      who,
      kind: 'transferReturn',
      name: 'of a part, at an odd cost',
      draft: async () => {
        const sn = await transfer(lineOf(await goods('plain', 7), 5))
        await who().pass('transfer', sn)
        const lines = [{ source_line_no: 1, quantity: '3' }]
        return who().add('transferReturn', { source_sn: sn, source_type: 8, return_reason: '未收货', lines })
      },
    },
    {
      who,
      kind: 'transferReceipt',
      name: 'coded',
      bornSubmitted: true,
      draft: async () => {
        const sn = await transfer(lineOf(await goods('coded', 3), 3))
        await who().pass('transfer', sn)
        return (await who().from('transferReceipt', sn)).sn as string
      },
    },
  ]
}
