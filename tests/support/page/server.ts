import { vi } from 'vitest'
import { type OrgType, systemType } from '#kernel/values/organisation-type.ts'

/** A row or document as the wire has it. */
export type Wire = Readonly<Record<string, unknown>>
/** A call the page made: its path, and its query or form. */
export type Call = {
  readonly method: string
  readonly path: string
  readonly values: Readonly<Record<string, string>>
  /** Under which a change is sent again after its reply was lost. */
  readonly requestId: string | null
}
/** The envelope a path answers with; `code` is 0 unless it says otherwise. */
export type Answer = Wire | ((values: Call['values']) => Wire | Promise<Wire>)

export type FakeServer = {
  /** Every call so far, the oldest first. */
  readonly calls: readonly Call[]
  /** The calls to one path. */
  readonly to: (path: string) => readonly Call[]
  /** Changes what a path answers from now on. */
  readonly answer: (path: string, answer: Answer) => void
  /** Takes the network away, or gives it back. */
  readonly connect: (isConnected: boolean) => void
}

type User = { readonly org: OrgType; readonly operations: readonly string[]; readonly rights: readonly string[] }

/** What the shell asks before any page: who is signed in, their menu with its operations, and their lists. */
const shellAnswers = (route: string, { org, operations, rights }: User): Record<string, Answer> => ({
  '/v1/user/user_info': {
    info: {
      user_info: { belong: '1', system_type: systemType[org], user_inner_sn: '1', user_name: 'buyer' },
      employee_info: { name: '王采购', org_name: '示例单位', position: '采购员' },
    },
  },
  '/v1/user/get_user_menu/yrtweb': {
    info: { rights },
    list: [
      {
        title: '采购管理',
        uri: '',
        type: 0,
        children: [{ title: '单据', uri: route, type: 1, children: operations.map(flag => ({ flag, type: 2 })) }],
      },
    ],
  },
  '/v1/business/department/tree': { list: [] },
  '/v1/business/employee/list': { list: [] },
  '/v1/business/warehouse/list': { list: [] },
  '/v1/business/userTableSort/info': { info: null },
})

const valuesOf = (text: string): Call['values'] => Object.fromEntries(new URLSearchParams(text))

/**
 * Answers the page's calls instead of a server, and notes them. A path without an answer is a mistake of the test and
 * is refused, so that the page shows it.
 */
export function fakeServer(route: string, user: User, given: Readonly<Record<string, Answer>>): FakeServer {
  const answers = new Map(Object.entries({ ...shellAnswers(route, user), ...given }))
  const calls: Call[] = []
  let isReached = true
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body = null, headers }: RequestInit = {}) => {
    if (!isReached) throw new TypeError('Failed to fetch')
    const [path = '', query = ''] = url.split('?')
    const values = valuesOf(method === 'GET' ? query : String(body))
    calls.push({ method, path, values, requestId: new Headers(headers).get('x-request-id') })
    const answer = answers.get(path)
    const envelope =
      answer === undefined
        ? { code: 9999, msg: `no answer for ${method} ${path}` }
        : { code: 0, msg: '', ...(typeof answer === 'function' ? await answer(values) : answer) }
    return new Response(JSON.stringify(envelope), { headers: { 'content-type': 'application/json' } })
  })
  return {
    calls,
    to: path => calls.filter(call => call.path === path),
    answer: (path, answer) => void answers.set(path, answer),
    connect: isConnected => void (isReached = isConnected),
  }
}
