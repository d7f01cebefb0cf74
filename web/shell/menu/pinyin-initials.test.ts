import { describe, expect, it } from 'vitest'
import { initialsOf } from '#web/shell/menu/pinyin-initials.ts'

describe('pinyin initials', () => {
  it.each([
    ['采购订单', 'cgdd'],
    ['采购入库', 'cgrk'],
    ['耗材追溯', 'hczs'],
    ['期初库存', 'qckc'],
    ['结算管理', 'jsgl'],
    ['人力资源', 'rlzy'],
    ['使用追溯', 'syzs'],
    ['其他出库', 'qtck'],
    ['温湿度', 'wsd'],
    ['HIS人员信息', 'hisryxx'],
  ])('%s is %s', (title, initials) => expect(initialsOf(title)).toBe(initials))
})
