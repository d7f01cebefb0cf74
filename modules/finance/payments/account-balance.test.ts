import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

describe('payables and receivables', () => {
  it('are one row per counterparty, the invoiced part beside the total', async () => {
    const [dealer, hospital] = ['D01', 'H01'].map(code => server.masters.organisations.get(code) ?? '')
    const book = (account: string, amount: string) =>
      server.database
        .owner`insert into account_balance values (${dealer ?? ''}, ${hospital ?? ''}, ${account}, ${amount})`
    await book('receivable_unbilled', '70.10')
    await book('receivable_invoiced', '30.20')
    await book('prereceived', '5.00')
    const client = await server.as('dealer')
    expect(
      (await client.get('/v1/business/accountBalance/list', { counterparty_sn: hospital ?? '' })).list,
    ).toMatchObject([
      {
        counterparty_sn: hospital,
        counterparty_name: '澄岚演示医学院附属医院',
        receivable: '100.30',
        receivable_invoiced: '30.20',
        payable: '0.00',
        payable_invoiced: '0.00',
        prepaid: '0.00',
        prereceived: '5.00',
      },
    ])
    expect((await (await server.as('hospital')).get('/v1/business/accountBalance/list')).total).toBe(0)
  })
})
