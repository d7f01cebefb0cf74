import { describe, expect, it } from 'vitest'
import { hooks } from '#app/modules.server.ts'

/** Which tool matches a question first, and the arguments it reads from it. */
function received(question: string): readonly [string, object] | null {
  for (const tool of hooks.assistantTools) {
    const args = tool.matches(question)
    if (args !== null) return [tool.name, args]
  }
  return null
}

describe('what the assistant recognises in a question', () => {
  it.each([
    ['本月还有几张入库单待审核', 'count_documents', { state: 'submitted', period: '本月' }],
    ['待审核的采购订单', 'count_documents', { document: 'purchaseOrder', state: 'submitted' }],
    ['上个月开了几张发票', 'count_documents', { document: '发票', period: '上个月' }],
    ['CG2611210001 到哪了', 'find_document', { sn: 'CG2611210001' }],
    ['帮我看看rk2611180001', 'find_document', { sn: 'RK2611180001' }],
    ['批号 B2407 在哪里', 'find_lot', { lot_no: 'B2407' }],
    ['批号：23-A.1还有吗', 'find_lot', { lot_no: '23-A.1' }],
    ['库存不足的有哪些', 'short_stock', {}],
    ['需要补货的有哪些', 'short_stock', {}],
    ['90天内到期的库存有哪些', 'expiring_stock', { days: '90' }],
    ['哪些耗材快过期了', 'expiring_stock', { days: '90' }],
    ['有没有过期的', 'expiring_stock', { days: '0' }],
    ['支架还有多少', 'stock_of', { goods: '支架' }],
    ['心脏起搏器库存多少', 'stock_of', { goods: '心脏起搏器' }],
    ['应付余额有多少', 'balance_with', { counterparty: '' }],
    ['苏州栎舟的应付是多少', 'balance_with', { counterparty: '苏州栎舟' }],
    ['我们欠苏州栎舟多少应付', 'balance_with', { counterparty: '苏州栎舟' }],
    ['我今天要做什么', 'my_duties', {}],
    ['我有哪些待办', 'my_duties', {}],
  ])('“%s” is for %s', (question, name, args) => {
    expect(received(question)?.[0]).toBe(name)
    expect(received(question)?.[1]).toMatchObject(args)
  })

  it.each([
    '什么是寄售',
    '怎么下采购订单',
    '入库单审核错了怎么办',
    '为什么不能反审核',
    '证照过期会拦住哪些业务',
    '怎么查近效期和过期库存',
    '谢谢',
    '明天天气怎么样',
  ])('“%s” is for the help', question => {
    expect(received(question)).toBeNull()
  })
})
