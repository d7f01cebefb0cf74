import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { boundedFetch } from '#server/network/bounded-fetch.ts'
import { exchanging, masked } from '#server/network/exchange.ts'

/** The record of calls to other systems: enough to see what went wrong, and nothing of a patient or a secret. */

test('fields are starred unless it is known that they tell of nobody', () => {
  const message = {
    patient_no: 'P1',
    xm: '张三',
    visit: { no: 'ZY1', code: '7' },
    lines: [{ item_code: 'CH-1', quantity: '2', lot_no: 'L1', remark: '左侧' }],
    state: 'refused',
    message: '患者P1未登记',
    token: 'secret',
    verify_code: '123456',
  }
  expect(JSON.parse(masked(JSON.stringify(message), { hidden: ['P1'] }))).toEqual({
    patient_no: '***',
    xm: '***',
    visit: '***',
    lines: [{ item_code: 'CH-1', quantity: '2', lot_no: 'L1', remark: '***' }],
    state: 'refused',
    message: '患者***未登记',
    token: '***',
    verify_code: '***',
  })
})

test('names that a hospital has for fields of goods are readable, and its patients stay hidden', () => {
  const plain = new Set(['sl', 'patient_sl'])
  expect(masked('{"sl":"3","xm":"李四","patient_sl":"4"}', { plain })).toBe('{"sl":"3","xm":"***","patient_sl":"***"}')
})

test('what is no JSON loses what is named, and what is very long is not kept', () => {
  expect(masked('<h1>P1 not found</h1>', { hidden: ['P1'] })).toBe('<h1>*** not found</h1>')
  expect(masked('x'.repeat(200_000))).toBe('（报文过长，未保留，共200000字）')
})

test('a patient is hidden as a number, as the name of a field, in a message within a message and in a form', () => {
  const hidden = ['70012345']
  const shown = (message: unknown) => masked(JSON.stringify(message), { hidden })
  expect(shown({ code: 70012345, total: 3 })).toBe('{"code":"***","total":3}')
  expect(shown({ status: { 70012345: { state: 'open' } } })).toBe('{"status":{"***":{"state":"open"}}}')
  expect(shown({ message: '{"patient_name":"张三","code":"E1"}' })).toBe(
    JSON.stringify({ message: '{"patient_name":"***","code":"E1"}' }),
  )
  expect(shown({ message: '联系人13812345678，证件320102199001011234' })).toBe('{"message":"联系人***，证件***"}')
  expect(masked('patient_no=P1&xm=%E5%BC%A0%E4%B8%89&quantity=2')).toBe(
    '{"patient_no":"***","xm":"***","quantity":"2"}',
  )
  // A quantity and a number of goods stay as they are; a bare word of a message may be a name.
  expect(shown({ quantity: '12345678901', udi: '06901234567892' })).toBe(
    '{"quantity":"12345678901","udi":"06901234567892"}',
  )
  expect(shown('张三')).toBe('"***"')
})

test('a call tells its last exchange with the status, also where it fails', async () => {
  const server = createServer((_request, reply) => {
    reply.writeHead(422, { 'content-type': 'application/json' })
    reply.end('{"code":"E1","patient_name":"张三"}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (mask?: object) =>
    exchanging(async () => {
      const reply = await boundedFetch(`http://127.0.0.1:${port}/charges?patient_no=P1&code=7`, {
        method: 'POST',
        body: '{"patient_no":"P1","quantity":"2"}',
        ...(mask ? { mask } : {}),
      })
      throw new Error(`${reply.status} ${await reply.text()}`)
    })
  const { outcome, exchange } = await ask({})
  expect('thrown' in outcome && outcome.thrown.message).toContain('422')
  expect(exchange).toEqual({
    request: 'POST /charges?patient_no=***&code=7 {"patient_no":"***","quantity":"2"}',
    response: '{"code":"E1","patient_name":"***"}',
    status: 422,
  })
  // A caller that said itself what it sends is not overheard.
  expect((await ask()).exchange).toMatchObject({ request: null, status: 422 })
  server.close()
  const unreachable = await ask({})
  expect(unreachable.exchange).toMatchObject({ response: null, status: null })
})
