import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentOf } from '#kernel/registry.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { day, type Person } from '../support/story.ts'
import { correctionCases } from './cases/corrections.ts'
import { indoorCases } from './cases/hospital.ts'
import { lossCases } from './cases/losses.ts'
import {
  arriving,
  bring,
  grant,
  make,
  type Market,
  newCodes,
  openMarket,
  ship,
  take,
  useOf,
} from './cases/fuzz-world.ts'
import { standing } from './cases/existing-data.ts'
import { proves } from '#tests/support/proves.ts'
import { oneOfEach, sampled } from '../support/thorough.ts'

/** Undoing is exact: whatever a document wrote to any ledger of any organisation, undoing it leaves nothing. */
let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const dump = (except: string) => standing(market.stage.server.database.owner, except)

type Case = {
  readonly kind: string
  readonly name: string
  readonly who: () => Person
  /** The reviewer, if it may not be the author. */
  readonly reviewer?: () => Promise<Person>
  /** Creates a draft (or a pending document) whose line 1 has at least two pieces. */
  readonly draft: () => Promise<string>
  /** Created as pending: no one submits or withdraws it. */
  readonly bornSubmitted?: boolean
  /** Money is only reversed in full. */
  readonly wholeOnly?: boolean
  /** Corrected by another document of its kind: it has no red reversal. */
  readonly neverRed?: boolean
}

let lots = 0
const lot = () => `UNDO${++lots}`
const own = (kind: 'coded' | 'plain', quantity: number) => ({
  specification: market[kind],
  lot: lot(),
  quantity,
  ...(kind === 'coded' ? { codes: newCodes(quantity) } : {}),
})
const lineOf = (goods: ReturnType<typeof own>, quantity = goods.quantity) => ({
  specification_sn: goods.specification,
  lot_no: goods.lot,
  quantity: String(quantity),
  ...(goods.codes ? { unit_codes: goods.codes.slice(0, quantity) } : {}),
})

/** A draft of the receipt that waits for a delivery, with its location. */
async function waitingReceipt(at: 'D01' | 'H01', delivery: string): Promise<string> {
  const buyer = at === 'D01' ? market.dealer : market.hospital
  const { sn } = await buyer.from('purchaseGrn', delivery)
  await buyer.done('purchaseGrn', 'edit', sn, { warehouse_model_inner_sn: market.shelf[at] })
  return sn
}

async function used(kind: 'coded' | 'plain', regime: 'purchased' | 'consigned', quantity: number) {
  const goods = own(kind, quantity)
  await bring(market, goods, regime)
  await grant(market, [lineOf(goods)])
  return goods
}

/** A settlement confirmed by the supplier, reviewed. */
async function settled(): Promise<string> {
  const goods = await used('coded', 'consigned', 3)
  const use = await market.hospital.add('departmentUse', useOf(market, [{ unit_codes: goods.codes }]))
  await market.hospital.pass('departmentUse', use)
  const reply = await market.hospital.client.post('/v1/business/settlement/generate', {
    counterparty_sn: market.org.D01,
    begin_date: day(-30),
    end_date: day(1),
  })
  expect(reply.msg).toBe('')
  await market.hospital.done('settlement', 'submit', reply.info.sn)
  await market.dealer.done('settlement', 'confirm', reply.info.sn)
  await market.hospital.done('settlement', 'review', reply.info.sn)
  return reply.info.sn
}
async function settledReceipt(): Promise<string> {
  const receipt = await market.hospital.add('settlementGrn', { source_type: 101, source_sn: await settled() })
  await market.hospital.pass('settlementGrn', receipt)
  return receipt
}
let invoices = 0
const invoiceNo = () => `2633${String(++invoices).padStart(16, '0')}`
async function billed(): Promise<string> {
  const sn = await market.dealer.add('outboundInvoice', {
    source_type: 118,
    source_sn: await settledReceipt(),
    invoice_no: invoiceNo(),
    invoice_date: day(),
  })
  await market.dealer.pass('outboundInvoice', sn)
  const [copy] = await market.hospital.list('inboundInvoice', { counterparty_sn: market.org.D01 })
  return copy.sn
}

