import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const SERVER = process.env.DEV_SERVER ?? 'http://127.0.0.1:8080'

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>

/** Keys of definitions that the server alone reads: what is posted and counted, files of SQL and reasons. */
const OF_THE_SERVER = new Set([
  'accountMovement',
  'actsIn',
  'agreedWhen',
  'changeRefused',
  'checkpoint',
  'copyFacts',
  'displayParameters',
  'dropsFields',
  'goneMessage',
  'handlerSubmits',
  'leanSums',
  'ledger',
  'notReadyMessage',
  'onProgress',
  'onProgressCreates',
  'overdrawnMessage',
  'postings',
  'reasonMsg',
  'recallMessage',
  'receiverPosts',
  'reservesStock',
  'sharesLines',
  'sqlFile',
  'stockCard',
  'stopsWithSource',
  'takesUnfit',
  'why',
  'withTolerance',
  'writers',
])
/**
 * Those that mean it in files of this name alone: what a document is to figures, where a record
 * lies, and of which rows a measure is.
 */
const OF_FILES = [
  { file: /\.doc\.ts$/, keys: new Set(['facts']) },
  { file: /\.entity\.ts$/, keys: new Set(['table']) },
  { file: /[\\/]measures\.ts$/, keys: new Set(['label', 'of', 'column', 'where', 'orgs']) },
]
/** Those of which the browser asks whether they are there: reasons for engineers. */
const REASONS = new Set(['named', 'wholeOnly', 'unscoped'])

/** The properties of all objects in a syntax tree. */
function* propertiesIn(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const each of node) yield* propertiesIn(each)
  else if (typeof node === 'object' && node !== null) {
    if ((node as Node).type === 'Property') yield node as Node
    for (const value of Object.values(node)) yield* propertiesIn(value)
  }
}

const isText = (node: unknown): boolean => typeof (node as { value?: unknown } | null)?.value === 'string'

/** Leaves out of definitions what the browser does not read, and with it the functions that nothing else calls. */
const withoutServersOwn: Plugin = {
  name: 'without-what-the-server-reads',
  apply: 'build',
  transform(code, id) {
    if (!/[\\/]modules[\\/].*\.ts$/.test(id)) return null
    const isOfServer = (name: string) =>
      OF_THE_SERVER.has(name) || OF_FILES.some(({ file, keys }) => file.test(id) && keys.has(name))
    let kept = ''
    let from = 0
    for (const { key, value, start, end } of propertiesIn(this.parse(code))) {
      const { name } = key as { readonly name?: string }
      const isReason = REASONS.has(name ?? '') && isText(value)
      if (start < from || !(isReason || isOfServer(name ?? ''))) continue
      kept += code.slice(from, start) + (isReason ? `${name}: '-'` : `${name}: undefined`)
      from = end
    }
    return { code: kept + code.slice(from), map: null }
  },
}

export default defineConfig({
  root: 'web',
  plugins: [withoutServersOwn, react()],
  // The server replaces this with the nonce of each response (server/plugins/web.ts).
  html: { cspNonce: 'NONCE_OF_THE_REPLY' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 20 },
            { name: 'antd', test: /node_modules[\\/](antd|@ant-design|@rc-component)[\\/]/, priority: 10 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/v1': SERVER, '/file': SERVER, '/ws': { target: SERVER, ws: true } },
  },
})
