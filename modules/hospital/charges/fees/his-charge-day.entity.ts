import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 获取记录: the days whose charges were requested from the HIS, and the reason if one could not be read. */
export const hisChargeDay = defineEntity({
  kind: 'hisChargeDay',
  title: 'HIS计费获取记录',
  table: 'his_charge_day_row',
  key: 'his_charge_day_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'day',
  sort: '-day',
  fields: {
    day: f.day('计费日期'),
    state: f.pick(
      '获取状态',
      { read: '已获取', part: '当日未结束', asked: '获取中', failed: '获取失败' },
      { tones: { failed: 'danger', read: 'success', asked: 'info' } },
    ),
    row_count: f.count('计费行数'),
    read_at: f.instant('获取时间'),
    asked_by: f.text('发起人'),
    failed_at: f.instant('失败时间'),
    error: f.text('失败原因', { width: 320 }),
  },
  tone: row => (row.state === 'failed' ? 'danger' : undefined),
  calls: {
    fetch: {
      label: '获取HIS计费',
      tone: 'primary',
      asks: {
        begin_date: f.day('开始日期', { required: true }),
        end_date: f.day('结束日期', { required: true, hint: '一次最多31天；已获取的日期重新获取后覆盖' }),
      },
    },
  },
  screens: [
    {
      route: '/hospital/hisSpdFeePage',
      tab: '获取记录',
      counted: { state: 'failed' },
      title: 'HIS计费与SPD消耗对比',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '各日HIS计费是否已获取；重新获取覆盖当日，不会重复',
      columns: ['day', 'state', 'row_count', 'read_at', 'asked_by', 'failed_at', 'error'],
      filters: ['day', 'state'],
    },
  ],
})
