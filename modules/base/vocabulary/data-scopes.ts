/** The scopes of documents and figures that a user sees. */
export const dataScopes = {
  organisation: '全机构',
  tree: '本部门及下级',
  department: '本部门',
  chosen: '指定科室',
  own: '本人',
} as const
