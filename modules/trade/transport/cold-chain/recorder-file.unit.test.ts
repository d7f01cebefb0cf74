import { describe, expect, it } from 'vitest'
import { findColumns, type Rows } from '#kernel/tables/foreign-table.ts'
import { readRecorder as readColumns, readTag } from '#modules/trade/transport/cold-chain/recorder-file.ts'
import { recorderTable } from '#modules/trade/transport/cold-chain/recorder-table.ts'
import {
  commonBounds,
  curveOf,
  gapsIn,
  judged,
  MOST_POINTS,
} from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import { temperatureBounds } from '#modules/base/vocabulary/storage-conditions.ts'
import { utils, write } from '@e965/xlsx'
import { readFile } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'
import { readCells, tester, workbook } from '#tests/support/sheets.ts'
import type recorderReading from '#modules/trade/transport/cold-chain/recorder-reading.server.ts'

const tablesFile = fileReader<typeof recorderReading>(new URL('./recorder-reading.server.ts', import.meta.url))

/** Null: its columns are not known. */
const readRecorder = (given: Rows) => {
  const columns = findColumns(recorderTable, given)
  return columns ? readColumns(given, columns) : readTag(given)
}
const rows = (text: string) => text.split('\n').map(line => line.split(','))
const readings = (text: string) => {
  const read = readRecorder(rows(text))
  if (read === null || 'refused' in read) throw new Error(JSON.stringify(read))
  return read
}

