import { defineForeignTable } from '#kernel/tables/foreign-table.ts'

const TIME = /时间|日期|记录时刻|time|date|datum|zeit|heure/i
const DAY_ONLY = /^(日期|记录日期|date|day|datum)$/i
const CLOCK_ONLY = /^(时间|时刻|记录时间|time|hour|uhrzeit|zeit|heure)$/i
const TEMPERATURE = /温度|temp|℃|°c|℉|°f/i
const HUMIDITY = /湿度|humid|%rh|^rh/i
/** Headings of the column that names the measuring device: a probe, or the recorder where a file has several. */
const PROBE = /^(探头|通道|测点|传感器|probe|channel|sensor)(名称|编号|序号|号|名|\s{0,3}(id|no\.?|name|number))?$/i
const RECORDER =
  /^((设备|仪器|记录仪|终端)(名称|编号|序列号|号|ID)?|device(\s{0,3}(id|no\.?|name|sn))?|(logger|serial)(\s{0,3}\w+)?|sn)$/i
const UNIT = /^((温度)?单位|(temp(erature)?\s{0,3})?units?)$/i
/** Columns of times at which nothing was measured: of how long, and of when somebody heard of it. */
const BESIDE_TIME = /elapsed|duration|interval|间隔|时长|zone|时区|上传|接收|同步|入库|upload|receiv|server/i
/** Columns that are about a temperature and are not the measured one: `TempMax` is, and the yellow probe is not. */
const LIMITS = [
  /上限|下限|警|最高|最低|平均|设定|露点|湿球|动力学|校准|补偿|修正|体感/,
  /(?:(?<![a-z])|(?<=temp|temperature))(?:high|low|limit|alarm|max|min|avg|mean|set|offset|dew|wet|mkt|heat)/i,
  /(?<=[a-z])(?:High|Low|Limit|Alarm|Max|Min|Avg|Mean|Set|Offset)/,
]

type Titles = readonly string[]
const first = (titles: Titles, fits: (title: string) => boolean): readonly number[] => {
  const at = titles.findIndex(fits)
  return at < 0 ? [] : [at]
}
/** True if a column names recorders, and not the probes of one. */
export const namesRecorders = (title: string): boolean => RECORDER.test(title)
const isLimit = (title: string): boolean => LIMITS.some(limit => limit.test(title))
const isMeasured = (title: string) =>
  TEMPERATURE.test(title) && !isLimit(title) && !TIME.test(title) && !UNIT.test(title)

function findTime(titles: Titles): readonly number[] {
  const day = first(titles, title => DAY_ONLY.test(title))
  const clock = first(titles, title => CLOCK_ONLY.test(title))
  if (day.length > 0 && clock.length > 0) return [...day, ...clock]
  const isTime = (title: string) => TIME.test(title) && !TEMPERATURE.test(title)
  const measured = first(titles, title => isTime(title) && !BESIDE_TIME.test(title))
  return measured.length > 0 ? measured : first(titles, isTime)
}

/** 温度记录: the file of a temperature recorder, with its headings anywhere near the top. */
export const recorderTable = defineForeignTable({
  kind: 'recorderFile',
  title: '温度记录文件',
  origin: '记录仪导出的 CSV 或 Excel 原始文件',
  deepest: 100,
  longest: 120,
  // `Temp, °C (LGR S/N: 2012, SEN S/N: 3)`: the sensor is another one in the next file.
  titleOf: heading => heading.split('(LGR S/N')[0]!,
  columns: {
    time: {
      label: '时间',
      hint: '日期和时刻分两列时选两列',
      example: '2026-11-26 08:00',
      required: true,
      most: 2,
      find: findTime,
    },
    temperature: {
      label: '温度',
      hint: '有几个探头就选几列',
      example: '4.5',
      required: true,
      most: 32,
      find: titles => titles.flatMap((title, at) => (isMeasured(title) ? [at] : [])),
      unit: { label: '温度单位', choices: { celsius: '摄氏度 ℃', fahrenheit: '华氏度 ℉' }, unless: 'unit' },
    },
    unit: {
      label: '单位列',
      hint: '各行写明单位的列',
      example: '℃',
      find: titles => first(titles, title => UNIT.test(title)),
    },
    probe: {
      label: '探头',
      hint: '各行写明探头（或记录仪）的列',
      example: '探头1',
      find: titles => [...first(titles, title => PROBE.test(title)), ...first(titles, namesRecorders)].slice(0, 1),
    },
    humidity: {
      label: '湿度',
      example: '55.2',
      find: titles => first(titles, title => HUMIDITY.test(title) && !isLimit(title)),
    },
  },
})
