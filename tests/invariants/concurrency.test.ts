import { sum, wholePieces } from '#kernel/values/decimal.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import type { Reply } from '../support/test-server.ts'
import type { Person } from '../support/story.ts'
import { arriving, bring, make, type Market, newCodes, openMarket, ship } from './cases/fuzz-world.ts'

/** Concurrency: every document posts once, nothing is sold twice, no one gets a deadlock error. */
let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())
afterEach(async () =>
  expect((await checkLedgers(market.stage.server.database.owner)).map(finding => finding.msg)).toEqual([]),
)

const codesOf = (replies: readonly Reply[]) => replies.map(reply => reply.code).sort()
const noDefect = (replies: readonly Reply[]) => {
  for (const reply of replies)
    expect([reply.status, reply.code], reply.msg).toEqual([200, expect.not.toBeOneOf([9999])])
}
const path = (kind: string, action: string) => `/v1/business/${kind}/${action}`
const stockOf = async (lot: string) => {
  const rows = await market.stage.server.database.owner`
    select b.quantity from stock_balance b join lot t on t.id = b.lot_id join warehouse w on w.org_id = b.org_id
      and w.id = b.warehouse_id where t.lot_no = ${lot} and w.model = 'central'`
  return wholePieces(
    sum(
      rows.map(row => row.quantity),
      3,
    ),
  )
}
const linesOf = (lots: readonly string[], quantity: string) =>
  lots.map(lot => ({ specification_sn: market.plain, lot_no: lot, quantity }))
const receiptOf = (lots: readonly string[], quantity: number) => ({
  warehouse_model_inner_sn: market.shelf.V01,
  lines: lots.map(lot => arriving({ specification: market.plain, lot, quantity })),
})
const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  [...list].sort(
    (a, b) =>
      ((JSON.stringify(a).length * 7919 + seed * 104_729) % 97) -
      ((JSON.stringify(b).length * 7919 + seed * 104_729) % 89),
  )

async function submitted(person: Person, kind: string, body: object): Promise<{ sn: string; version: number }> {
  const sn = await person.add(kind, body)
  return person.done(kind, 'submit', sn)
}

describe('a double click', () => {
  it('reviews once: the second click finds the document changed', async () => {
    const { sn, version } = await submitted(market.vendor, 'otherGrn', receiptOf(['DBL-1'], 5))
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => market.vendor.client.post(path('otherGrn', 'review'), { sn, version })),
    )
    noDefect(replies)
    expect(codesOf(replies).filter(code => code === 0)).toHaveLength(1)
    expect(
      codesOf(replies)
        .filter(code => code !== 0)
        .every(code => code === 2100 || code === 2101),
    ).toBe(true)
    expect(await stockOf('DBL-1')).toBe(5)
  })

  it('with the same request id returns the first reply again', async () => {
    const { sn, version } = await submitted(market.vendor, 'otherGrn', receiptOf(['DBL-2'], 5))
    const once = () =>
      market.vendor.client.post(path('otherGrn', 'review'), { sn, version }, { 'x-request-id': 'double-2' })
    const replies = await Promise.all(Array.from({ length: 6 }, once))
    expect(new Set(replies.map(reply => JSON.stringify(reply))).size).toBe(1)
    expect(replies[0]!.code).toBe(0)
    expect(await once()).toEqual(replies[0])
    expect(await stockOf('DBL-2')).toBe(5)
  })

  it('adds one document for one request id', async () => {
    const add = () =>
      market.vendor.client.post(path('otherGrn', 'add'), receiptOf(['DBL-3'], 5), { 'x-request-id': 'double-3' })
    const replies = await Promise.all(Array.from({ length: 6 }, add))
    expect(new Set(replies.map(reply => reply.info.sn)).size).toBe(1)
  })

  it('undoes once, including what was sent to the other side', async () => {
    await make(market, { specification: market.plain, lot: 'DBL-4', quantity: 5 })
    const sn = await ship(market, 'V01', 'D01', linesOf(['DBL-4'], '3'))
    const { version } = await market.vendor.info('saleOdo', sn)
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => market.vendor.client.post(path('saleOdo', 'unreview'), { sn, version })),
    )
    noDefect(replies)
    expect(codesOf(replies).filter(code => code === 0)).toHaveLength(1)
    expect(await stockOf('DBL-4')).toBe(5)
    expect((await market.vendor.info('saleOdo', sn)).state).toBe('submitted')
  })
})