describe('files of temperature recorders', () => {
  it('have their headings below what the recorder says of itself, and name it', () => {
    const read = readings(
      '温湿度记录报告\n设备编号：TL-8812,,\n记录间隔,5分钟\n报警上限,8,\n\n序号,记录时间,温度(℃),湿度(%RH)\n' +
        '1,2026-11-26 08:00:00,4.2,55.1\n2,2026/11/26 8:05,4.35,--\n3,2026年11月26日 8时10分,—,54\n\n',
    )
    expect(read).toEqual({
      logger_no: 'TL-8812',
      hasRecorders: false,
      skipped: 1,
      readings: [
        { at: '2026-11-26T00:00:00.000Z', celsius: 4.2, humidity: 55.1, probe: null },
        { at: '2026-11-26T00:05:00.000Z', celsius: 4.35, humidity: null, probe: null },
      ],
    })
  })

  it('write the day before the month or after it; the whole file says which', () => {
    const first = (text: string) => readings(`Date/Time,Temperature [°C]\n${text}`).readings[0]!.at
    expect(first('25/11/2026 23:50,4\n26/11/2026 00:10,4')).toBe('2026-11-25T15:50:00.000Z')
    expect(first('11/25/2026 11:50 PM,4\n11/26/2026 12:10 AM,4')).toBe('2026-11-25T15:50:00.000Z')
    expect(first('03.12.2026 08:00,4\n04.12.2026 08:00,4')).toBe('2026-12-03T00:00:00.000Z')
    expect(readRecorder(rows('Time,Temp\n03/04/2026 08:00,4\n03/04/2026 09:00,4'))).toEqual({
      refused: '无法判断日期中的年月日顺序，请在记录仪软件中改为“年-月-日”格式后重新导出',
    })
    expect(first('2026-11-26T08:00:00Z,4')).toBe('2026-11-26T08:00:00.000Z')
    expect(first('2026-11-26 下午 3:05:07,4')).toBe('2026-11-26T07:05:07.000Z')
  })

  it('keep day and time in two columns, count days as Excel does, measure in Fahrenheit, use a decimal comma', () => {
    expect(readings('日期,时间,温度\n2026-11-26,08:00:00,4.2').readings).toEqual([
      { at: '2026-11-26T00:00:00.000Z', celsius: 4.2, humidity: null, probe: null },
    ])
    expect(readings('Time,Temp\n46352.3333333333,4').readings[0]!.at).toBe('2026-11-26T00:00:00.000Z')
    expect(readings('Time,Temperature (°F)\n2026-11-26 08:00,41').readings[0]!.celsius).toBe(5)
    // A column may say the unit of each row, and is no temperature itself.
    expect(readings('Time,Temp,Temp Unit\n2026-11-26 08:00,41,F\n2026-11-26 08:05,4,°C').readings).toMatchObject([
      { celsius: 5 },
      { celsius: 4 },
    ])
    const comma = readRecorder([
      ['Zeit/Time', 'Temp'],
      ['2026-11-26 08:00', '4,5'],
    ])
    expect(comma).toMatchObject({ readings: [{ celsius: 4.5 }] })
  })

  it('name limits and averages beside what was measured', () => {
    const read = readings('Time,High Alarm Temp,Temp(℃),Avg Temp\n2026-11-26 08:00,8,4.5,4.1')
    expect(read.readings[0]!.celsius).toBe(4.5)
  })

  it('have several probes, and several readings of one minute: none is lost', () => {
    const read = readings('时间,探头1温度(℃),探头2温度(℃)\n2026-11-26 08:00,4.2,9.1\n2026-11-26 08:00,4.4,3.9')
    expect(read.readings.map(({ celsius }) => celsius)).toEqual([3.9, 4.2, 4.4, 9.1])
    expect(judged(read.readings, { min: 2, max: 8 }).outside).toHaveLength(1)
    expect(readings('时间,温度\n2026-11-26 08:00,4.2\n2026-11-26 08:00,4.2').readings).toHaveLength(1)
  })

  it('name the probe in each row, or the recorder; what measures humidity is no temperature', () => {
    const text = '时间,探头,数值温度,单位\n2026-11-26 08:00,冷区,4.2,℃\n2026-11-26 08:00,门边,46.4,°F\n'
    expect(readings(`${text}2026-11-26 08:00,湿度,55.1,%RH\n2026-11-26 08:05,冷区,55,kPa`)).toMatchObject({
      readings: [
        { celsius: 4.2, probe: '冷区' },
        { celsius: 8, probe: '门边' },
      ],
      skipped: 1,
    })
    expect(readings('Time,Channel,Temp\n2026-11-26 08:00,1,4\n2026-11-26 08:00,2,55%RH')).toMatchObject({
      readings: [{ celsius: 4, probe: null }],
      skipped: 1,
    })
    const wide = readings('时间,前部温度,后部温度\n2026-11-26 08:00,4.2,9.1')
    expect(wide.readings.map(({ probe, celsius }) => [probe, celsius])).toEqual([
      ['前部温度', 4.2],
      ['后部温度', 9.1],
    ])
    const recorders = '设备编号,时间,温度\nTL1,2026-11-26 08:00,4.2\nTL2,2026-11-26 08:00,9'
    expect(readings(recorders)).toMatchObject({ hasRecorders: true, readings: [{ probe: 'TL1' }, { probe: 'TL2' }] })
    const one = readings('设备编号,时间,温度\nTL1,2026-11-26 08:00,4.2')
    expect(one).toMatchObject({ logger_no: 'TL1', hasRecorders: false, readings: [{ probe: null }] })
  })

  it('write signs, units, hours and years in their own ways', () => {
    const celsius = (text: string) => readings(`Time,Temp\n2026-11-26 08:00,${text}`).readings[0]!.celsius
    expect(celsius('\u221218.5')).toBe(-18.5)
    expect(celsius('>12.0')).toBe(12.01)
    expect(celsius('<-40')).toBe(-40.01)
    expect(celsius('41 °F')).toBe(5)
    for (const marked of ['9.1*', '9.1 H', '9.1℃(HH)', '9.1 ↑', '９．１！', '9.1 lo']) expect(celsius(marked)).toBe(9.1)
    expect(readings('Temperature Unit: F\nTime,Temp\n2026-11-26 08:00,41').readings[0]!.celsius).toBe(5)
    const at = (text: string, heading = 'Time') => readings(`${heading},Temp\n${text},4`).readings[0]!.at
    expect(at('11/26/2026 3:05 p.m.')).toBe('2026-11-26T07:05:00.000Z')
    expect(at('26/11/26 08:00')).toBe('2026-11-26T00:00:00.000Z')
    expect(at('11/26/26 12:10 a.m.')).toBe('2026-11-25T16:10:00.000Z')
    expect(at('2026-11-26 08:00', 'Time (UTC)')).toBe('2026-11-26T08:00:00.000Z')
    expect(at('2026-11-26 08:00', 'Date Time GMT-05:00')).toBe('2026-11-26T13:00:00.000Z')
    expect(at('46352.3333333333', 'Time (UTC+8)')).toBe('2026-11-26T00:00:00.000Z')
  })

  it.each(
    [
      'Temp (F)',
      'Temp_F',
      'Temp F',
      'TempF',
      'Temperature [F]',
      'Temp (deg F)',
      'Temp (ºF)',
      '温度(F)',
      'Temp Fahr.',
    ].map(heading => [heading]),
  )('measure in Fahrenheit under %s', heading => {
    expect(readings(`Time,${heading}\n2026-11-26 08:00,41`).readings[0]!.celsius).toBe(5)
  })
  it.each([['单位：℉'], ['Units: Fahrenheit'], ['Temperature Unit: F']])('measure in Fahrenheit below %s', line => {
    expect(readings(`${line}\nTime,Temp\n2026-11-26 08:00,41`).readings[0]!.celsius).toBe(5)
  })
  it('measure in Celsius where a letter names a probe, and Kelvin is not read', () => {
    expect(readings('Time,Temp F ℃\n2026-11-26 08:00,5').readings[0]!.celsius).toBe(5)
    expect(readings('Time,Temp (Type K) °C\n2026-11-26 08:00,5').readings[0]!.celsius).toBe(5)
    expect(readRecorder(rows('Time,Temp (K)\n2026-11-26 08:00,193'))).toHaveProperty('refused')
  })

  it('count what is no one figure, and a time that cannot be read is no midnight', () => {
    const wrong = ['4.5.6', '1.234,5', '4.5K', '(4.5)', 'Err', '--', '~4', '4 5']
    const body = wrong.map((text, at) => [`2026-11-26 08:0${at}`, text])
    const read = readRecorder([['Time', 'Temp'], ...body, ['2026-11-26 8.05', '4'], ['2026-11-26 09:00', '４．５']])
    expect(read).toMatchObject({ readings: [{ celsius: 4.5 }], skipped: wrong.length + 1 })
  })

  it('name their zone in the heading or behind the time; one that nobody knows is not read', () => {
    const at = (text: string, heading = 'Time') => readings(`${heading},Temp\n${text},4`).readings[0]!.at
    expect(at('2026-11-26 08:00 UTC')).toBe('2026-11-26T08:00:00.000Z')
    expect(at('2026-11-26 08:00 GMT+9')).toBe('2026-11-25T23:00:00.000Z')
    expect(at('2026-11-26 08:00 CST')).toBe('2026-11-26T00:00:00.000Z')
    expect(at('2026-11-26 08:00', 'Time (EST)')).toBe('2026-11-26T13:00:00.000Z')
    expect(at('2026-11-26 08:00', 'Time UTC\u22125')).toBe('2026-11-26T13:00:00.000Z')
    expect(at('2026-11-26 3:05 PM')).toBe('2026-11-26T07:05:00.000Z')
    expect(readRecorder(rows('Time,Temp\n2026-11-26 08:00 XYZ,4'))).toHaveProperty('refused')
  })

  it.each([
    '12-Mar-2026 08:00',
    '12-MAR-26 08:00:00',
    '12 mars 2026 08:00',
    '12. März 2026, 08:00',
    '12. Mrz. 2026 08:00',
    '12MAR2026 08:00',
    '2026-Mar-12 08:00',
    'Mar 12 2026 08:00',
    'March 12, 2026 8:00 AM',
    'Mar 12th, 2026 8:00 a.m.',
    'Thu Mar 12 08:00:00 2026',
    'Thu, 12 Mar 2026 00:00:00 GMT',
    'mar. 12 mars 2026 08:00',
    '12/marzo/2026 08:00',
  ])('write the month by its name: %s', text => {
    const read = readRecorder([
      ['Date Time', 'Temp'],
      [text, '4'],
    ])
    expect(read).toMatchObject({ readings: [{ at: '2026-03-12T00:00:00.000Z', celsius: 4 }], skipped: 0 })
  })
  it('name all months in all languages that are known, and no other word is a month', () => {
    for (const language of ['en-US', 'en-GB', 'de', 'fr', 'es', 'it', 'pt', 'nl'])
      for (const month of ['long', 'short'] as const)
        for (let at = 0; at < 12; at++) {
          const name = new Date(Date.UTC(2026, at, 15)).toLocaleDateString(language, { month, timeZone: 'UTC' })
          const day = `2026-${String(at + 1).padStart(2, '0')}-15T00:00:00.000Z`
          for (const text of [`15 ${name} 2026 08:00`, `15-${name}-26 08:00`, `${name} 15 2026 08:00`])
            expect([
              text,
              readRecorder([
                ['Time', 'Temp'],
                [text, '4'],
              ]),
            ]).toMatchObject([text, { readings: [{ at: day }] }])
        }
    expect(readRecorder(rows('Time,Temp\n12-Xyz-2026 08:00,4'))).toEqual({
      refused: '无法识别月份“Xyz”，请在记录仪软件中改为“年-月-日”的数字日期后重新导出',
    })
    expect(readRecorder(rows('Time,Temp\n31-Feb-2026 08:00,4'))).toEqual({ refused: '文件中没有可读取的温度数据' })
    // The year may stand first: the shorter journey says so.
    expect(readings('Time,Temp\n26-Mar-12 08:00,4\n26-Mar-13 08:00,4').readings[0]!.at).toBe('2026-03-12T00:00:00.000Z')
  })

  it.each([
    ['3:05 p. m.', '07:05'],
    ['3:05:00 p.\u00a0m.', '07:05'],
    ['午後3:05', '07:05'],
    ['오후 3:05', '07:05'],
    ['晚上8:00', '12:00'],
    ['中午12:30', '04:30'],
    ['中午1:00', '05:00'],
    ['早上8:00', '00:00'],
    ['(Thu) 08:00', '00:00'],
    ['星期四 8时05分30秒', '00:05'],
    ['08:00 (GMT+0)', '08:00'],
    ['08:00:00 Uhr', '00:00'],
  ])('say the part of the day in the words of their language: %s', (text, utc) => {
    expect(readings(`Time,Temp\n2026-11-26 ${text},4`).readings[0]!.at).toMatch(`2026-11-26T${utc}`)
  })
  it.each(['3:05 μμ', '3:05 du.', '3:05 SA'])('are not read where a word may be the afternoon: %s', text => {
    expect(readRecorder(rows(`Time,Temp\n2026-11-26 ${text},4`))).toEqual({ refused: '文件中没有可读取的温度数据' })
  })

  it('name their zone above the headings; one that nobody knows is refused', () => {
    const at = (line: string, heading = 'Time') =>
      readRecorder(rows(`${line}\n${heading},Temp\n2026-11-26 08:00,4`)) as { readings?: { at: string }[] }
    expect(at('Time Zone: UTC-05:00').readings![0]!.at).toBe('2026-11-26T13:00:00.000Z')
    expect(at('Timezone,+0530').readings![0]!.at).toBe('2026-11-26T02:30:00.000Z')
    for (const line of ['时区：+8', '时区：北京时间', 'Time Zone: China Standard Time', 'Time Zone:', 'Zone A'])
      expect(at(line).readings![0]!.at).toBe('2026-11-26T00:00:00.000Z')
    expect(at('Time Zone: UTC-05:00', 'Time (UTC+8)').readings![0]!.at).toBe('2026-11-26T00:00:00.000Z')
    const refused = (zone: string) => ({
      refused: `无法识别时区“${zone}”，请在记录仪软件中改为 UTC+08:00 后重新导出`,
    })
    expect(at('Time Zone: Eastern Standard Time')).toEqual(refused('Eastern Standard Time'))
    expect(at('', 'Time (IST)')).toEqual(refused('IST'))
  })

  it.each([
    ['Elapsed Time,Date/Time,Temp', '00:05:00,2026-11-26 08:00,4'],
    ['上传时间,采集时间,温度', '2026-11-26 09:00,2026-11-26 08:00,4'],
    ['Date Time,Temp °C,RH %,DewPt °C', '2026-11-26 08:00,4,55,-5'],
    ['时间,温度(℃),露点温度(℃),平均动力学温度,温度校准值', '2026-11-26 08:00,4,-5,4.1,0'],
    ['Time,TempMax,TEMPMIN,temp_avg,Max. Temp,Temp', '2026-11-26 08:00,9,1,3,9,4'],
  ])('have columns beside the measured one: %s', (heads, line) => {
    expect(readings(`${heads}\n${line}`).readings).toMatchObject([
      { at: '2026-11-26T00:00:00.000Z', celsius: 4, probe: null },
    ])
  })
  it('have probes whose names only sound like a limit, or are alike', () => {
    const yellow = readings('Time,Yellow Temp(°C),Asset Temp(°C)\n2026-11-26 08:00,9,4')
    expect(yellow.readings.map(({ celsius }) => celsius)).toEqual([4, 9])
    const alike = readings(
      'Time,Temp °C (LGR S/N: 1; SEN S/N: 1),Temp °C (LGR S/N: 1; SEN S/N: 2)\n2026-11-26 08:00,4,9',
    )
    expect(alike.readings.map(({ probe }) => probe)).toEqual(['Temp °C', 'Temp °C (2)'])
  })

  it('say their unit by the limits above, or in a row below the headings', () => {
    const celsius = (text: string) => readings(text).readings[0]!.celsius
    expect(celsius('High Alarm: 46.4°F\nTime,Temp\n2026-11-26 08:00,41')).toBe(5)
    expect(celsius('High Alarm: 46.4°F (8 °C)\nTime,Temp\n2026-11-26 08:00,5')).toBe(5)
    expect(celsius('Time,Temp,Humidity\n,°F,%\n2026-11-26 08:00,41,55')).toBe(5)
  })

  it('are not read where decimal commas parted the figures', () => {
    const refused = { refused: '文件中没有可读取的温度数据' }
    expect(readRecorder(rows('Time,Temp\n2026-11-26 08:00,4,5'))).toEqual(refused)
    expect(readRecorder(rows('Time,Temp,RH\n2026-11-26 08:00,4,5,55,1'))).toEqual(refused)
    expect(readings('Time,Temp\n2026-11-26 08:00,4.5,1').readings).toHaveLength(1)
    expect(readings('Time,Temp\n2026-11-26 08:00,4,ok').readings).toHaveLength(1)
  })

  it('have the serial number in a heading (HOBO)', () => {
    const headings = ['#', 'Date Time, GMT+08:00', 'Temp, °C (LGR S/N: 20123456, SEN S/N: 20123456, LBL: Box)']
    const read = readRecorder([['Plot Title: 20123456'], headings, ['1', '11/26/26 08:00:00 AM', '4.5']])
    expect(read).toMatchObject({ logger_no: '20123456', readings: [{ at: '2026-11-26T00:00:00.000Z', celsius: 4.5 }] })
  })

  it('are reports of a tag: of each day the lowest and the highest', () => {
    const tag =
      'Device: Fridge-tag 2\nConf:\nSerial: 16040001\nHist:\n1:\nDate: 2026-11-26\nMin T: +3.9, TS Min T: 05:31\n' +
      'Max T: +9.2, TS Max T: 14:10\nAvrg T: +5.0\n2:\nDate: 2026-11-27\nMin T: +3.0, TS Min T: --:--'
    expect(readRecorder(rows(tag))).toEqual({
      logger_no: '16040001',
      hasRecorders: false,
      readings: [
        { at: '2026-11-25T21:31:00.000Z', celsius: 3.9, humidity: null, probe: null },
        { at: '2026-11-26T06:10:00.000Z', celsius: 9.2, humidity: null, probe: null },
      ],
      skipped: 0,
    })
  })

  it('are reports of a tag in Fahrenheit', () => {
    const tag = 'Temp unit: F\nDate: 2026-11-26\nMin T: +39.2, TS Min T: 05:31\nMax T: +46.4, TS Max T: 14:10'
    expect(readings(tag).readings.map(({ celsius }) => celsius)).toEqual([4, 8])
  })

  it('are of a program that writes neither UTF-8 nor GBK, or stand behind a cover', async () => {
    const tables = async (file: Uint8Array) => {
      const read = await readFile(tablesFile, Buffer.from(file), { mappings: [], given: null }, tester)
      return 'asked' in read ? null : read.result
    }
    const latin = 'Gerät: München\nZeit;Temp °F\n26.11.2026 08:00;41,0\n26.11.2026 08:05;46,4\n'
    expect(await tables(Buffer.from(latin, 'latin1'))).toMatchObject({ readings: [{ celsius: 5 }, { celsius: 8 }] })
    const data = utils.aoa_to_sheet([
      ['Time', 'Temp °C', ''],
      ['', '前', '后'],
      ['2026-11-26 08:00', 4, 9],
    ])
    data['!merges'] = [utils.decode_range('B1:C1')]
    const cover = utils.aoa_to_sheet([['Report'], ['Device', 'X1']])
    const book = write({ SheetNames: ['a', 'b'], Sheets: { a: cover, b: data } }, { type: 'buffer', bookType: 'xlsx' })
    expect(await tables(book as Buffer)).toMatchObject({ readings: [{ celsius: 4 }, { celsius: 9 }], skipped: 1 })
  })

  it('are refused in words when they are none', () => {
    expect(readRecorder([])).toBeNull()
    expect(readRecorder(rows('产品,数量\nA,1'))).toBeNull()
    expect(readRecorder(rows('时间,温度\n昨天,热'))).toEqual({ refused: '文件中没有可读取的温度数据' })
    expect(readRecorder(rows('时间,温度\n2026-02-30 08:00,4'))).toEqual({ refused: '文件中没有可读取的温度数据' })
  })

  it.each(['xlsx', 'biff8'] as const)('are real workbooks as well: %s', async type => {
    const sheet = [
      ['Serial No', 'EL-90'],
      ['时间', '温度(℃)'],
      ['2026-11-26 08:00:00', 4.5],
      ['2026-11-26 08:05:00', 9],
    ]
    const read = readRecorder(await readCells(workbook(sheet, type)))
    expect(read).toMatchObject({ logger_no: 'EL-90', readings: [{ celsius: 4.5 }, { celsius: 9 }] })
    const csv = Buffer.from(sheet.map(row => row.join('\t')).join('\r\n'))
    expect(readRecorder(await readCells(csv))).toEqual(read)
  })
})

