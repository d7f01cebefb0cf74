import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { entities } from '#kernel/registry.ts'
import { rowName } from '#web/records/record-field.ts'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

const ROUTE = '/ptm/userManage/user'
const LIST = '/v1/business/user/list'
const INFO = '/v1/business/user/info'
const user = (key: string, name: string, more: Wire = {}): Wire => ({
  user_inner_sn: key,
  version: 1,
  login: `login${key}`,
  name,
  phone: '13900000001',
  store_scope: 'all',
  data_scope: 'organisation',
  status: 'enabled',
  actions: ['edit', 'del', 'disable', 'resetPwd', 'unlock', 'handOver'],
  ...more,
})
const MAY = ['add', 'edit', 'del', 'disable', 'resetPwd', 'unlock', 'handOver']
const USERS = [user('1', '骆沐阳'), user('2', '祝若溪'), user('3', '庞念禾')]

const openUsers = (query = '') =>
  openPage(ROUTE + query, {
    org: 'H',
    answers: {
      '/v1/user/get_user_menu/yrtweb': {
        info: { rights: [] },
        list: [
          {
            title: '权限管理',
            uri: '',
            type: 0,
            children: [{ title: '用户管理', uri: ROUTE, type: 1, children: MAY.map(flag => ({ flag, type: 2 })) }],
          },
        ],
      },
      [LIST]: { list: USERS, total: 3 },
      [INFO]: ({ sn }) => ({ info: USERS.find(each => each.user_inner_sn === sn) }),
      '/v1/business/user/edit': { info: { sn: '1' } },
      '/v1/business/role/list': { list: [] },
      '/v1/business/cabinetPermission/list': { list: [] },
    },
  })
/** The opened record, once its title is this name. */
async function drawer(name: string) {
  const record = await screen.findByRole('dialog')
  await waitFor(() => expect(record.querySelector('.ant-drawer-title')?.textContent).toContain(name))
  return within(record)
}

it('a record is opened for reading, titled by its name; nothing can be typed until somebody says 编辑', async () => {
  const page = await openUsers()
  await page.user.click(await screen.findByText('祝若溪'))
  const record = await drawer('祝若溪')
  expect(await record.findByText('login2')).toBeTruthy()
  expect(record.queryByRole('textbox', { name: '姓名' })).toBeNull()
  expect(record.queryByRole('button', { name: '保存' })).toBeNull()
  await page.user.click(record.getByRole('button', { name: '编辑' }))
  const name = await record.findByLabelText('姓名')
  await page.user.clear(name)
  await page.user.type(name, '祝溪')
  await page.user.click(record.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(page.server.to('/v1/business/user/edit').at(-1)?.values).toMatchObject({ sn: '2', name: '祝溪' }),
  )
  // Saved, it is read again.
  expect(await record.findByRole('button', { name: '编辑' })).toBeTruthy()
})

it('what takes something away is behind 更多, and stands nowhere while somebody edits', async () => {
  const page = await openUsers('?row=2')
  const record = await drawer('祝若溪')
  expect(await record.findByRole('button', { name: '解锁' })).toBeTruthy()
  for (const name of ['删除', '停用', '重置密码']) expect(record.queryByRole('button', { name })).toBeNull()
  await page.user.click(record.getByRole('button', { name: /更多/ }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.getAllByRole('menuitem').map(item => item.textContent)).toEqual(['删除', '停用', '重置密码'])
  await page.user.click(menu.getByRole('menuitem', { name: '重置密码' }))
  // The dialog shows what will happen before the user confirms.
  expect(await screen.findByText(/短信发送至该用户手机号，24小时内有效/)).toBeTruthy()
})

it('previous and next lead through the list, and end with it', async () => {
  const page = await openUsers('?row=1')
  const first = await drawer('骆沐阳')
  expect(await first.findByText('login1')).toBeTruthy()
  expect(first.getByRole('button', { name: '上一条' })).toHaveProperty('disabled', true)
  await page.user.click(first.getByRole('button', { name: '下一条' }))
  await waitFor(() => expect(page.query()).toEqual({ row: '2' }))
  const second = await drawer('祝若溪')
  expect(await second.findByText('login2')).toBeTruthy()
  await page.user.click(second.getByRole('button', { name: '下一条' }))
  const third = await drawer('庞念禾')
  expect(await third.findByText('login3')).toBeTruthy()
  expect(third.getByRole('button', { name: '下一条' })).toHaveProperty('disabled', true)
})

it('编辑 in a row opens it for editing; what was typed is asked for before it is given up', async () => {
  const page = await openUsers()
  const row = (await screen.findByText('骆沐阳')).closest('tr')!
  await page.user.click(within(row).getByRole('button', { name: '编辑' }))
  const record = await drawer('骆沐阳')
  const name = await record.findByLabelText('姓名')
  await page.user.type(name, '二')
  await page.user.click(record.getByRole('button', { name: '取消' }))
  expect(await screen.findAllByText('内容还没有保存')).not.toEqual([])
  await page.user.click(screen.getByRole('button', { name: '不保存，离开' }))
  expect(await record.findByRole('button', { name: '编辑' })).toBeTruthy()
  expect(screen.queryByText('骆沐阳二')).toBeNull()
})

it('a new account says by which password its holder signs in first', async () => {
  await openUsers('?row=new')
  const form = await drawer('新增用户')
  expect(form.getByText('初始密码由系统随机生成，短信发送至该用户手机号，24小时内有效，首次登录须修改。')).toBeTruthy()
})

it('every action that gives somebody a password says what will happen', () => {
  const giving = entities().flatMap(({ kind, actions = {} }) =>
    Object.entries(actions)
      .filter(([name]) => /^(resetPwd|openAccount)$/.test(name))
      .map(([name, { note }]) => ({ at: `${kind}.${name}`, note })),
  )
  expect(giving.length).toBeGreaterThan(3)
  expect(giving.filter(({ note }) => !note?.includes('24小时'))).toEqual([])
})

it('a record of goods is titled by product and specification, one with a name by it, none by its code alone', () => {
  const row = { name: '某物', product_name: '支架', specification_name: '2.5×15', code: 'C1', title: '标题' }
  const coded = entities().filter(({ display }) => /code|_no$|_sn$/.test(display))
  expect(coded.length).toBeGreaterThan(20)
  for (const definition of coded) expect(rowName(definition, row), definition.kind).toMatch(/^某物 支架 2\.5×15/)
  for (const definition of entities()) expect(rowName(definition, row), definition.kind).not.toBe('')
})
