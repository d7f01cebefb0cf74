import { expect, it } from 'vitest'
import { packLevels } from './packaging-levels.ts'

const [piece, box, carton, pallet] = ['06999900100016', '16999900100013', '26999900100010', '36999900100017'] as const
const pack = (di: string, count: number | null, holds: string | null, level = '盒') => ({ di, level, count, holds })
const problems = (...packs: Parameters<typeof packLevels>[1]) => packLevels(piece, packs).map(level => level.problem)

it('levels are resolved down to the sales unit, in any file order', () => {
  const levels = packLevels(piece, [pack(carton, 20, box, '箱'), pack(box, 10, piece), pack(box, 10, piece)])
  expect(levels.map(level => [level.di, level.base_count, level.depth, level.problem])).toEqual([
    [carton, 200, 2, null],
    [box, 10, 1, null],
  ])
  // Thirteen digits are the same code.
  expect(packLevels(piece, [pack(box, 5, '6999900100016')])[0]).toMatchObject({ base_count: 5, lower_di: piece })
})

it('contradictions are reported level by level and not imported', () => {
  expect(problems(pack(box, 10, carton), pack(carton, 2, box))).toEqual([
    `包装层级循环：${box} → ${carton} → ${box}`,
    `包装层级循环：${carton} → ${box} → ${carton}`,
  ])
  expect(problems(pack(box, 10, carton))).toEqual([`下一级${carton}不在该产品的包装层级中`])
  expect(problems(pack(box, null, piece), pack(carton, 2, box))).toEqual([
    '内装数量应为大于0的整数',
    `下一级${box}有问题，一并未采用`,
  ])
  expect(problems(pack(box, 10, piece), pack(box, 20, piece))).toEqual(
    Array(2).fill('同一包装产品标识有两种内装，无法判断'),
  )
  expect(
    problems(pack('', 1, piece), pack('16999900100012', 1, piece), pack(piece, 1, piece), pack(box, 1, null)),
  ).toEqual([
    '缺少包装产品标识',
    '包装产品标识校验位错误',
    '包装产品标识与最小销售单元的产品标识相同',
    '缺少下一级包装的产品标识',
  ])
  expect(problems(pack(box, 20_000, piece), pack(carton, 20_000, box))[1]).toBe('折合最小销售单元的数量过大')
  expect(problems(pack(pallet, 1, pallet))).toEqual([`包装层级循环：${pallet} → ${pallet}`])
})
