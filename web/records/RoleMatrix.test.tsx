import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { registerModules } from '#app/register-modules.web.ts'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

// The matrix is what the module draws itself.
registerModules()

const ROUTE = '/ptm/userManage/userRole'
const MENU = '/v1/user/get_user_menu/yrtweb'
const role = (sn: string, name: string, flags: readonly string[]): Wire => ({
  role_sn: sn,
  version: 1,
  name,
  flags,
  users: [],
  is_system: false,
  status: 'enabled',
  actions: ['edit', 'del', 'disable'],
})
const ORDERS = 'page:/commonView/purchaseOrder'
const STOCK = 'page:/commonView/inventory'
const ROLES = [
  role('1', '采购员', [ORDERS, 'purchaseOrder.add', 'purchaseOrder.export']),
  role('2', '库管员', [STOCK, 'stockBalance.export', 'stockByPlace.export']),
]
const page = (title: string, flag: string, operations: readonly (readonly [string, string])[]): Wire => ({
  title,
  flag,
  uri: flag.slice('page:'.length),
  type: 1,
  children: operations.map(([name, right]) => ({ title: name, flag: right, type: 2, uri: '', children: [] })),
})
const WHOLE = [
  {
    title: '采购管理',
    flag: '',
    uri: '',
    type: 1,
    children: [
      page('采购订单', ORDERS, [
        ['新增', 'purchaseOrder.add'],
        ['审核', 'purchaseOrder.review'],
        ['催货', 'purchaseOrder.urge'],
        ['导出', 'purchaseOrder.export'],
      ]),
    ],
  },
  {
    title: '库存管理',
    flag: '',
    uri: '',
    type: 1,
    children: [
      page('库存查询', STOCK, [
        ['导出', 'stockBalance.export'],
        ['导出', 'stockByPlace.export'],
      ]),
    ],
  },
]
const OWN = ['add', 'edit', 'del', 'disable'].map(flag => ({ flag, type: 2 }))

async function openRole(sn = '1') {
  const opened = await openPage(`${ROUTE}?row=${sn}`, {
    org: 'H',
    answers: {
      [MENU]: ({ all }) =>
        all === '1'
          ? { list: WHOLE }
          : {
              info: { rights: [] },
              list: [
                {
                  title: '权限管理',
                  uri: '',
                  type: 0,
                  children: [{ title: '角色管理', uri: ROUTE, type: 1, children: OWN }],
                },
              ],
            },
      '/v1/business/role/list': { list: ROLES, total: 2 },
      '/v1/business/role/info': ({ sn: key }) => ({ info: ROLES.find(each => each.role_sn === key) }),
      '/v1/business/role/edit': { info: { sn } },
      '/v1/business/user/list': { list: [] },
    },
  })
  const record = within(await screen.findByRole('dialog'))
  await record.findByRole('table')
  return { ...opened, record }
}
type Opened = Awaited<ReturnType<typeof openRole>>
const edit = ({ user, record }: Opened) => user.click(record.getByRole('button', { name: '编辑' }))
const openGroup = ({ user, record }: Opened, name: string) =>
  user.click(record.getByRole('button', { name: new RegExp(name) }))
const pick = async ({ user }: Opened, label: string, option: string) => {
  await user.click(screen.getByRole('combobox', { name: label }))
  await user.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
}

it('a role is read as a matrix of pages and actions, grouped as the menu is, with what it has in each', async () => {
  const opened = await openRole()
  const { record } = opened
  expect(record.getAllByRole('columnheader').map(head => head.textContent)).toEqual([
    '页面',
    '查看',
    '新增',
    '审核',
    '导出',
    '其他操作',
  ])
  expect(record.getByText('1个页面，已授权3/5项')).toBeTruthy()
  await openGroup(opened, '采购管理')
  expect(record.getByRole('img', { name: '采购订单 新增：有' })).toBeTruthy()
  expect(record.getByRole('img', { name: '采购订单 审核：无' })).toBeTruthy()
  expect(record.queryByRole('checkbox', { name: /采购订单/ })).toBeNull()
})

it('one 导出 gives the right of every list on the page, with the page itself', async () => {
  const opened = await openRole()
  const { user, record, server } = opened
  await edit(opened)
  await openGroup(opened, '库存管理')
  expect(record.getAllByRole('checkbox', { name: '库存查询 导出' })).toHaveLength(1)
  await user.click(record.getByRole('checkbox', { name: '库存查询 导出' }))
  expect(record.getByRole('checkbox', { name: '库存查询 查看' })).toHaveProperty('checked', true)
  await user.click(record.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(server.to('/v1/business/role/edit')).toHaveLength(1))
  const sent = server.to('/v1/business/role/edit')[0]!.values.flags!
  for (const flag of [STOCK, 'stockBalance.export', 'stockByPlace.export', 'purchaseOrder.add'])
    expect(sent).toContain(flag)
})

it('what only one page has is counted beside it, and ticked when opened', async () => {
  const opened = await openRole()
  const { user, record } = opened
  await edit(opened)
  await openGroup(opened, '采购管理')
  const others = record.getByRole('button', { name: '采购订单的其他操作' })
  expect(others.textContent).toContain('0/1')
  await user.click(others)
  await user.click(await screen.findByRole('checkbox', { name: '采购订单 催货' }))
  expect(others.textContent).toContain('1/1')
})

it('rights are copied from another role', async () => {
  const opened = await openRole()
  await edit(opened)
  await pick(opened, '复制其他角色的权限', '库管员')
  await openGroup(opened, '采购管理')
  await openGroup(opened, '库存管理')
  expect(opened.record.getByRole('checkbox', { name: '采购订单 新增' })).toHaveProperty('checked', false)
  expect(opened.record.getByRole('checkbox', { name: '库存查询 导出' })).toHaveProperty('checked', true)
})

it('a role is compared with another: how many rights differ, in which cells, and which way', async () => {
  const opened = await openRole()
  const { record } = opened
  await pick(opened, '与其他角色对比', '库管员')
  expect((await record.findByRole('status')).textContent).toContain('与【库管员】相差6项')
  const cell = (name: string) => record.getByRole('img', { name }).parentElement?.dataset.difference
  expect(cell('采购订单 新增：有')).toBe('more')
  expect(cell('库存查询 导出：无')).toBe('less')
  expect(cell('采购订单 审核：无')).toBeUndefined()
})

it('a page is found by its name', async () => {
  const opened = await openRole()
  await opened.user.type(opened.record.getByRole('searchbox', { name: '查找页面' }), '库存查')
  await waitFor(() => expect(opened.record.queryByRole('rowheader', { name: '采购订单' })).toBeNull())
  expect(opened.record.getByRole('rowheader', { name: '库存查询' })).toBeTruthy()
})
