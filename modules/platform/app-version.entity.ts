import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

/** 应用版本: programs beside the web: phone, handheld, cabinet, print helper; offered to clients once published. */
export const appVersion = defineEntity({
  kind: 'appVersion',
  title: '应用版本',
  table: 'app_version',
  key: 'app_version_sn',
  scope: 'shared',
  writers: 'P',
  display: 'version_name',
  retire: 'delete',
  sort: '-app_version_sn',
  fields: {
    name: f.text('应用名称', { required: true, max: 60 }),
    platform: f.pick(
      '平台',
      { android: 'Android', ios: 'iOS', pda: 'PDA', cabinet: '柜端', windows: 'Windows助手' },
      { required: true },
    ),
    version_name: f.text('版本号', { required: true, max: 30 }),
    version_no: f.count('版本序号', { required: true, min: '1' }),
    package: f.files('安装包'),
    checksum: f.text('校验值(SHA-256)', { readOnly: true }),
    notes: f.longText('更新说明'),
    is_forced: f.flag('强制更新', { default: false }),
    least_version_no: f.count('最低兼容版本', { min: '0', default: 0 }),
    only_orgs: { ...f.codes('灰度范围', { hint: '不选表示全部机构' }), target: 'organisation' },
    state: f.pick(
      '发布状态',
      { draft: '未发布', published: '已发布', withdrawn: '已撤回' },
      { readOnly: true, default: 'draft' },
    ),
    published_at: f.instant('发布时间', { readOnly: true }),
    published_by: f.text('发布人', { readOnly: true }),
  },
  unique: [['name', 'platform', 'version_no']],
  search: ['name', 'version_name'],
  actions: { publish: { label: '发布' }, unpublish: { label: '撤回', tone: 'danger' } },
  screens: [
    {
      route: '/ptm/appManagement',
      title: '应用版本管理',
      orgs: 'P',
      menu: '系统设置',
      purpose: '手机、手持终端、柜端与打印助手的版本：上传、灰度、强制更新与撤回',
      columns: [
        'name',
        'platform',
        'version_name',
        'version_no',
        'is_forced',
        'least_version_no',
        'checksum',
        'published_by',
        'published_at',
        'state',
      ],
      filters: ['name', 'platform', 'version_name', 'is_forced', 'state'],
    },
  ],
})
