import { orgTypeName } from '#kernel/values/organisation-type.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** The icons used by menus. */
const icons = Object.fromEntries(
  [
    'Home',
    'Buy',
    'Checklist',
    'Order',
    'Bill',
    'Ticket',
    'Receive',
    'AdProduct',
    'MuseumOne',
    'Bank',
    'SafeRetrieval',
    'Orthopedic',
    'Form',
    'Adjustment',
    'SplitBranch',
    'Setting',
    'SettingComputer',
    'CycleOne',
    'ConnectionArrow',
  ].map(name => [name, name]),
)

/** 菜单树: the menu as arranged by the platform: names, order, icons, for whom, shown or not. */
export const menuNode = defineEntity({
  kind: 'menuNode',
  title: '菜单节点',
  table: 'menu_node',
  key: 'menu_node_sn',
  scope: 'shared',
  writers: 'P',
  display: 'content',
  whole: true,
  aboutRights: true,
  sort: 'level,sort_no,menu_node_sn',
  fields: {
    parent_sn: f.ref('上级菜单', 'menuNode'),
    content: f.text('菜单名称', { required: true, max: 40 }),
    node_type: f.pick('类型', { 1: '页面', 2: '操作' }, { readOnly: true, default: '1' }),
    level: f.count('层级', { readOnly: true }),
    route: f.text('路由', { max: 120, hint: '页面的路由；只有程序登记过的路由可以使用' }),
    flag: f.text('操作标识', { readOnly: true }),
    icon: f.pick('图标', icons),
    orgs: f.many('机构类型', orgTypeName),
    least_vip: f.count('VIP等级要求', { min: '0', default: 0 }),
    sort_no: f.count('排序', { min: '0', default: 0 }),
    is_shown: f.flag('显示', { default: true }),
    status: statusField,
  },
  extras: { role_count: f.count('引用角色数') },
  search: ['content', 'route', 'flag'],
  actions: {
    up: { label: '上移' },
    down: { label: '下移' },
    sync: { label: '从代码登记表同步' },
  },
  screens: [
    {
      route: '/ptm/maintenance/menuTree',
      title: '菜单树维护',
      orgs: 'P',
      menu: '系统设置',
      purpose: '各机构类型的菜单：分组、名称、顺序、图标、显示与隐藏；用户重新加载菜单后生效',
      columns: [
        'content',
        'node_type',
        'level',
        'route',
        'flag',
        'icon',
        'orgs',
        'least_vip',
        'sort_no',
        'is_shown',
        'status',
        'role_count',
      ],
      filters: ['content', 'route', 'flag', 'node_type', 'orgs', 'status'],
    },
  ],
})