const cases: readonly Case[] = [
  ...lossCases(() => market),
  ...indoorCases(() => market),
  ...correctionCases(() => market),
  {
    kind: 'otherGrn',
    name: 'coded and by lot',
    who: () => market.vendor,
    draft: () =>
      market.vendor.add('otherGrn', {
        warehouse_model_inner_sn: market.shelf.V01,
        lines: [arriving(own('coded', 3)), arriving(own('plain', 7))],
      }),
  },
  {
    kind: 'otherGrn',
    name: 'codes given by the organisation',
    who: () => market.hospital,
    draft: () =>
      market.hospital.add('otherGrn', {
        warehouse_model_inner_sn: market.shelf.H01,
        lines: [{ ...arriving({ ...own('coded', 3), codes: [] }) }],
      }),
  },
  {
    kind: 'openingStock',
    name: 'own goods',
    who: () => market.dealer,
    draft: () =>
      market.dealer.add('openingStock', {
        warehouse_model_inner_sn: market.shelf.D01,
        lines: [arriving(own('plain', 3)), arriving(own('coded', 2))],
      }),
  },
  {
    kind: 'saleOdo',
    name: 'purchased, coded',
    who: () => market.vendor,
    draft: async () => {
      const goods = own('coded', 3)
      await make(market, goods)
      return market.vendor.add('saleOdo', {
        counterparty_sn: market.org.D01,
        warehouse_model_inner_sn: market.shelf.V01,
        lines: [lineOf(goods)],
      })
    },
  },
  {
    kind: 'saleOdo',
    name: 'purchased, part of a lot at an odd cost',
    who: () => market.vendor,
    draft: async () => {
      const goods = own('plain', 7)
      await make(market, { ...goods, price: '33.33' })
      return market.vendor.add('saleOdo', {
        counterparty_sn: market.org.D01,
        warehouse_model_inner_sn: market.shelf.V01,
        lines: [lineOf(goods, 3)],
      })
    },
  },
  {
    kind: 'saleOdo',
    name: 'consigned',
    who: () => market.dealer,
    draft: async () => {
      const goods = own('plain', 7)
      await make(market, goods)
      await take(market, 'D01', await ship(market, 'V01', 'D01', [lineOf(goods)]))
      return market.dealer.add('saleOdo', {
        counterparty_sn: market.org.H01,
        regime: 'consigned',
        warehouse_model_inner_sn: market.shelf.D01,
        lines: [lineOf(goods, 3)],
      })
    },
  },
  {
    kind: 'purchaseGrn',
    name: 'purchased, coded',
    who: () => market.dealer,
    draft: async () => {
      const goods = own('coded', 3)
      await make(market, goods)
      return waitingReceipt('D01', await ship(market, 'V01', 'D01', [lineOf(goods)]))
    },
  },
  {
    kind: 'purchaseGrn',
    name: 'purchased, by lot at an odd price',
    who: () => market.dealer,
    draft: async () => {
      const goods = own('plain', 7)
      await make(market, { ...goods, price: '33.33' })
      return waitingReceipt('D01', await ship(market, 'V01', 'D01', [lineOf(goods, 3)]))
    },
  },
  {
    kind: 'purchaseGrn',
    name: 'consigned',
    who: () => market.hospital,
    draft: async () => {
      const goods = own('coded', 3)
      await make(market, goods)
      await take(market, 'D01', await ship(market, 'V01', 'D01', [lineOf(goods)]))
      return waitingReceipt('H01', await ship(market, 'D01', 'H01', [lineOf(goods)], { regime: 'consigned' }))
    },
  },
  {
    kind: 'grantOdo',
    name: 'coded and by lot',
    who: () => market.hospital,
    draft: async () => {
      const goods = own('plain', 5)
      await bring(market, goods, 'purchased')
      return market.hospital.add('grantOdo', {
        warehouse_model_inner_sn: market.shelf.H01,
        to_warehouse_model_inner_sn: market.ward,
        department_inner_sn: market.department,
        lines: [lineOf(goods, 3)],
      })
    },
  },
  {
    kind: 'wardReceipt',
    name: 'coded',
    who: () => market.hospital,
    bornSubmitted: true,
    draft: async () => {
      const goods = own('coded', 3)
      await bring(market, goods, 'consigned')
      const sn = await market.hospital.add('grantOdo', {
        warehouse_model_inner_sn: market.shelf.H01,
        to_warehouse_model_inner_sn: market.ward,
        department_inner_sn: market.department,
        lines: [lineOf(goods)],
      })
      await market.hospital.pass('grantOdo', sn)
      return (await market.hospital.from('wardReceipt', sn)).sn
    },
  },
  {
    kind: 'departmentUse',
    name: 'own goods',
    who: () => market.hospital,
    draft: async () =>
      market.hospital.add('departmentUse', useOf(market, [lineOf(await used('plain', 'purchased', 5), 3)])),
  },
  {
    kind: 'departmentUse',
    name: 'consigned, coded',
    who: () => market.hospital,
    draft: async () =>
      market.hospital.add(
        'departmentUse',
        useOf(market, [{ unit_codes: (await used('coded', 'consigned', 3)).codes }]),
      ),
  },
  {
    kind: 'surgeryUse',
    name: 'consigned, coded',
    who: () => market.hospital,
    draft: async () => {
      const { codes } = await used('coded', 'consigned', 3)
      return market.hospital.add('surgeryUse', { ...useOf(market, [{ unit_codes: codes }]), surgery_name: '关节置换' })
    },
  },
  {
    kind: 'settlementGrn',
    name: 'of a settlement',
    who: () => market.hospital,
    draft: async () => market.hospital.add('settlementGrn', { source_type: 101, source_sn: await settled() }),
  },
  {
    kind: 'outboundInvoice',
    name: 'of a settlement',
    who: () => market.dealer,
    draft: async () =>
      market.dealer.add('outboundInvoice', {
        source_type: 118,
        source_sn: await settledReceipt(),
        invoice_no: invoiceNo(),
        invoice_date: day(),
      }),
  },
  { kind: 'inboundInvoice', name: "the supplier's", who: () => market.hospital, bornSubmitted: true, draft: billed },
  {
    kind: 'payment',
    name: 'of an invoice',
    who: () => market.hospital,
    reviewer: () => market.stage.person('finance'),
    wholeOnly: true,
    draft: async () => {
      const invoice = await billed()
      await market.hospital.done('inboundInvoice', 'review', invoice)
      const application = await market.hospital.add('paymentApplication', { source_type: 10, source_sn: invoice })
      await market.hospital.pass('paymentApplication', application)
      return market.hospital.add('payment', { source_type: 115, source_sn: application })
    },
  },
  {
    kind: 'receipt',
    name: 'of an invoice',
    who: () => market.dealer,
    wholeOnly: true,
    draft: async () => {
      await billed()
      const [invoice] = await market.dealer.list('outboundInvoice', { counterparty_sn: market.org.H01 })
      return market.dealer.add('receipt', { source_type: 11, source_sn: invoice.sn })
    },
  },
]

