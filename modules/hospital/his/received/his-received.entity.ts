import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 医疗收入: the income of a department of the HIS in a month or on a day, without drugs, in yuan; written only by messages
 * of the HIS.
 */
export const hisIncome = defineEntity({
  kind: 'hisIncome',
  title: 'HIS医疗收入',
  table: 'his_income',
  key: 'his_income_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'his_department_code',
  sort: '-period_on,-his_income_sn',
  fields: {
    period_on: f.day('收入期间', { hint: '按月上报的为当月首日' }),
    grain: f.pick('上报方式', { month: '按月', day: '按日' }),
    department_inner_sn: f.ref('科室', 'department'),
    his_department_code: f.text('HIS科室编码'),
    income: f.amount('医疗收入', { hint: '不含药品收入' }),
    drug_income: f.amount('药品收入'),
    changed_at: f.instant('HIS上报时间'),
    read_at: f.instant('接收时间'),
  },
  screens: [
    {
      route: '/hospital/departStatisticalReport',
      tab: '医疗收入',
      title: '科室统计报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: 'HIS上报的各科室医疗收入，不含药品；耗占比由它计算，HIS更正后以最新的一次为准',
      columns: [
        'period_on',
        'grain',
        'department_inner_sn',
        'his_department_code',
        'income',
        'drug_income',
        'changed_at',
        'read_at',
      ],
      filters: ['period_on', 'grain', 'department_inner_sn', 'his_department_code'],
    },
  ],
})

/** HIS消息: which messages of the HIS arrived, and why one was rejected; without their patient data. */
export const hisMessage = defineEntity({
  kind: 'hisMessage',
  title: 'HIS消息',
  table: 'his_message',
  key: 'his_message_sn',
  scope: 'organisation',
  readOnly: true,
  under: 'hisVisit',
  display: 'control_id',
  sort: '-received_at,-his_message_sn',
  fields: {
    received_at: f.instant('接收时间'),
    sender: f.text('发送方'),
    control_id: f.text('消息编号'),
    message_type: f.text('消息类型', { hint: 'ADT患者，SIU手术，DFT计费，ZIN医疗收入' }),
    state: f.pick('处理结果', { done: '已接收', failed: '接收失败', rejected: '不接收' }),
    error: f.text('失败原因', { width: 320 }),
  },
  search: ['control_id', 'error'],
  tone: ({ state }) => (state === 'done' ? undefined : 'danger'),
  screens: [
    {
      route: '/hospital/hisVisits',
      tab: '消息',
      title: 'HIS患者与手术',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: 'HIS发来的消息及处理结果；接收失败的写明原因，更正后由HIS重发',
      columns: ['received_at', 'sender', 'control_id', 'message_type', 'state', 'error'],
      filters: ['received_at', 'message_type', 'control_id', 'state'],
    },
  ],
})
