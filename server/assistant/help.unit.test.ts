import { describe, expect, it } from 'vitest'
import { menuGroups } from '#app/menu-groups.ts'
import { helpChapters, searchHelp } from '#server/assistant/help.ts'
import { periodIn } from '#server/assistant/period.ts'

const titles = (question: string) => searchHelp(question).map(section => section.title)

describe('the help', () => {
  it('has a chapter for every menu group, and the terms of the trade', () => {
    const chapters = helpChapters().map(chapter => chapter.title)
    const wanted = menuGroups.map(group => (group.title === '首页' ? '快速上手' : group.title))
    expect(wanted.filter(title => !chapters.includes(title))).toEqual([])
    expect(chapters).toContain('名词解释')
  })

  it.each([
    ['什么是寄售', '寄售'],
    ['怎么下采购订单', '怎么下采购订单'],
    ['入库单审核错了怎么办？', '入库单审核错了怎么办'],
    ['如何申领物资', '怎么申领物资'],
    ['红冲和作废的区别', '红冲和作废有什么不同'],
    ['账号锁定了', '账号被锁定'],
    ['扫码枪扫不出来', '扫码枪扫不出来怎么办'],
    ['两票制是什么意思', '两票制'],
  ])('finds for “%s” the section “%s” first', (question, title) => {
    expect(titles(question)[0]).toBe(title)
  })

  it.each(['明天天气怎么样', 'write me a poem', '股票会涨吗', '？？？'])('finds nothing for “%s”', question => {
    expect(titles(question)).toEqual([])
  })
})

describe('the period of a question', () => {
  const now = '2026-03-04' // a Wednesday
  it.each([
    ['今天到了几单', '2026-03-04', '2026-03-04'],
    ['昨天的入库单', '2026-03-03', '2026-03-03'],
    ['本周', '2026-03-02', '2026-03-04'],
    ['上周', '2026-02-23', '2026-03-01'],
    ['本月还有几张', '2026-03-01', '2026-03-04'],
    ['上个月', '2026-02-01', '2026-02-28'],
    ['今年', '2026-01-01', '2026-03-04'],
    ['近30天', '2026-02-03', '2026-03-04'],
  ])('reads “%s” as %s to %s', (question, begin, end) => {
    expect(periodIn(question, now)).toMatchObject({ begin, end })
  })
  it('reads no period where none is named', () => {
    expect(periodIn('批号 B1 在哪里', now)).toBeNull()
  })
})
