import { boards, walls } from '#kernel/registry.ts'
import type { Describer, Operation, PathItem, Paths } from '#server/api/openapi/components.ts'
import type { Schema } from '#server/api/openapi/schemas.ts'

type Makers = {
  readonly get: (tag: string, summary: string, parameters?: readonly Schema[]) => PathItem
  readonly post: (tag: string, summary: string, schema: Schema) => PathItem
}

const text: Schema = { type: 'string' }
/** A form of text fields; names with a question mark are optional. */
const form = (...names: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name.replace('?', ''), text])),
  required: names.filter(name => !name.endsWith('?')),
})
const asked = (...names: string[]): Schema[] => names.map(name => ({ name, in: 'query', schema: text }))
const inPath = (name: string): Schema => ({ name, in: 'path', required: true, schema: text })

/** Calls that need no sign-in. */
const open = (paths: Paths): Paths =>
  Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, inEach(item, { security: [] })]))
const inEach = (item: PathItem, more: Partial<Operation>): PathItem =>
  Object.fromEntries(Object.entries(item).map(([method, call]) => [method, { ...call, ...more }]))

/** Calls that no definition has: sign-in, the app shell, operations. */
export function fixedPaths(describer: Describer): Paths {
  const makers: Makers = {
    get: (tag, summary, parameters) => describer.get(tag, summary, parameters),
    post: (tag, summary, schema) => describer.post(tag, summary, inForm(schema)),
  }
  return {
    ...open({ ...door(makers), ...running(makers) }),
    ...session(makers),
    ...shell(makers),
  }
}

const inForm = (schema: Schema): Schema => ({
  content: { [JSON.stringify(schema).includes('binary') ? 'multipart/form-data' : FORM]: { schema } },
})
const FORM = 'application/x-www-form-urlencoded'

function door({ get, post }: Makers): Paths {
  const captcha = asked('id', 'captchaResult')
  const parent = asked('administrative_division_sn')
  return {
    '/v1/login': post('登录', '账号密码登录，password 为密码的 MD5', form('userName', 'password')),
    '/v1/loginByVerifyCode': post('登录', '短信验证码登录', form('UserName', 'VerifyCode')),
    '/v1/logout': post('登录', '退出登录', form()),
    '/v1/captcha/code': get('验证码', '图形验证码：info.id，info.img；1-5 个字符，5 分钟内有效，用一次'),
    '/v1/captcha/puzzle': get('验证码', '拼图：background、piece、y；答案为 {"x":…,"track":[[毫秒,x,y],…]}'),
    '/v1/user/get_login_code/{phone}': get('验证码', '发送登录短信验证码', [inPath('phone'), ...captcha]),
    '/v1/sendMsg': post('验证码', '发送短信验证码', form('phone', 'tempID?', 'id', 'captchaResult')),
    '/v1/register/sendMsg': post('注册', '发送注册短信验证码', form('phone', 'id', 'answer')),
    '/v1/register/upload': post(
      '注册',
      '上传证照扫描件（multipart，png、jpg、webp、pdf，5MB以内）：info.draft 随后续上传与注册带上',
      { type: 'object', properties: { file: { type: 'string', format: 'binary' }, draft: text } },
    ),
    '/v1/register/org': post(
      '注册',
      '注册机构，等待平台审核',
      form(
        'system_type',
        'name',
        'alias?',
        'social_credit_code',
        'administrative_division_sn?',
        'address',
        'registrant',
        'registrant_phone',
        'registrant_email?',
        'description?',
        'verifyCode',
      ),
    ),
    '/v1/user/change_password': post('登录', '登录前修改密码', form('userName', 'old', 'password', 'VerifyCode?')),
    '/v1/division/province': get('行政区划', '省级'),
    '/v1/division/city': get('行政区划', '某省的市级', parent),
    '/v1/division/county': get('行政区划', '某市的县级', parent),
    '/v1/user/retrieve_pwd/code/{phone}': get('找回密码', '发送短信验证码', [
      inPath('phone'),
      ...asked('imageId', 'imageAnswer'),
    ]),
    '/v1/user/retrieve_pwd/verify_code': post('找回密码', '第一步：核对验证码', form('Name', 'VerifyCode')),
    '/v1/user/retrieve_pwd/change_password': post(
      '找回密码',
      '第二步：设置新密码（MD5）',
      form('Name', 'Password', 'VerifyCode'),
    ),
  }
}

