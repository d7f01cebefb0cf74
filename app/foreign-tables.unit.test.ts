import { describe, expect, test } from 'vitest'
import {
  findColumns,
  headingsKey,
  headingsOf,
  likelyHeadings,
  NO_HEADINGS,
  placesOf,
  suggestedPicks,
  wantedOf,
  wrongMapping,
} from '#kernel/tables/foreign-table.ts'
import { foreignTables } from '#app/modules.ts'
import { columnMapping } from '#modules/base/file-columns/column-mapping.entity.ts'

/** Of every file whose headings others chose: found by its own words, mapped where these are unknown. */
describe.each(foreignTables.map(table => [table.title, table] as const))('%s', (_title, table) => {
  const wanted = wantedOf(table)
  const strange = wanted.map((_each, at) => `栏位${'甲乙丙丁戊己庚辛壬癸'[at]}`)
  const cells = wanted.map(({ example }) => example)
  const rows = [['某某公司'], [], strange, cells]
  const picks = Object.fromEntries(wanted.map(({ name }, at) => [name, [strange[at]!]]))
  const units = Object.fromEntries(
    wanted.flatMap(({ name, unit }) => (unit ? [[name, Object.keys(unit.choices)[0]!]] : [])),
  )
  const mapping = { headings: strange, picks, units }

  test('with its own words as headings is read without asking', () => {
    const labels = wanted.map(({ label }) => label)
    const found = findColumns(table, [labels, cells])
    for (const [at, { name, required }] of wanted.entries()) if (required) expect(found?.at[name], name).toContain(at)
  })

  test('with unknown headings is found as somebody mapped it, in whatever order and case', () => {
    expect(findColumns(table, rows)).toBeNull()
    expect(likelyHeadings(table, rows)).toBe(2)
    expect(wrongMapping(wanted, mapping)).toBeNull()
    const found = findColumns(table, rows, [mapping])
    expect(found).toMatchObject({ row: 2, mapping: 0, units })
    for (const [at, { name }] of wanted.entries()) expect(found!.at[name]).toEqual([at])
    const turned = [strange.map(each => ` ${each} `).toReversed(), cells.toReversed()]
    const again = findColumns(table, turned, [mapping])
    for (const [at, { name }] of wanted.entries()) expect(again!.at[name]).toEqual([wanted.length - 1 - at])
    // Another set of headings is another file.
    expect(findColumns(table, [[...strange, '另一列'], cells], [mapping])).toBeNull()
  })

  test('without headings is found by the places of its columns, and only where these hold such data', () => {
    const data = [cells, cells]
    const places = placesOf(data)
    expect(places).toHaveLength(cells.length)
    const named = {
      headings: places,
      picks: Object.fromEntries(wanted.map(({ name }, at) => [name, [places[at]!]])),
      units,
    }
    expect(findColumns(table, data)).toBeNull()
    expect(wrongMapping(wanted, named)).toBeNull()
    const found = findColumns(table, data, [mapping, named])
    expect(found).toMatchObject({ row: NO_HEADINGS, mapping: 1, units })
    for (const [at, { name }] of wanted.entries()) expect(found!.at[name]).toEqual([at])
    // Neither a file of other headings nor one of other columns is read so.
    expect(findColumns(table, rows, [named])).toBeNull()
    expect(findColumns(table, [[...cells, '另一格'], cells], [named])).toBeNull()
    expect(findColumns(table, [places.map(() => ''), strange, cells], [named])).toBeNull()
  })

  test('asks for what is required, for units, and for nothing that the file does not have', () => {
    for (const { name, label, required, unit } of wanted) {
      const without = Object.fromEntries(Object.entries(picks).filter(([each]) => each !== name))
      expect(wrongMapping(wanted, { ...mapping, picks: without })).toBe(required ? `请选择${label}所在的列` : null)
      const gone = { ...picks, [name]: ['没有的列'] }
      expect(wrongMapping(wanted, { ...mapping, picks: gone })).toBe(`文件中没有【没有的列】列，请重新选择${label}`)
      if (!unit) continue
      const unsaid = Object.fromEntries(Object.entries(picks).filter(([each]) => each !== unit.unless))
      expect(wrongMapping(wanted, { ...mapping, picks: unsaid, units: {} })).toBe(`请选择${unit.label}`)
      expect(wrongMapping(wanted, { ...mapping, units: { [name]: '别的' } })).toBe(`请选择${unit.label}`)
    }
    expect(wrongMapping(wanted, { ...mapping, picks: { ...picks, other: [] } })).toBe('没有“other”这一列')
  })

  test('suggests what its titles say already', () => {
    for (const { name, label, required } of wanted)
      if (required) expect(suggestedPicks(table, ['序号', label])[name]).toEqual([label])
  })

  test('has a list of what is remembered of it', () => {
    expect(columnMapping.screens.some(({ where }) => where?.file_kind === table.kind)).toBe(true)
  })

  test('is no other of these files', () => {
    const labels = wanted.map(({ label }) => label)
    const others = foreignTables.filter(each => each !== table && findColumns(each, [labels, cells]) !== null)
    expect(others.map(({ title }) => title)).toEqual([])
  })
})

test('the likely row of headings is the one above data, and none where data begin at once', () => {
  const [table] = foreignTables
  const data = ['1', '2026-11-26 08:00', '4.5', '正常']
  const names = ['序号', '记录点', '读数', '备注']
  expect(likelyHeadings(table!, [['某某公司', '', '', ''], names, data])).toBe(1)
  expect(likelyHeadings(table!, [data, data])).toBe(NO_HEADINGS)
  expect(likelyHeadings(table!, [['某某公司', '', '', ''], data, data])).toBe(NO_HEADINGS)
  expect(likelyHeadings(table!, [names])).toBe(0)
})

test('headings are named once each, also where a column has none or the same as another', () => {
  const [table] = foreignTables
  expect(headingsOf(table!, ['温度', '', '温度', ' 时 间\n(北京) '])).toEqual([
    '温度',
    '第2列',
    '温度 (2)',
    '时 间 (北京)',
  ])
  expect(headingsKey(['Temp', '时间'])).toBe(headingsKey(['时 间', 'ＴＥＭＰ']))
})