describe('two users on one document', () => {
  it('one reviews, one rejects: one of them wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { sn, version } = await submitted(market.vendor, 'otherGrn', receiptOf([`TWO-${round}`], 5))
      const replies = await Promise.all([
        market.vendor.client.post(path('otherGrn', 'review'), { sn, version }),
        market.vendor.client.post(path('otherGrn', 'reject'), { sn, version, reason: '数量不符' }),
      ])
      noDefect(replies)
      expect(codesOf(replies).filter(code => code === 0)).toHaveLength(1)
      const { state } = await market.vendor.info('otherGrn', sn)
      expect(await stockOf(`TWO-${round}`)).toBe(state === 'reviewed' ? 5 : 0)
    }
  })

  it('one receives what the other undoes: either the goods are received or the document is undone', async () => {
    for (let round = 0; round < 6; round++) {
      const lot = `TUG-${round}`
      await make(market, { specification: market.plain, lot, quantity: 4 })
      const delivery = await ship(market, 'V01', 'D01', linesOf([lot], '4'))
      const { sn } = await market.dealer.from('purchaseGrn', delivery)
      const { version } = await market.dealer.info('purchaseGrn', sn)
      const sent = await market.vendor.info('saleOdo', delivery)
      const replies = await Promise.all([
        market.dealer.client.post(path('purchaseGrn', 'submit'), { sn, version }),
        market.vendor.client.post(path('saleOdo', 'unreview'), { sn: delivery, version: sent.version }),
      ])
      noDefect(replies)
      expect(replies.filter(reply => reply.code === 0)).toHaveLength(1)
      expect((await market.vendor.info('saleOdo', delivery)).state).toBe(
        replies[0]!.code === 0 ? 'reviewed' : 'submitted',
      )
    }
  })

  it('the same serial in two documents is reserved once', async () => {
    const codes = newCodes(2)
    await make(market, { specification: market.coded, lot: 'PIECE', quantity: 2, codes })
    const body = {
      counterparty_sn: market.org.D01,
      warehouse_model_inner_sn: market.shelf.V01,
      lines: [{ specification_sn: market.coded, unit_codes: codes.slice(0, 1) }],
    }
    const docs = await Promise.all([1, 2, 3].map(() => market.vendor.add('saleOdo', body)))
    const replies = await Promise.all(docs.map(sn => market.vendor.do('saleOdo', 'submit', sn)))
    noDefect(replies)
    expect(codesOf(replies).filter(code => code === 0)).toHaveLength(1)
  })
})

story('sixteen postings on the same hundred balances', step => {
  const lots = Array.from({ length: 100 }, (_, at) => `HUN-${at}`)

  step('all succeed, whatever the order of their lines', async () => {
    const docs = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        submitted(market.vendor, 'otherGrn', { ...receiptOf(shuffled(lots, at), 1) }),
      ),
    )
    expect(new Set(docs.map(doc => doc.sn)).size).toBe(16)
    const replies = await Promise.all(docs.map(doc => market.vendor.client.post(path('otherGrn', 'review'), doc)))
    noDefect(replies)
    expect(codesOf(replies)).toEqual(Array(16).fill(0))
    expect(await stockOf('HUN-0')).toBe(16)
  })

  step('issues take no more than there is: with 16 pieces of each, 8 of 16 documents of two succeed', async () => {
    const body = (at: number) => ({
      counterparty_sn: market.org.D01,
      warehouse_model_inner_sn: market.shelf.V01,
      lines: shuffled(linesOf(lots, '2'), at),
    })
    const docs = await Promise.all(Array.from({ length: 16 }, (_, at) => market.vendor.add('saleOdo', body(at))))
    const promises = await Promise.all(docs.map(sn => market.vendor.do('saleOdo', 'submit', sn)))
    noDefect(promises)
    const promised = promises.filter(reply => reply.code === 0).map(reply => reply.info)
    expect(promised).toHaveLength(8)
    expect(promises.filter(reply => reply.code !== 0).every(reply => reply.code === 2102)).toBe(true)
    const back = await submitted(market.vendor, 'otherGrn', receiptOf(lots, 1))
    const replies = await Promise.all([
      ...promised.map(doc =>
        market.vendor.client.post(path('saleOdo', 'review'), { sn: doc.sn, version: doc.version }),
      ),
      market.vendor.client.post(path('otherGrn', 'review'), back),
    ])
    noDefect(replies)
    expect(codesOf(replies)).toEqual(Array(9).fill(0))
    expect(await stockOf('HUN-7')).toBe(1)
  })
})

