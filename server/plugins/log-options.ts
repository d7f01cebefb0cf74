import type { FastifyServerOptions } from 'fastify'

type LoggerOptions = Exclude<FastifyServerOptions['logger'], boolean | undefined>

/** Names under which secrets are sent: in an address, a header, a body or an error that repeats one of them. */
const SECRET = 'token|r_id|invitation|share|access_token|api_?key|password|old|captcha_?result'
const HEADER = 'authorization|proxy-authorization|cookie|set-cookie'

const inAddress = new RegExp(`([?&](?:${SECRET})=)[^&#\\s"'\\\\]+`, 'gi')
const inJson = new RegExp(`(\\\\{0,8}"(?:${SECRET}|${HEADER})\\\\{0,8}"\\s*:\\s*)(\\\\{0,8}")[^"]*"`, 'gi')
const inHeader = new RegExp(`((?:^|[\\s\\n{,;"'\\\\])(?:${HEADER}))(\\s*[:=]\\s*)[^"\\s\\\\][^"\\n\\\\]*`, 'gi')
const bearer = /\b(Bearer|Basic) +[\w.~+/=-]+/g

/** Characters that a terminal obeys or does not show, and that JSON does not escape. */
const obeyed = /[\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
const written = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** A line of the log without secrets: their names stay, so that a reader sees what was sent. */
export const withoutSecrets = (line: string): string =>
  line
    .replaceAll(obeyed, written)
    .replaceAll(inAddress, '$1***')
    .replaceAll(inJson, '$1$2***$2')
    .replaceAll(inHeader, '$1$2***')
    .replaceAll(bearer, '$1 ***')

/** The log of a server: every entry passes `withoutSecrets`; a request is logged by its route alone. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  hooks: { streamWrite: withoutSecrets },
})
