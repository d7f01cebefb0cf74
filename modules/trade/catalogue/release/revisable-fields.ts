import { f } from '#kernel/definition/field.ts'
import { NAME } from '#kernel/values/patterns.ts'

/** Fields of a released product that a newly audited version may change; an empty field stays as it is. */
export const revisable = {
  name: f.text('产品名称', { max: 100, match: NAME, matchMsg: '产品名称中请不要输入特殊字符' }),
  generic_name: f.text('通用名称', { max: 100 }),
  brand: f.text('品牌', { max: 60 }),
  registrant_name: f.text('注册人', { max: 100 }),
  country: f.text('产地', { max: 40 }),
  class_code: f.text('2017子目录', { match: /^\d{2}(-\d{2})?$/, matchMsg: '2017子目录应为2位数字，或如14-01' }),
  class_code_2002: f.text('68分类', { match: /^68\d{2}(-[0-9R]\d?)?$/, matchMsg: '68分类应为68开头的4位数字' }),
  storage_condition: f.text('储存条件', { max: 100 }),
  shelf_life_months: f.count('有效期(月)', { min: '1', max: 600 }),
  scope: f.longText('适用范围', { max: 1000 }),
  structure: f.longText('结构及组成', { max: 1000 }),
}
