import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { OrgType } from '#kernel/organisation.ts'
import type { Houses } from '#server/demo/master-houses.ts'
import { idOf, idOrNull, insertRows, newIds } from '#server/demo/rows.ts'
import { storedForm } from '#server/engine/identity/passwords.ts'
import { grantedIn } from '#server/engine/menu-tree.ts'

/** The password of every demo account. */
export const demoPassword = 'Spd@2026'

type Account = {
  readonly login: string
  readonly org: string
  readonly name: string
  readonly employee: string | null
  readonly role: string
}

/** Accounts that are printed at start. The second person of an organisation has the first one's rights. */
export const demoAccounts: readonly Account[] = [
  { login: 'platform', org: 'P01', name: '平台管理员', employee: 'P01-E01', role: '管理员' },
  { login: 'hospital', org: 'H01', name: '设备科科长', employee: 'H01-E02', role: '管理员' },
  { login: 'dealer', org: 'D01', name: '总经理', employee: 'D01-E01', role: '管理员' },
  { login: 'vendor', org: 'V01', name: '商务经理', employee: 'V01-E01', role: '管理员' },
  { login: 'dealer2', org: 'D01', name: '采购员', employee: 'D01-E02', role: '管理员' },
  { login: 'vendor2', org: 'V01', name: '质量负责人', employee: 'V01-E02', role: '管理员' },
  { login: 'nurse', org: 'H01', name: '导管室护士长', employee: 'H01-E28', role: '科室护士' },
  { login: 'keeper', org: 'H01', name: '高值库库管员', employee: 'H01-E08', role: '库管员' },
  { login: 'buyer', org: 'H01', name: '耗材采购员', employee: 'H01-E03', role: '采购员' },
  { login: 'finance', org: 'H01', name: '财务科会计', employee: 'H01-E11', role: '财务' },
]

type Role = {
  readonly name: string
  readonly description: string
  readonly groups: readonly string[]
  readonly also?: readonly string[]
}
const trade: readonly Role[] = [
  {
    name: '采购员',
    description: '采购与供应商',
    groups: ['首页', '采购管理', '产品管理', '机构管理', '证照管理', '库存管理', '预警中心'],
    also: ['price'],
  },
  {
    name: '销售员',
    description: '销售订单与客户',
    groups: ['首页', '销售管理', '机构管理', '出库管理', '库存管理', '报表中心'],
    also: ['price'],
  },
  {
    name: '库管员',
    description: '收货、发货与库存',
    groups: ['首页', '入库管理', '出库管理', '库存管理', '条码标签', '质量管理', '调拨管理', '损溢管理'],
    also: ['price'],
  },
  {
    name: '财务',
    description: '发票、收款与付款',
    groups: ['首页', '结算管理', '发票管理', '财务管理', '财务报表', '报表中心'],
    also: ['price'],
  },
]
/** Roles of each kind of organisation: the menu groups whose pages and operations a role has, and rights beyond pages. */
const roles: Readonly<Record<OrgType, readonly Role[]>> = {
  P: [
    { name: '机构审核员', description: '机构注册与变更审核', groups: ['首页', '机构管理'] },
    { name: '产品审核员', description: '产品审核与发布', groups: ['首页', '产品管理', '基础设置'] },
  ],
  H: [
    {
      name: '科室护士',
      description: '科室申领、收货、使用登记',
      groups: ['首页', '科室管理', '骨科手术管理', '使用追溯', '预警中心'],
      also: ['patient'],
    },
    {
      name: '库管员',
      description: '验收、入库、发放、盘点与标签',
      groups: [
        '首页',
        '入库管理',
        '出库管理',
        '库存管理',
        '发放管理',
        '条码标签',
        '使用追溯',
        '智能柜管理',
        '调拨管理',
        '损溢管理',
        '质量管理',
        '预警中心',
      ],
      also: ['price'],
    },
    {
      name: '采购员',
      description: '采购、产品目录与供应商',
      groups: ['首页', '采购管理', '产品管理', '机构管理', '证照管理', '库存管理', '预警中心', '报表中心'],
      also: ['price'],
    },
    {
      name: '财务',
      description: '结算、发票与付款',
      groups: ['首页', '结算管理', '发票管理', '财务管理', '财务报表', '报表中心'],
      also: ['price'],
    },
  ],
  D: trade,
  V: trade,
}

/** Gives every organisation its roles; their ids by organisation and name. */
async function loadRoles(tx: TransactionSql, houses: Houses): Promise<Map<string, string>> {
  const wanted = [...houses.organisations.keys()].flatMap(org =>
    roles[org.charAt(0) as OrgType].map(role => ({ org, role })),
  )
  const ids = await newIds(
    tx,
    wanted.map(({ org, role }) => `${org} ${role.name}`),
  )
  await insertRows(
    tx,
    'role',
    wanted.map(({ org, role }) => ({
      id: idOf(ids, `${org} ${role.name}`),
      org_id: idOf(houses.organisations, org),
      name: role.name,
      description: role.description,
      flags: [...grantedIn(org.charAt(0) as OrgType, role.groups), ...(role.also ?? [])],
      is_system: false,
    })),
  )
  return ids
}

/** Demo accounts with their roles; gives their ids by login name. */
export async function loadPeople(tx: TransactionSql, houses: Houses): Promise<Map<string, string>> {
  const roleIds = await loadRoles(tx, houses)
  const stored = await storedForm(createHash('md5').update(demoPassword).digest('hex'))
  const ids = await newIds(
    tx,
    demoAccounts.map(account => account.login),
  )
  const people = new Map(
    (await tx<{ id: string; name: string; phone: string | null }[]>`select id, name, phone from employee`).map(row => [
      row.id,
      row,
    ]),
  )
  await insertRows(
    tx,
    'app_user',
    demoAccounts.map(account => {
      const employee = idOrNull(houses.employees, account.employee)
      const person = people.get(employee ?? '')
      return {
        id: idOf(ids, account.login),
        org_id: idOf(houses.organisations, account.org),
        login: account.login,
        password_hash: stored,
        name: person?.name ?? account.name,
        phone: person?.phone ?? null,
        employee_id: employee,
        must_change: false,
        password_cycle: 3650,
        is_administrator: account.role === '管理员',
      }
    }),
  )
  await insertRows(
    tx,
    'user_role',
    demoAccounts
      .filter(account => account.role !== '管理员')
      .map(account => ({
        user_id: idOf(ids, account.login),
        role_id: idOf(roleIds, `${account.org} ${account.role}`),
      })),
  )
  return ids
}
