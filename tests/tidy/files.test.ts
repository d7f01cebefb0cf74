import { expect, test } from 'vitest'
import { importsOf, type Source, sources } from './sources.ts'

/** Foreign bytes are opened in file workers, and other systems are asked in one place: nobody else has the means. */
const code = sources(/^(app|kernel|server|modules)\/.*\.tsx?$/).filter(({ file }) => !/\.test\.tsx?$/.test(file))

/** Libraries that open foreign bytes, and parts of libraries that do. */
const OPENERS = /^(@e965\/xlsx|htmlparser2|sharp|@hyzyla\/pdfium|@cantoo\/pdf-lib|zxing-wasm)(\/|$)/
const UNPACKING =
  /\b(Unzip|UnzipInflate|Inflate|unzipSync|inflate(Raw)?(Sync)?|gunzip(Sync)?|createGunzip|brotliDecompress\w*)\b/
/** What they open is our own: pictures of letters, and backups that the operator restores. */
const OWN: ReadonlySet<string> = new Set(['server/identity/captcha/picture.ts', 'app/operations/restore.ts'])

const opens = (source: Source): boolean =>
  importsOf(source).some(name => OPENERS.test(name)) ||
  /import \{[^}]*\} from '(fflate|node:zlib)'/g.exec(source.text)?.some(named => UNPACKING.test(named)) === true

test('only readers of files import what opens foreign bytes', () => {
  const openers = code.filter(opens).map(({ file }) => file)
  expect(openers.length).toBeGreaterThan(8)
  expect(openers.filter(file => !file.startsWith('server/file-readers/') && !OWN.has(file))).toEqual([])
  expect([...OWN].filter(file => !openers.includes(file))).toEqual([])
})

test('readers of files are loaded by workers, never by the server', () => {
  const facade = 'server/public/file-reading.ts'
  const isReader = (file: string) => file.startsWith('server/file-readers/') || file === facade
  // Only the types of a reader are named elsewhere; rooms write readers that a worker loads by their address.
  const loads = ({ text, file }: Source) =>
    [...text.matchAll(/^(?:import|export) (?!type )[^'`;]*from '#?([^']+)'/gm)].some(([, name = '']) =>
      isReader(name),
    ) && !isReader(file)
  const named = new Set(
    code.flatMap(({ text, file }) =>
      [...text.matchAll(/new URL\('\.\/([\w.-]+)', import\.meta\.url\)/g)].map(
        ([, name = '']) => `${file.slice(0, file.lastIndexOf('/'))}/${name}`,
      ),
    ),
  )
  expect(
    code
      .filter(loads)
      .map(({ file }) => file)
      .filter(file => !named.has(file)),
  ).toEqual([])
  expect(code.filter(loads).length).toBeGreaterThan(2)
})

test('other systems are asked by boundedFetch alone, so that every reply has a limit', () => {
  const asking = code.filter(({ text }) => /(?<![\w.])fetch\(/.test(text)).map(({ file }) => file)
  const inBrowser = (file: string) => file.endsWith('.web.ts') || file.endsWith('.tsx')
  expect(asking.filter(file => !inBrowser(file))).toEqual(['server/network/bounded-fetch.ts'])
})
