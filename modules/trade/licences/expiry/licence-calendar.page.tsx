import { useQuery } from '@tanstack/react-query'
import { Modal, Table } from 'antd'
import { useState } from 'react'
import { today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import css from '#modules/trade/licences/expiry/licence-calendar.module.css'
import { usePage } from '#web/engine/page-context.ts'
import { get } from '#web/engine/http/request.ts'
import { ListFrame } from '#web/list/page/ListFrame.tsx'

type Ending = {
  readonly valid_to: string
  readonly licences: number
  readonly own: number
  readonly licence_types: string
}
const MONTHS = 12
const WEEK = ['一', '二', '三', '四', '五', '六', '日']
const MOST_DAYS = '400'

/** Months from today on, as year and month from 0. */
const monthsFrom = (day: string): readonly (readonly [number, number])[] => {
  const [year = 0, month = 1] = day.split('-').map(parseInteger)
  return Array.from({ length: MONTHS }, (_, at) => [year + Math.floor((month - 1 + at) / 12), (month - 1 + at) % 12])
}
const dayText = (year: number, month: number, day: number) =>
  `${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`
/** Empty cells before the first of a month in a week that begins on Monday. */
const emptyBefore = (year: number, month: number) => (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7
const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** Twelve months with the licences that end on each day; a click lists them. */
export default function LicenceCalendarPage() {
  const { screen } = usePage()
  const [chosen, setChosen] = useState<string | null>(null)
  const endings = useQuery({
    queryKey: ['licenceCalendar'],
    queryFn: async () =>
      (await get<unknown, Ending>('/v1/report/licenceCalendar', { pageNum: 1, pageSize: MOST_DAYS })).list,
  })
  const byDay = new Map((endings.data ?? []).map(each => [each.valid_to, each]))
  return (
    <ListFrame title={screen.title} purpose={screen.purpose}>
      <div className={css.year} aria-busy={endings.isPending}>
        {monthsFrom(today()).map(([year, month]) => (
          <section key={`${year}-${month}`} className={css.month} aria-label={`${year}年${month + 1}月`}>
            <h2 className={css.name}>
              {year}年{month + 1}月
            </h2>
            <ol className={css.days}>
              {WEEK.map(name => (
                <li key={name} className={css.weekday}>
                  {name}
                </li>
              ))}
              {Array.from({ length: emptyBefore(year, month) }, (_, at) => (
                <li key={`empty${at}`} aria-hidden />
              ))}
              {Array.from({ length: daysIn(year, month) }, (_, at) => (
                <Day
                  key={at}
                  day={dayText(year, month, at + 1)}
                  ending={byDay.get(dayText(year, month, at + 1))}
                  onChoose={setChosen}
                />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {chosen !== null && <Licences day={chosen} onClose={() => setChosen(null)} />}
    </ListFrame>
  )
}

type DayProps = { day: string; ending: Ending | undefined; onChoose: (day: string) => void }

/** A day: only its number, or with the number of licences that end on it. */
function Day({ day, ending, onChoose }: DayProps) {
  const number = parseInteger(day.slice(8))
  if (ending === undefined)
    return (
      <li className={css.day} data-today={day === today()}>
        {number}
      </li>
    )
  return (
    <li className={css.day}>
      <button
        type="button"
        className={css.ending}
        title={ending.licence_types}
        aria-label={`${day}，${ending.licences}份证照到期`}
        onClick={() => onChoose(day)}
      >
        {number}
        <b className={css.count}>{ending.licences}</b>
      </button>
    </li>
  )
}

type LicenceRow = {
  readonly licence_sn: string
  readonly holder_name: string
  readonly licence_type: string
  readonly licence_no: string
}

/** The licences that end on a day. */
function Licences({ day, onClose }: { day: string; onClose: () => void }) {
  const licences = useQuery({
    queryKey: ['licence', 'ending', day],
    queryFn: async () =>
      (
        await get<unknown, LicenceRow>('/v1/business/licence/list', {
          begin_valid_to: day,
          end_valid_to: day,
          audit_state: 'passed',
          status: 'enabled',
          pageNum: 1,
          pageSize: 100,
        })
      ).list,
  })
  return (
    <Modal open title={`${day} 到期的证照`} width={760} footer={null} onCancel={onClose}>
      <Table
        size="small"
        rowKey="licence_sn"
        loading={licences.isPending}
        dataSource={licences.data ?? []}
        pagination={false}
        scroll={{ y: 420 }}
        columns={[
          { title: '机构', dataIndex: 'holder_name' },
          { title: '证照类型', dataIndex: 'licence_type' },
          { title: '证照编号', dataIndex: 'licence_no' },
        ]}
      />
    </Modal>
  )
}
