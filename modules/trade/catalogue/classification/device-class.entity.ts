import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { CLASS_CODE } from '#modules/trade/licensing/authorised-item-fields.ts'
import { deviceClasses } from '#modules/trade/catalogue/products/risk-classes.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** 医疗器械分类: the official lists of 2002 (68xx) and 2017, as trees; products, licence scopes and reports refer to them. */
export const deviceClass = defineEntity({
  kind: 'deviceClass',
  title: '医疗器械分类',
  table: 'device_class',
  key: 'device_class_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  pickerFields: 'all',
  sort: 'catalogue,code',
  whole: true,
  fields: {
    catalogue: f.pick('目录版本', { 2002: '2002版(68分类)', 2017: '2017版' }, { required: true, default: '2017' }),
    code: f.text('分类编码', {
      required: true,
      max: 12,
      match: CLASS_CODE,
      matchMsg: '分类编码应如6815、6815-01或14、14-01、14-01-01',
    }),
    name: f.text('分类名称', { required: true, max: 80, width: 260 }),
    parent_sn: f.ref('上级分类', 'deviceClass'),
    device_class: f.pick('管理类别', deviceClasses),
    description: f.longText('产品描述', { max: 1000 }),
    intended_use: f.longText('预期用途', { max: 1000 }),
    examples: f.text('产品名称举例', { max: 300 }),
    corresponds: f.text('目录对照', {
      max: 100,
      match: /^[0-9R -]*$/,
      matchMsg: '目录对照填写另一版本的分类编码，多个用空格分开',
      hint: '另一版本目录中对应的分类编码，多个用空格分开',
    }),
    subjects: f.codes('限用诊疗科目', {
      dictionary: 'clinical_subject',
      hint: '只售给有其中科目的医院；不选为不限，下级分类随上级',
    }),
    tax_code: f.text('税收分类编码', {
      match: /^\d{19}$/,
      matchMsg: '税收分类编码应为19位数字',
      hint: '推荐给该分类及其下级分类的产品，由经销商和厂商采用',
    }),
    is_official: f.flag('官方分类', { readOnly: true, default: false }),
    status: statusField,
  },
  extras: {
    level: f.count('层级'),
    corresponds_2002: f.text('对应2002编码'),
    corresponds_2017: f.text('对应2017编码'),
    product_count: f.count('关联产品数'),
  },
  unique: [['catalogue', 'code']],
  search: ['code', 'name', 'examples'],
  actions: {
    map: {
      label: '目录对照',
      asks: { other_codes: f.text('对应编码', { max: 100, hint: '另一版本目录的分类编码，多个用空格分开' }) },
    },
  },
  screens: [
    {
      route: '/ptm/SixtyEightClassification',
      title: '68分类管理',
      orgs: 'PHDV',
      menu: '基础设置',
      purpose: '2002版68分类与2017版分类目录，以及两版之间的对照',
      columns: [
        'name',
        'code',
        'catalogue',
        'level',
        'device_class',
        'examples',
        'corresponds_2002',
        'corresponds_2017',
        'subjects',
        'product_count',
        'is_official',
        'status',
      ],
      filters: ['catalogue', 'code', 'name', 'device_class', 'subjects', 'status'],
    },
  ],
})
