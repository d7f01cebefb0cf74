import { orgTypeName } from '#kernel/values/organisation-type.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const page = { route: '/ptm/dictionaryManage', title: '字典管理', orgs: 'P', menu: '基础设置' } as const

/** 字典: a value list used by fields. */
export const dictionary = defineEntity({
  kind: 'dictionary',
  title: '字典',
  table: 'dictionary',
  key: 'dictionary_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  pickerFields: 'all',
  fields: {
    code: f.text('字典编码', {
      required: true,
      max: 40,
      match: /^[A-Za-z][A-Za-z0-9_]*$/,
      matchMsg: '字典编码由字母、数字和下划线组成，字母开头',
    }),
    name: f.text('字典名称', { required: true, max: 40 }),
    orgs: f.many('适用机构类型', orgTypeName, { hint: '不选表示全部' }),
    allows_own: f.flag('是否允许机构扩展', { default: false, hint: '是：机构可以新增仅本机构可见的字典项' }),
    is_system: f.flag('是否系统', { readOnly: true, default: false }),
    description: f.text('说明', { max: 200 }),
    status: statusField,
  },
  extras: { item_count: f.count('字典项数'), item_names: f.text('字典项'), use_count: f.count('引用数') },
  calls: { refresh: { label: '刷新缓存', asks: {} } },
  unique: [['code']],
  search: ['code', 'name'],
  screens: [
    {
      ...page,
      tab: '字典',
      leads: true,
      purpose: '各页面的可选值：单位、贮存条件、职称、原因等；系统字典只可改名称',
      columns: ['code', 'name', 'item_count', 'item_names', 'orgs', 'allows_own', 'is_system', 'use_count', 'status'],
      filters: ['code', 'name', 'item_names', 'orgs', 'is_system', 'status'],
    },
  ],
})

/** 字典项: one value of a list. */
export const dictionaryItem = defineEntity({
  kind: 'dictionaryItem',
  title: '字典项',
  table: 'dictionary_item',
  key: 'dictionary_item_sn',
  scope: 'shared',
  writers: 'P',
  under: 'dictionary',
  display: 'name',
  pickerFields: 'all',
  sort: 'dictionary_sn,sort_no,dictionary_item_sn',
  fields: {
    dictionary_sn: f.ref('字典', 'dictionary', {
      required: true,
      shows: { dictionary_code: 'code', is_system: 'is_system', allows_own: 'allows_own', orgs: 'orgs' },
    }),
    parent_sn: f.ref('上级项', 'dictionaryItem', { optionsFilter: { dictionary_sn: '$dictionary_sn' } }),
    code: f.text('项编码', { required: true, max: 40 }),
    name: f.text('项名称', { required: true, max: 60 }),
    short_name: f.text('简称', { max: 20 }),
    sort_no: f.count('排序', { min: '0', default: 0 }),
    extra: f.text('扩展值', { max: 100 }),
    pinyin: f.text('拼音码', { readOnly: true }),
    uses: f.count('引用数', { readOnly: true, default: 0 }),
    status: statusField,
  },
  extras: { is_own: f.flag('本机构') },
  unique: [['dictionary_sn', 'code']],
  search: ['code', 'name', 'pinyin'],
  screens: [
    {
      ...page,
      tab: '字典项',
      purpose: '全部字典值：上级项、拼音码与引用次数；在字典中新增和修改',
      columns: [
        'dictionary_code',
        'dictionary_sn',
        'code',
        'name',
        'pinyin',
        'sort_no',
        'parent_sn',
        'orgs',
        'is_system',
        'uses',
        'status',
      ],
      filters: ['dictionary_code', 'dictionary_name', 'name', 'orgs', 'status'],
      actions: [],
    },
  ],
})
