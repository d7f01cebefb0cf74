import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import {
  bring,
  grant,
  make,
  type Market,
  newCodes,
  openMarket,
  ship,
  useOf,
} from '#tests/invariants/cases/fuzz-world.ts'
import { day } from '#tests/support/story.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const clean = async () => expect(await checkLedgers(market.stage.server.database.owner)).toEqual([])

story('books that agree, and damage to them that is found and named', step => {
  // an organisation whose books agree
  step('is clean while it is empty', clean)

  step('is clean after a trade of both kinds, purchased and consigned, coded and by lot', async () => {
    const codes = newCodes(4)
    await bring(market, { specification: market.coded, lot: 'CHK-C', quantity: 4, codes }, 'consigned')
    await bring(market, { specification: market.plain, lot: 'CHK-P', quantity: 10 }, 'purchased')
    await clean()
    await grant(market, [
      { specification_sn: market.coded, unit_codes: codes.slice(0, 2) },
      { specification_sn: market.plain, lot_no: 'CHK-P', quantity: '6' },
    ])
    const use = await market.hospital.add(
      'departmentUse',
      useOf(market, [
        { unit_codes: codes.slice(0, 1) },
        { specification_sn: market.plain, lot_no: 'CHK-P', quantity: '2' },
      ]),
    )
    await market.hospital.pass('departmentUse', use)
    await clean()
  })

  step('is clean after an invoice over goods without a price', async () => {
    const { dealer } = market
    const goods = { specification: market.plain, lot: 'CHK-0', quantity: 2 }
    await make(market, goods)
    await ship(market, 'V01', 'D01', [{ specification_sn: market.plain, lot_no: 'CHK-0', quantity: '2', price: '0' }])
    const [grn] = await dealer.list('purchaseGrn', { lot_no: 'CHK-0' })
    await dealer.pass('purchaseGrn', grn.sn)
    const body = { source_type: 9, source_sn: grn.sn, invoice_no: '26312000000000000999', invoice_date: day() }
    const invoice = await dealer.add('inboundInvoice', body)
    await dealer.pass('inboundInvoice', invoice)
    expect(await dealer.info('inboundInvoice', invoice)).toMatchObject({ state: 'reviewed', taxed_amount: '0.00' })
    await clean()
  })

  step('is clean while goods are in transit and issues wait', async () => {
    const goods = { specification: market.plain, lot: 'CHK-W', quantity: 5 }
    await make(market, goods)
    await ship(market, 'V01', 'D01', [{ specification_sn: market.plain, lot_no: 'CHK-W', quantity: '3' }])
    const waiting = await market.hospital.add(
      'departmentUse',
      useOf(market, [{ specification_sn: market.plain, lot_no: 'CHK-P', quantity: '1' }]),
    )
    await market.hospital.done('departmentUse', 'submit', waiting)
    await clean()
  })

  /** One way to damage each thing, and the check that must detect it. */
  const damages: readonly [string, string][] = [
    ['stock', 'update stock_balance set quantity = quantity + 1 where ctid = (select ctid from stock_balance limit 1)'],
    ['stock', 'update stock_balance set value = value + 0.01 where ctid = (select ctid from stock_balance limit 1)'],
    ['stock', 'delete from stock_balance where ctid = (select ctid from stock_balance limit 1)'],
    ['stockSign', 'update stock_balance set value = -0.01 where ctid = (select ctid from stock_balance limit 1)'],
    [
      'accounts',
      'update account_balance set amount = amount - 0.01 where ctid = (select ctid from account_balance limit 1)',
    ],
    [
      'accounts',
      `insert into account_balance (org_id, counterparty_id, account, amount) select id, id, 'prepaid', 0
      from organisation limit 1`,
    ],
    ['consignedOut', 'update consigned_out set quantity = quantity + 1'],
    ['consignedBoth', 'update consigned_out set quantity = quantity + 1'],
    ['reservation', 'delete from reservation'],
    ['promised', 'update reservation set quantity = quantity + 1000'],
    ['chain', "update trace_event set from_org_id = 1 where step = 'ward_receive' and unit_id > 0"],
    ['chain', "delete from trace_event where step = 'grant' and unit_id > 0"],
    ['lastEvent', "update unit set status = 'used' where status = 'in_stock'"],
    ['lastEvent', "update unit set warehouse_id = warehouse_id + 1 where status = 'in_stock'"],
    ['covered', 'delete from stock_balance'],
    ['codes', 'update unit_code set unit_id = -5'],
    ['followUps', "update line_progress set taken = taken - 1 where line_no > 0 and purpose = 'receive'"],
    ['followUps', "delete from line_progress where purpose = 'ward_receive'"],
    ['wholePaper', 'update line_progress set taken = taken + 1 where line_no = 0'],
    ['totals', "update document set taxed_amount = taxed_amount + 0.01 where kind = 'saleOdo'"],
    [
      'totals',
      `update document_line set base_quantity = base_quantity + 1
        where ctid = (select ctid from document_line limit 1)`,
    ],
    ['numbering', "update numbering set last = last + 1 where kind = 'saleOdo'"],
    ['unposted', "update document set state = 'cancelled' where kind = 'otherGrn'"],
    ['kinds', "update stock_move set document_kind = 'saleOdo' where document_kind = 'otherGrn'"],
    ['half', "delete from stock_move m using document d where d.id = m.document_id and d.kind = 'otherGrn'"],
    [
      'deliveries',
      `update account_entry e set amount = amount + 1 from document d
        where d.id = e.document_id and d.kind = 'saleOdo'`,
    ],
    ['withdrawn', "update intercompany_message set withdrawn_at = now() where message = 'document'"],
    ['undelivered', "update intercompany_message set delivered_at = null, created_at = now() - interval '6 minutes'"],
  ]

  // damage is found and named
  for (const [name, damage] of damages)
    step(`${name}: ${damage}`, async () => {
      const { owner } = market.stage.server.database
      const held = await owner.reserve()
      try {
        // The check runs inside the transaction of the damage, which is then rolled back.
        await held.unsafe('begin')
        await held.unsafe(damage)
        const findings = await checkLedgers({
          begin: async (_: string, work: (tx: unknown) => unknown) => work(held),
        } as never)
        const named = findings.filter(finding => finding.check === name)
        expect(named.length, JSON.stringify(findings.slice(0, 5))).toBeGreaterThan(0)
        expect(named[0]!.msg).toMatch(/应为.*实际/)
      } finally {
        await held.unsafe('rollback')
        held.release()
      }
    })

  step('leaves no trace of the damage', clean)
})
