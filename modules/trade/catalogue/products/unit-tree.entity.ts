import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 包装单位: "1盒=10支". The parent is the smaller unit; the base unit is the root and has the specification's own
 * key.
 */
export const unitTree = defineEntity({
  kind: 'unitTree',
  title: '包装单位',
  table: 'unit_tree',
  key: 'unit_inner_sn',
  scope: 'shared',
  writers: 'PHDV',
  under: 'product',
  display: 'name',
  pickerFields: 'all',
  whole: true,
  fields: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    parent_unit_inner_sn: f.ref('下一级单位', 'unitTree', { required: true, hint: '1个本级单位所含的下一级单位数' }),
    name: f.text('单位', { required: true, max: 10 }),
    measure: f.count('换算数', { required: true, min: '1', max: 1000000 }),
    conversion: f.text('换算关系', { readOnly: true }),
    base_measure: f.count('折合基本单位', { readOnly: true }),
    udi_di: f.text('包装UDI-DI', { max: 40 }),
  },
  unique: [['specification_sn', 'name'], ['udi_di']],
  sort: 'specification_sn,base_measure',
  screens: [],
})
