import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

const ROUTE = '/commonView/purchaseOrder'
const LIST = '/v1/business/purchaseOrder/list'
const INFO = '/v1/business/userTableSort/info'
const SAVE = '/v1/business/userTableSort/save'
const MINE = `${ROUTE}:schemes`
const order: Wire = { id: 'CG1', sn: 'CG1', version: 1, state: 'draft', role: 'own', taxed_amount: '1.00' }
const scheme = (title: string, more: Wire = {}): Wire => ({ field: title, title, query: {}, columns: [], ...more })

/** The list of orders of a user with these schemes; a saved scheme is returned by the next reading. */
async function openList(query = '', schemes: readonly Wire[] = []) {
  let kept = schemes
  const page = await openPage(ROUTE + query, {
    operations: ['add'],
    answers: {
      [LIST]: { list: [order], total: 1 },
      [INFO]: ({ tableId }) => ({ info: { columns: tableId === MINE ? kept : [] } }),
      [SAVE]: ({ tableId, columns = '[]' }) => {
        if (tableId === MINE) kept = JSON.parse(columns) as Wire[]
        return {}
      },
    },
  })
  await screen.findByRole('button', { name: 'CG1' })
  return { ...page, kept: () => kept }
}
const openMenu = async (page: Awaited<ReturnType<typeof openList>>, name: string | RegExp = /方案$/) => {
  await page.user.click(screen.getByRole('button', { name }))
  await screen.findByRole('textbox', { name: '方案名称' })
}
const named = () => within(screen.getByRole('list', { name: '方案' }))

it('filters and columns are saved under a name on the server, and chosen again', async () => {
  const page = await openList('?sn=CG1&sort=-taxed_amount&pageNum=1')
  await page.user.click(screen.getByRole('button', { name: '列设置' }))
  await page.user.click(
    within(await screen.findByRole('list', { name: '列' })).getByRole('checkbox', { name: '价税合计' }),
  )
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: /价税合计/ })).toBeNull())
  await openMenu(page)
  await page.user.type(screen.getByRole('textbox', { name: '方案名称' }), '急单{Enter}')
  expect(await screen.findByText('方案【急单】已保存')).toBeTruthy()
  const [saved] = page.kept()
  expect(saved).toMatchObject({ title: '急单', query: { sn: 'CG1', sort: '-taxed_amount' } })
  expect(saved!.columns).toContainEqual(expect.objectContaining({ field: 'taxed_amount', hidden: true }))
  expect(saved!.query).not.toHaveProperty('pageNum')

  // Everything is looked for again, and then what was kept.
  await page.user.click(screen.getByRole('button', { name: '重置' }))
  await waitFor(() => expect(page.query().sn).toBeUndefined())
  await openMenu(page)
  await page.user.click(named().getByRole('button', { name: '急单' }))
  await waitFor(() => expect(page.query()).toEqual({ sn: 'CG1', sort: '-taxed_amount' }))
  const toolbar = within(screen.getByRole('toolbar', { name: '列表操作' }))
  await waitFor(() => expect(toolbar.getByRole('button', { name: /急单$/ })).toBeTruthy())
})

it('choosing one takes the other filters away', async () => {
  const page = await openList('?sn=CG9&state=draft', [scheme('本月', { query: { state: 'submitted' } })])
  await openMenu(page)
  await page.user.click(named().getByRole('button', { name: '本月' }))
  await waitFor(() => expect(page.query()).toEqual({ state: 'submitted' }))
})

it('one may be the default: a list that is opened without filters begins with it, and 重置 leaves it', async () => {
  const page = await openList('', [scheme('待审核', { query: { state: 'submitted', sn: 'CG' }, isDefault: true })])
  await waitFor(() => expect(page.query()).toEqual({ state: 'submitted', sn: 'CG' }))
  await waitFor(() => expect(screen.getByRole('button', { name: '重置' })).toHaveProperty('disabled', false))
  await page.user.click(screen.getByRole('button', { name: '重置' }))
  await waitFor(() => expect(page.query()).toEqual({ state: 'submitted' }))
})

it('an address with filters, as a card of the workbench has it, is not replaced by the default', async () => {
  const page = await openList('?state=draft', [scheme('待审核', { query: { state: 'submitted' }, isDefault: true })])
  await openMenu(page)
  expect(page.query()).toEqual({ state: 'draft' })
})

it('there is one default, which can be given up; a scheme can be deleted', async () => {
  const page = await openList('?sn=CG', [scheme('甲', { isDefault: true }), scheme('乙')])
  await openMenu(page)
  await page.user.click(named().getByRole('button', { name: '默认方案乙' }))
  await waitFor(() => expect(page.kept().map(each => each.isDefault)).toEqual([false, true]))
  await page.user.click(named().getByRole('button', { name: '默认方案乙' }))
  await waitFor(() => expect(page.kept().map(each => each.isDefault)).toEqual([false, false]))
  await page.user.click(named().getByRole('button', { name: '删除方案甲' }))
  await waitFor(() => expect(page.kept().map(each => each.title)).toEqual(['乙']))
})

it('saving under a known name replaces it and keeps it the default', async () => {
  const page = await openList('?sn=CG7', [scheme('甲', { query: { sn: 'X' }, isDefault: true })])
  await openMenu(page)
  await page.user.type(screen.getByRole('textbox', { name: '方案名称' }), '甲')
  await page.user.click(screen.getByRole('button', { name: '覆盖' }))
  await waitFor(() => expect(page.kept()).toHaveLength(1))
  await waitFor(() => expect(page.kept()[0]).toMatchObject({ query: { sn: 'CG7' }, isDefault: true }))
})

it('a scheme that could not be stored is not shown as saved', async () => {
  const page = await openList('?sn=CG')
  page.server.answer(SAVE, { code: 5000, msg: '数据库正在维护' })
  await openMenu(page)
  await page.user.type(screen.getByRole('textbox', { name: '方案名称' }), '甲{Enter}')
  await waitFor(() => expect(page.server.to(SAVE)).not.toHaveLength(0))
  expect(screen.queryByText('方案【甲】已保存')).toBeNull()
  expect(screen.queryByRole('list', { name: '方案' })).toBeNull()
})