function session({ get, post }: Makers): Paths {
  return {
    '/v1/user/user_info': get('登录', '恢复会话'),
    '/v1/user/get_user_menu/yrtweb': get('登录', '当前用户的菜单'),
    '/v1/user/change_my_password': post('登录', '修改自己的密码', form('old', 'password', 'VerifyCode?')),
    '/v1/user/sessions': get('登录', '登录设备列表'),
    '/v1/user/sessions/end': post(
      '登录',
      '退出一台设备（sn），或 scope 为 others（其他全部）、all（全部）',
      form('sn?', 'scope?'),
    ),
    '/ws': get('消息', '实时消息（WebSocket），token 为登录结果的 r_id', asked('token')),
    ...flows({ get }),
    ...ofWalls({ get }),
    ...ofBoards({ get }),
    '/v1/business/message/unread': get('消息', '未读条数，最多数到100'),
    '/v1/business/message/list': get(
      '消息',
      '消息列表，新的在前',
      asked(
        'message_type',
        'from_org_name',
        'begin_at',
        'end_at',
        'read_state',
        'confirm_state',
        'q',
        'pageNum',
        'pageSize',
      ),
    ),
    '/v1/business/message/export': get('消息', '消息列表导出为xlsx'),
    '/v1/business/message/confirm': post('消息', '确认收到', form('sn')),
    '/v1/business/message/del': post('消息', '删除（只对本人隐藏）', form('sn')),
    '/v1/business/message/read': post('消息', '标为已读', form('sn')),
    '/v1/business/message/readAll': post('消息', '全部标为已读', form()),
  }
}

function shell({ get, post }: Makers): Paths {
  return {
    '/v1/export': post(
      '导出',
      '导出之前：address 为某个列表的 export 地址；行数少时原样返回 info.address，行数多时后台导出，返回 info.job',
      form('address'),
    ),
    '/v1/export/info': get('导出', '后台导出的进度：state、rows_done、rows_total、file_name', asked('sn')),
    '/v1/business/department/tree': get('科室', '科室树'),
    '/v1/business/userTableSort/info': get(
      '表格列',
      '读取列设置',
      asked('userId', 'projectName', 'systemType', 'tableId'),
    ),
    '/v1/business/userTableSort/shared': get('表格列', '同事共享的看板视图', asked('projectName', 'tableId')),
    '/v1/business/userTableSort/save': post('表格列', '保存列设置', form('projectName', 'tableId', 'columns')),
    '/v1/llm/streamChatWithWeb': get(
      'AI助手',
      '提问；回答为 data: 行的流，内容在 result.data[0] 的 answer、reference、rich_text_ref，以 [done] 结束',
      asked('content'),
    ),
    '/v1/help/list': get('AI助手', '帮助的全部章节'),
    '/v1/rulebook/list': get('规则手册', '各页面遵守的规则，按章；route 给出页面地址时只有该页的', asked('route')),
    '/v1/note/receive': post(
      '标签',
      '扫描随货同行单（sn）：打开等待收货的单据，没有则按未收数量生成草稿；返回 info.kind、info.sn',
      form('sn'),
    ),
    '/v1/labels': get('标签', '标签上的内容', asked('of', 'units', 'sheet', 'template', 'each')),
    '/v1/labels/printed': post('标签', '标签已送打印', form('units', 'layout', 'reason?')),
    '/v1/business/interfaceError/cards': get('接口', '今日调用、失败、失败率、最慢接口、最早未处理'),
    '/v1/business/interfaceError/batchRetry': post(
      '接口',
      '批量重发：items 为逗号分隔的编号，留空为全部待处理',
      form('items?'),
    ),
  }
}

/** The paths that an operator's monitors query. */
const running = ({ get }: Makers): Paths => ({
  '/healthz': get('运行', '存活'),
  '/readyz': get('运行', '可以服务'),
  '/metrics': get('运行', '指标'),
})

/** Walls of figures. */
const ofWalls = ({ get }: Pick<Makers, 'get'>): Paths => ({
  ...Object.fromEntries(
    walls()
      .filter(({ follows }) => follows)
      .map(({ kind, screen }) => [
        `/v1/business/wall/${kind}/trace`,
        get('大屏', `${screen.title}：扫描的一盒在各机构间的全部环节，不含患者与经手人`, asked('code', 'org')),
      ]),
  ),
  '/v1/business/walls': get('大屏', '可打开的大屏；平台另返回可选的医院（info.organisations）'),
  ...Object.fromEntries(
    walls().map(({ kind, screen, filters }) => [
      `/v1/business/wall/${kind}`,
      get(
        '大屏',
        `${screen.title}：全部卡片的数字（info.cards）与截至时间（info.at）`,
        asked('org', 'begin_date', 'end_date', ...Object.keys(filters)),
      ),
    ]),
  ),
})

/** Boards of managers. */
const ofBoards = ({ get }: Pick<Makers, 'get'>): Paths =>
  Object.fromEntries(
    boards().flatMap(({ kind, screen, filters }) => {
      const names = asked(
        'card',
        'begin_date',
        'end_date',
        'against',
        'measure',
        'grain',
        'level',
        ...Object.keys(filters),
      )
      return [
        [
          `/v1/business/board/${kind}`,
          get('大屏', `${screen.title}：一张卡片的数字（info.answers），对比期为previous、year或none`, names),
        ],
        [`/v1/business/board/${kind}/export`, get('大屏', `${screen.title}：全部卡片的数字，导出为工作簿`, names)],
      ]
    }),
  )

/** 采购导航 and 销售导航. */
const flows = ({ get }: Pick<Makers, 'get'>): Paths =>
  Object.fromEntries(
    ['purchase', 'sales'].map(name => [
      `/v1/business/flow/${name}`,
      get('导航', '流程图：各步骤的单据数、本期指标和我的待办', asked('begin_date', 'end_date', 'partner', 'mine')),
    ]),
  )