describe('storage conditions', () => {
  it('say between which temperatures goods may be', () => {
    expect(temperatureBounds('冷藏 2-8℃，避光')).toEqual({ min: 2, max: 8 })
    expect(temperatureBounds('冷冻 -20±5℃，避光')).toEqual({ min: -25, max: -15 })
    expect(temperatureBounds('-25℃～-15℃')).toEqual({ min: -25, max: -15 })
    expect(temperatureBounds('≤-18℃')).toEqual({ min: null, max: -18 })
    expect(temperatureBounds('常温 10-30℃，干燥通风')).toEqual({ min: 10, max: 30 })
    expect(temperatureBounds('阴凉')).toEqual({ min: null, max: 20 })
    expect(temperatureBounds(null, true)).toEqual({ min: 2, max: 8 })
    expect(temperatureBounds('干燥通风')).toBeNull()
  })

  it('of goods that travel together are narrower than each; a bound itself is allowed', () => {
    const bounds = commonBounds([{ min: 2, max: 8 }, null, { min: null, max: 6 }])
    expect(bounds).toEqual({ min: 2, max: 6 })
    const at = (celsius: number, no: number) => ({
      at: `2026-11-26T00:0${no}:00.000Z`,
      celsius,
      humidity: null,
      probe: null,
    })
    expect(judged([2, 6, 6.01, 1.99].map(at), bounds).outside.map(({ celsius }) => celsius)).toEqual([6.01, 1.99])
    expect(commonBounds([null])).toBeNull()
  })

  it('are judged however many readings there are', () => {
    const reading = { at: '2026-11-26T00:00:00.000Z', celsius: 4, humidity: null, probe: null }
    const many = [...Array.from({ length: 300_000 }, () => reading), { ...reading, celsius: 9 }]
    expect(judged(many, { min: 2, max: 8 })).toMatchObject({ low: 4, high: 9, outside: [{ celsius: 9 }] })
  })

  it('are known of no stretch in which the recorder was silent', () => {
    const at = (minute: number) => ({
      at: new Date(minute * 60_000).toISOString(),
      celsius: 4,
      humidity: null,
      probe: null,
    })
    expect(gapsIn([0, 5, 10, 15, 20].map(at))).toEqual([])
    expect(gapsIn([0, 5, 10, 100, 105, 110].map(at))).toEqual([90 * 60_000])
    expect(gapsIn([at(0)])).toEqual([])
    // One probe does not replace another that has no readings, and neither end of the journey may be missing.
    const probe = (name: string) => (minute: number) => ({ ...at(minute), probe: name })
    const both = [...[0, 5, 10, 60].map(probe('甲')), ...[0, 20, 40, 60].map(probe('乙'))]
    expect(gapsIn(both)).toEqual([50 * 60_000])
    const journey = { from: -30 * 60_000, to: 20 * 60_000 }
    expect(gapsIn([0, 5, 10].map(at), journey)).toEqual([30 * 60_000])
    expect(gapsIn([0, 5, 10].map(at), { from: -Infinity, to: Infinity })).toEqual([])
  })

  it('are drawn without losing an excursion, however long the journey was', () => {
    const long = Array.from({ length: 9_000 }, (_, no) => ({
      at: new Date(no * 60_000).toISOString(),
      celsius: no === 4_321 ? 15 : 4,
      humidity: null,
      probe: null,
    }))
    const curve = curveOf(long)
    expect(curve.length).toBeLessThanOrEqual(MOST_POINTS)
    expect(curve.some(([, celsius]) => celsius === 15)).toBe(true)
    expect(curve.map(([at]) => at)).toEqual(curve.map(([at]) => at).toSorted())
    // Each probe has its own line.
    const [front, back] = ['前', '后'].map(probe => long.map(reading => ({ ...reading, probe })))
    const two = curveOf([...front!, ...back!.map(reading => ({ ...reading, celsius: 5 }))])
    expect(two.length).toBeLessThanOrEqual(MOST_POINTS)
    for (const [, celsius, probe] of two) expect(probe).toBe(celsius === 5 ? '后' : '前')
  })
})