describe('many receipts of one order', () => {
  it('count together and complete it', async () => {
    await make(market, { specification: market.plain, lot: 'ORD', quantity: 8 })
    const order = await market.dealer.add('purchaseOrder', {
      counterparty_sn: market.org.V01,
      warehouse_model_inner_sn: market.shelf.D01,
      lines: [{ specification_sn: market.plain, quantity: '8' }],
    })
    await market.dealer.pass('purchaseOrder', order)
    const sales = await market.vendor.from('salesOrder', order)
    await market.vendor.done('salesOrder', 'review', sales.sn)
    const body = {
      source_type: 4,
      source_sn: sales.sn,
      warehouse_model_inner_sn: market.shelf.V01,
      lines: [{ source_line_no: 1, lot_no: 'ORD', quantity: '1' }],
    }
    const deliveries = await Promise.all(Array.from({ length: 9 }, () => market.vendor.add('saleOdo', body)))
    const promises = await Promise.all(deliveries.map(sn => market.vendor.do('saleOdo', 'submit', sn)))
    const kept = deliveries.filter((_, at) => promises[at]!.code === 0)
    expect(kept).toHaveLength(8)
    const shipped = await Promise.all(kept.map(sn => market.vendor.do('saleOdo', 'review', sn)))
    noDefect(shipped)
    const receipts = await Promise.all(kept.map(sn => market.dealer.from('purchaseGrn', sn)))
    await Promise.all(receipts.map(receipt => market.dealer.done('purchaseGrn', 'submit', receipt.sn)))
    const replies = await Promise.all(receipts.map(receipt => market.dealer.do('purchaseGrn', 'review', receipt.sn)))
    noDefect(replies)
    expect(codesOf(replies)).toEqual(Array(8).fill(0))
    expect((await market.dealer.info('purchaseOrder', order)).state).toBe('completed')
    expect((await market.vendor.info('salesOrder', sales.sn)).state).toBe('completed')
  })

  it('two settlements of the same use: one of them', async () => {
    const codes = newCodes(2)
    await bring(market, { specification: market.coded, lot: 'SET', quantity: 2, codes }, 'consigned')
    const use = await market.hospital.add('departmentUse', {
      warehouse_model_inner_sn: market.shelf.H01,
      department_inner_sn: market.department,
      patient_name: '应牧野',
      doctor_inner_sn: market.surgeon,
      lines: [{ unit_codes: codes }],
    })
    await market.hospital.pass('departmentUse', use)
    const period = { counterparty_sn: market.org.D01, begin_date: '2020-01-01', end_date: '2099-12-31' }
    const drafts = await Promise.all(
      [1, 2, 3].map(() => market.hospital.client.post(path('settlement', 'generate'), period)),
    )
    const replies = await Promise.all(
      drafts.filter(draft => draft.code === 0).map(draft => market.hospital.do('settlement', 'submit', draft.info.sn)),
    )
    noDefect(replies)
    expect(codesOf(replies).filter(code => code === 0)).toHaveLength(1)
  })
})
