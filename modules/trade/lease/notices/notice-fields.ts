import { f } from '#kernel/definition/field.ts'

/** The place in the words of both sides: the tenant chooses one of its areas, the lessor reads its code. */
export const leasedPlace = {
  rented_area_sn: f.ref('承租库区', 'rentedArea', { required: true, hint: '本机构承租的库区' }),
  lessor_sn: f.ref('出租方', 'organisation', { readOnly: true }),
  area_code: f.text('库区', { readOnly: true }),
  lessor_store: f.text('出租方仓库', { readOnly: true }),
} as const

const ONE_FIGURE = /^\d{1,4}[:：]\d{1,9}(\.\d{1,3})?([,，、 ]+\d{1,4}[:：]\d{1,9}(\.\d{1,3})?)*$/
const TWO_FIGURES = /^\d{1,4}([:：]\d{1,9}(\.\d{1,3})?){1,2}([,，、 ]+\d{1,4}([:：]\d{1,9}(\.\d{1,3})?){1,2})*$/
/** A field for values of single lines: `1:90:10` is line 1, of which 90 are here and 10 are sent away. */
export const lineFigures = (label: string, hint: string, most: 1 | 2 = 1) =>
  f.text(label, {
    max: 400,
    dialogOnly: true,
    match: most === 1 ? ONE_FIGURE : TWO_FIGURES,
    matchMsg: `${label}请写“行号:数量”，如 1:90,2:5`,
    hint,
  })
