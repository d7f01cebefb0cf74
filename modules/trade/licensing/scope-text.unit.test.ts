import { expect, test } from 'vitest'
import { classesIn, withClass, withoutClass } from '#modules/trade/licensing/scope-text.ts'

test('a class is added to a scope and removed again; the other text stays', () => {
  const scope = 'Ⅲ类：6815注射穿刺器械，6877介入器材；2017版：03神经和心血管手术器械'
  expect([...classesIn(scope)]).toEqual(['6815', '6877', '03'])
  expect(withoutClass(scope, '6815', '注射穿刺器械')).toBe('Ⅲ类：6877介入器材；2017版：03神经和心血管手术器械')
  expect(withoutClass(scope, '6877', '介入器材')).toBe('Ⅲ类：6815注射穿刺器械；2017版：03神经和心血管手术器械')
  expect(withoutClass(scope, '03', '神经和心血管手术器械')).toBe('Ⅲ类：6815注射穿刺器械，6877介入器材；2017版：')
  expect(withClass('', '6815', '注射穿刺器械')).toBe('6815注射穿刺器械')
  expect(withClass('Ⅲ类：', '6815', '注射穿刺器械')).toBe('Ⅲ类：6815注射穿刺器械')
  expect(withClass('6815注射穿刺器械；', '14', '注输、护理和防护器械')).toBe('6815注射穿刺器械，14注输、护理和防护器械')
})

test('a ticked class is removed completely, even if its name contains punctuation', () => {
  const name = '注输、护理和防护器械'
  const ticked = withClass('6815注射穿刺器械', '14', name)
  expect([...classesIn(ticked)]).toEqual(['6815', '14'])
  expect(withoutClass(ticked, '14', name)).toBe('6815注射穿刺器械')
  expect(withoutClass('14-注输、护理和防护器械，6877介入器材', '14', name)).toBe('6877介入器材')
  expect(withoutClass('14类，6877介入器材', '14', name)).toBe('6877介入器材')
})
