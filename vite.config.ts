import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const SERVER = process.env.DEV_SERVER ?? 'http://127.0.0.1:8080'

/** What a definition says to engineers and to the server alone: reasons that the boot asks for, and files of SQL. */
const REASONS = /\b(named|wholeOnly|unscoped): ?\n? {0,12}'[ -&(-~’]{1,200}'/g
const UNREAD = /\b(why|sqlFile): ?\n? {0,12}'[ -&(-~’]{1,200}',?/g
/** What a document is to figures, which statements of reports ask. */
const FACTS = /\b(facts|copyFacts): \{[\sa-z_:,0-9-]{0,200}\},/g
const withoutServersOwn: Plugin = {
  name: 'without-what-the-server-reads',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /[\\/]modules[\\/].*\.ts$/.test(id)
      ? code.replace(REASONS, "$1: '-'").replace(UNREAD, '').replace(FACTS, '')
      : null,
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