/** Findings name their documents: once for all cases is enough. */
async function findings(): Promise<string[]> {
  const { owner } = market.stage.server.database
  const stuck = await owner<{ error: string }[]>`
    select concat_ws(' ', '未送达', h.message, h.payload->>'kind', h.payload->>'sn', h.last_error) as error
      from intercompany_message h where h.delivered_at is null`
  return [...(await checkLedgers(owner)).map(finding => finding.msg), ...stuck.map(row => row.error)]
}
afterAll(async () => expect(await findings()).toEqual([]))
describe.each(
  sampled(
    oneOfEach(cases, ({ kind }) => kind),
    2,
  ),
)('$kind $name', one => {
  let sn: string
  const review = async () => (one.reviewer ? await one.reviewer() : one.who()).done(one.kind, 'review', sn)
  /** A fresh document, and the data before anything of it was reserved or posted. */
  const fresh = async () => {
    sn = await one.draft()
    const before = await dump(sn)
    if (!one.bornSubmitted) await one.who().done(one.kind, 'submit', sn)
    return { before, waiting: await dump(sn) }
  }

  it('repeated 反审核, and 红冲 of the whole, leave nothing', async () => {
    proves('document.undoneWhole')
    const { before, waiting } = await fresh()
    for (let round = 0; round < 2; round++) {
      await review()
      expect(await dump(sn)).not.toEqual(waiting)
      await one.who().done(one.kind, 'unreview', sn)
      expect(await dump(sn)).toEqual(waiting)
    }
    // What was on a patient is not withdrawn any more.
    if (documentOf(one.kind)!.lifecycle.kept?.when(await one.who().info(one.kind, sn)))
      expect((await one.who().do(one.kind, 'unsubmit', sn)).msg).toMatch(/永久保存/)
    else if (!one.bornSubmitted) {
      await one.who().done(one.kind, 'unsubmit', sn)
      expect(await dump(sn)).toEqual(before)
      await one.who().done(one.kind, 'submit', sn)
    }
    if (one.neverRed) return
    await review()
    const { red_sn } = await one.who().done(one.kind, 'redReverse', sn, { reason: '录错' })
    expect((await one.who().do(one.kind, 'unreview', red_sn)).msg).toBe('红冲单不能反审核；红冲有误请重新开单')
    expect(await dump(sn)).toEqual(before)
    expect((await one.who().info(one.kind, sn)).state).toBe('reversed')
  })

  it.skipIf(one.wholeOnly || one.neverRed)('红冲 in three parts leaves nothing', async () => {
    const { before } = await fresh()
    await review()
    const { lines } = await one.who().info(one.kind, sn)
    for (const piece of [1, 0]) {
      const codes = lines[0].unit_codes.length > 0 ? { unit_codes: [lines[0].unit_codes[piece]] } : {}
      await one.who().done(one.kind, 'redReverse', sn, {
        reason: '录错',
        lines: [{ line_no: lines[0].line_no, quantity: '1', ...codes }],
      })
      expect((await one.who().info(one.kind, sn)).state).not.toBe('reversed')
    }
    await one.who().done(one.kind, 'redReverse', sn, { reason: '录错' })
    expect(await dump(sn)).toEqual(before)
    expect((await one.who().info(one.kind, sn)).state).toBe('reversed')
  })
})
