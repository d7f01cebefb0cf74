import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { AskedColumns } from '#kernel/tables/foreign-table.ts'
import { post } from '#web/engine/http/request.ts'
import { CallFailure } from '#web/engine/http/request-error.ts'
import { CallAsks } from '#web/shell/RequestPrompts.tsx'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { fakeServer } from '#tests/support/page/server.ts'

const PATH = '/v1/business/thing/read'
const rows = [['某某公司'], ['序号', '记录点', '数值'], ['1', '2026-11-26 08:00', '41'], ['2', '昨天', '热']]
const columns: AskedColumns = {
  kind: 'thingFile',
  title: '记录文件',
  file: 'a.csv',
  wanted: [
    { name: 'time', label: '时间', example: '08:00', required: true, most: 2 },
    {
      name: 'value',
      label: '温度',
      example: '4.5',
      required: true,
      most: 1,
      unit: { label: '温度单位', choices: { c: '摄氏度', f: '华氏度' } },
    },
  ],
  rows,
  headings: rows,
  places: ['第1列', '第2列', '第3列'],
  row: 1,
  picks: { time: [], value: [] },
  preview: null,
}
const preview = {
  headings: ['时间', '温度'],
  rows: [['2026-11-26 08:00', '5℃']],
  said: '读到1条，1行未能读取',
  refused: null,
}

function open() {
  const server = fakeServer(
    '/commonView/thing',
    { org: 'D', operations: [], rights: [] },
    {
      [PATH]: ({ columns: sent }) => {
        const [choice] = sent === undefined ? [] : (JSON.parse(sent) as Record<string, unknown>[])
        if (choice === undefined)
          return { code: 2201, msg: '文件【a.csv】没有认出时间、温度所在的列，请指定', info: { columns } }
        if (choice.preview === true)
          return { code: 2201, msg: '', info: { columns: { ...columns, wanted: [], preview } } }
        return { info: { sn: 'A1' } }
      },
    },
  )
  render(
    <Surroundings>
      <CallAsks />
    </Surroundings>,
  )
  return { server, reply: post(PATH, { sn: 'A1', file: ['x'] }) }
}

it('asks for columns and unit, shows how the file is read, and the call goes on with its file', async () => {
  const { server, reply } = open()
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
  const dialog = await screen.findByRole('dialog', { name: '指定记录文件的列' })
  expect(within(dialog).getByText('文件【a.csv】没有认出时间、温度所在的列，请指定')).toBeTruthy()
  expect(within(dialog).getByRole('status').textContent).toBe('请选择时间所在的列')
  const confirm = within(dialog).getByRole('button', { name: '按此读取并记住' })
  expect(confirm).toHaveProperty('disabled', true)

  const choose = async (label: string, option: string) => {
    await user.click(within(dialog).getByRole('combobox', { name: label }))
    // A list of which several may be picked stays in the page after it was used.
    const options = await screen.findAllByText(option, { selector: '.ant-select-item-option-content' })
    await user.click(options.at(-1)!)
  }
  await choose('时间', '记录点')
  await choose('温度', '数值')
  await waitFor(() => expect(within(dialog).getByRole('status').textContent).toBe('请选择温度单位'))
  await choose('温度单位', '华氏度')
  expect(await within(dialog).findByText('读到1条，1行未能读取')).toBeTruthy()
  const shown = within(dialog).getByRole('region', { name: '将这样读取' })
  expect(within(shown).getByText('5℃')).toBeTruthy()
  expect(confirm).toHaveProperty('disabled', false)
  await user.click(confirm)

  expect((await reply).info).toEqual({ sn: 'A1' })
  const last = server.to(PATH).at(-1)!.values
  expect(last).toMatchObject({ sn: 'A1', file: '["x"]' })
  expect(JSON.parse(last.columns!)).toEqual([
    { kind: 'thingFile', headings: rows[1], picks: { time: ['记录点'], value: ['数值'] }, units: { value: 'f' } },
  ])
})

it('a file without headings is mapped by the places of its columns', async () => {
  const { server, reply } = open()
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
  const dialog = await screen.findByRole('dialog', { name: '指定记录文件的列' })
  const choose = async (label: string, option: string) => {
    await user.click(within(dialog).getByRole('combobox', { name: label }))
    const options = await screen.findAllByText(option, { selector: '.ant-select-item-option-content' })
    await user.click(options.at(-1)!)
  }
  await choose('列名所在的行', '没有列名，按第几列指定')
  await choose('时间', '第2列')
  await choose('温度', '第3列')
  await choose('温度单位', '摄氏度')
  // The first row is data now.
  const cells = within(dialog).getByRole('region', { name: '文件的前几行' })
  expect(within(cells).getByText('某某公司')).toBeTruthy()
  const confirm = within(dialog).getByRole('button', { name: '按此读取并记住' })
  await waitFor(() => expect(confirm).toHaveProperty('disabled', false))
  await user.click(confirm)
  await reply
  expect(JSON.parse(server.to(PATH).at(-1)!.values.columns!)).toMatchObject([
    { headings: columns.places, picks: { time: ['第2列'], value: ['第3列'] } },
  ])
})

it('that is left sends nothing more', async () => {
  const { server, reply } = open()
  const failed = reply.catch((thrown: unknown) => thrown)
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: /返\s?回/ }))
  const thrown = await failed
  expect(thrown).toBeInstanceOf(CallFailure)
  expect((thrown as CallFailure).kind).toBe('cancelled')
  expect(server.to(PATH)).toHaveLength(1)
})
