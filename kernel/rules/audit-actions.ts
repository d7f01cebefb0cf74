/** The action names by which the log is searched. */
export const auditActions = {
  login: '登录',
  loginFailed: '登录失败',
  logout: '退出',
  password: '修改密码',
  add: '新增',
  edit: '修改',
  del: '删除',
  submit: '提交',
  review: '审核',
  unreview: '反审核',
  redReverse: '红冲',
  cancel: '作废',
  print: '打印',
  export: '导出',
  import: '导入',
  onBehalf: '平台代办',
  permission: '权限变更',
  other: '其他',
} as const
export type AuditAction = keyof typeof auditActions
