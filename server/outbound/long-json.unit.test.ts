import { expect, test } from 'vitest'
import { parseExact } from '#server/outbound/exact-json.ts'
import { parseLongExact } from '#server/outbound/long-json.ts'

const MB = 1024 * 1024
const rows = (length: number, row: object) => Array.from({ length }, (_, at) => ({ no: at, ...row }))

/** How often others had their turn while a text was read, and what was read of it. */
async function readBeside(text: string): Promise<{ turns: number; read: unknown }> {
  let turns = 0
  let isReading = true
  const others = (async () => {
    while (isReading) {
      await new Promise(resolve => setImmediate(resolve))
      turns++
    }
  })()
  const read = await parseLongExact(text).catch(() => 'refused')
  isReading = false
  await others
  return { turns, read }
}

test('a long reply is read as a short one is', async () => {
  const long = {
    page: 1,
    data: rows(9000, { price: '1.50', name: '球囊,"]}\\' }),
    more: { list: rows(9000, { a: [] }) },
  }
  const text = JSON.stringify(long, null, 1).replaceAll('"1.50"', '1.50')
  expect(text.length).toBeGreaterThan(800_000)
  expect(await parseLongExact(text)).toEqual(parseExact(text))
})

test('what is no JSON is refused, however long it is', async () => {
  const list = JSON.stringify(rows(20_000, { name: 'x' }))
  const wrong = [
    `${list}]`,
    list.slice(0, -1),
    `${list.slice(0, -1)},]`,
    `{${list}}`,
    `{1:${list}}`,
    `{"a":${list},}`,
    `{"a" ${list}}`,
    list.replace('{"no":7,', '{"no":7]'),
    `"${'x'.repeat(MB)}"`,
  ]
  for (const text of wrong) await expect(parseLongExact(text), text.slice(0, 40)).rejects.toThrow()
})

test.each([
  ['a list of ten thousands of rows', () => JSON.stringify({ data: rows(120_000, { code: 'C001', price: '1.5' }) })],
  ['nothing but brackets', () => '['.repeat(8 * MB)],
  ['millions of empty lists', () => `[${'[],'.repeat(8 * MB)}[]]`],
  ['a text that never ends', () => `["${'x'.repeat(16 * MB)}`],
  ['nothing but blanks', () => ' '.repeat(16 * MB)],
])('%s from another system does not hold up other calls', async (_what, text) => {
  const { turns } = await readBeside(text())
  expect(turns).toBeGreaterThan(3)
})
