import { f } from '#kernel/definition/field.ts'
import { defineWall } from '#kernel/wall/wall-definition.ts'
import {
  brokenChains,
  inTransit,
  orderTimes,
  requisitionTimes,
  stationFacts,
} from '#modules/platform/walls/process/process.report.ts'
import { scannedLines } from '#modules/platform/reports/moves/scanned-lines.report.ts'
import { wallScreen } from '#modules/platform/walls/wall-screen.ts'

const underWay = ['document_kind', 'from_name', 'to_name', 'quantity', 'hours'] as const

/** 流转全程: the chain as a river from the order to the payment, and the path of a single scanned box. */
export const processWall = defineWall({
  kind: 'screenProcess',
  screen: wallScreen('process', '流转全程大屏', '从采购订单到付款的每个环节，以及一盒产品在各机构间的流转'),
  refresh: 60,
  ofDays: true,
  follows: true,
  filters: { code: f.text('追溯码/批号/单号', { max: 400 }) },
  cards: [
    {
      name: 'river',
      title: '环节流程图',
      at: [0, 0, 24, 4],
      reads: {
        stations: {
          of: stationFacts,
          span: 'asked',
          by: ['station', 'place'],
          sums: ['done', 'waiting'],
          medians: { median_hours: 'hours' },
        },
        kinds: {
          of: stationFacts,
          span: 'asked',
          by: ['station', 'waiting_kind', 'waiting_states'],
          sums: ['waiting'],
        },
      },
      draws: { form: 'stations', of: 'stations', kinds: 'kinds' },
    },
    {
      name: 'trace',
      title: '单码追溯',
      at: [0, 4, 12, 8],
      reads: {},
      draws: { form: 'own', page: 'wallTrace' },
    },
    {
      name: 'orderTimes',
      title: '订单到货周期（小时，中位数）',
      at: [12, 4, 6, 4],
      reads: { times: { of: orderTimes, span: 'month', step: ['day', 'day'], medians: { hours: 'hours' } } },
      draws: { form: 'lines', gaps: true, series: [{ label: '下单到入库', of: 'times', value: 'hours' }] },
    },
    {
      name: 'requisitionTimes',
      title: '申领响应时长（小时，中位数）',
      at: [18, 4, 6, 4],
      reads: { times: { of: requisitionTimes, span: 'month', step: ['day', 'day'], medians: { hours: 'hours' } } },
      draws: { form: 'lines', gaps: true, series: [{ label: '申领到收货', of: 'times', value: 'hours' }] },
      leads: { to: 'screenDepartment' },
    },
    {
      name: 'transit',
      title: '在途',
      at: [12, 8, 4, 4],
      reads: {
        rows: { of: inTransit, span: 'now', rows: ['from_name', 'quantity', 'hours', 'document_sn'], take: 20 },
      },
      draws: {
        form: 'list',
        of: 'rows',
        columns: ['from_name', 'quantity', 'hours'],
        empty: '没有在途的发货',
        counted: true,
      },
    },
    {
      name: 'broken',
      title: '链路断点（72小时未收货）',
      at: [16, 8, 5, 4],
      reads: { rows: { of: brokenChains, span: 'now', rows: [...underWay], take: 20 } },
      draws: {
        form: 'list',
        of: 'rows',
        columns: ['document_kind', 'to_name', 'hours'],
        empty: '没有断点',
        counted: true,
      },
    },
    {
      name: 'scanned',
      title: '扫码率',
      at: [21, 8, 3, 4],
      reads: { lines: { of: scannedLines, span: 'asked', sums: ['scanned', 'coded'] } },
      draws: {
        form: 'gauge',
        part: { label: '扫码', of: 'lines', column: 'scanned' },
        whole: { label: '有码行', of: 'lines', column: 'coded' },
        empty: '—',
      },
    },
  ],
})
