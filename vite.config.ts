import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = process.env.DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: 'web',
  plugins: [react()],
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
