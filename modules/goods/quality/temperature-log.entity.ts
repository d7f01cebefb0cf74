import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 温湿度登记: an area's thermometer readings, morning and afternoon. */
export const temperatureLog = defineEntity({
  kind: 'temperatureLog',
  title: '温湿度登记',
  table: 'temperature_log',
  key: 'temperature_log_sn',
  scope: 'organisation',
  display: 'area',
  sort: '-log_date,-temperature_log_sn',
  fields: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    area: f.text('库区', { max: 40, default: '全库' }),
    log_date: f.day('日期', { required: true }),
    half: f.pick('时段', { am: '上午', pm: '下午' }, { required: true }),
    temperature: f.quantity('温度(℃)', { required: true, min: '-90', max: '90' }),
    humidity: f.quantity('相对湿度(%)', { required: true, min: '0', max: '100' }),
    is_out: f.flag('是否超标', { readOnly: true }),
    measure: f.text('超标措施', { max: 200 }),
    recorded_by: f.text('记录人', { readOnly: true }),
    recorded_at: f.instant('记录时间', { readOnly: true }),
  },
  search: ['area'],
  screens: [
    {
      route: '/commonView/gspInventoryManage',
      tab: '温湿度登记',
      title: 'GSP库存养护',
      orgs: 'DV',
      menu: '质量管理',
      purpose: '每个库区上午、下午各登记一次温湿度，超标须写明措施',
      columns: [
        'warehouse_model_inner_sn',
        'area',
        'log_date',
        'half',
        'temperature',
        'humidity',
        'is_out',
        'measure',
        'recorded_by',
        'recorded_at',
      ],
      filters: ['warehouse_model_inner_sn', 'area', 'log_date', 'half', 'is_out'],
    },
  ],
})
