import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

/** 视频教程: the platform uploads and publishes, everybody else watches what is meant for his kind of organisation. */
export const videoCourse = defineEntity({
  kind: 'videoCourse',
  title: '视频教程',
  table: 'video_course',
  key: 'video_course_sn',
  scope: 'shared',
  writers: 'P',
  display: 'title',
  retire: 'delete',
  sort: 'sort_no,video_course_sn',
  fields: {
    title: f.text('标题', { required: true, max: 80 }),
    category: f.text('分类', { max: 40 }),
    orgs: f.codes('适用机构类型', { hint: 'H 医院、D 经销商、V 厂商；不填表示全部' }),
    route: f.text('关联页面', { max: 120 }),
    video: f.files('视频文件', { hint: 'mp4 格式，不超过500MB' }),
    cover: f.files('封面'),
    manual: f.files('附件手册'),
    body: f.longText('图文说明'),
    sort_no: f.count('排序', { min: '0', default: 0 }),
    state: f.pick('发布状态', { draft: '未发布', published: '已发布' }, { readOnly: true, default: 'draft' }),
    published_at: f.instant('发布时间', { readOnly: true }),
    uploaded_by: f.text('上传人', { readOnly: true }),
  },
  extras: { play_count: f.count('播放次数'), size_mb: f.text('大小(MB)') },
  search: ['title', 'category', 'route'],
  actions: { publish: { label: '发布' }, unpublish: { label: '下架', tone: 'danger' } },
  screens: [
    {
      route: '/ptm/videoCourse',
      title: '视频教程',
      orgs: 'PHDV',
      menu: '通知公告',
      purpose: '按岗位和页面的操作视频与手册；平台上传发布，各机构观看',
      columns: [
        'title',
        'category',
        'orgs',
        'route',
        'size_mb',
        'play_count',
        'state',
        'sort_no',
        'uploaded_by',
        'published_at',
      ],
      filters: ['title', 'category', 'route', 'state'],
    },
  ],
})
