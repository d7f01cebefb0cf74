import { BusinessError } from '#kernel/rules/errors.ts'
import { isZip, namesIn } from '#server/file-readers/zip.ts'

/** The type of a file by its content, whatever its name, and the Chinese word for it. */
const titles = {
  empty: '空文件',
  xlsx: ' Excel 文件（.xlsx）',
  xlsb: ' Excel 文件（.xlsb）',
  xls: ' Excel 文件（.xls）',
  xmlSheet: ' XML 表格',
  ods: ' OpenDocument 表格（.ods）',
  flatOds: ' OpenDocument 表格（.fods）',
  page: '网页表格',
  webArchive: '单个文件网页（.mht）',
  sylk: ' SYLK 表格（.slk）',
  dif: ' DIF 表格（.dif）',
  numbers: ' Numbers 表格（.numbers）',
  dbf: ' dBASE 表格（.dbf）',
  text: '文本文件',
  xml: ' XML 文件',
  ofd: ' OFD 文件',
  pdf: ' PDF 文件',
  picture: '图片',
  document: ' Word 文档',
  slides: '演示文稿',
  office: '旧版 Office 文件，但不是表格',
  encrypted: '加了密码的 Office 文件',
  archive: '压缩包',
  broken: '不完整或已损坏的文件',
  video: '视频',
  program: '程序文件',
  unknown: '无法识别的文件',
} as const
export type Content = keyof typeof titles

/** Tables that Excel or WPS opens and that are not read here. */
const CONVERTED: ReadonlySet<Content> = new Set(['webArchive', 'sylk', 'dif', 'dbf'])

const LOOKED_AT = 4096

const starts: readonly (readonly [string, Content])[] = [
  ['%PDF-', 'pdf'],
  ['\u0089PNG', 'picture'],
  ['\u00ff\u00d8\u00ff', 'picture'],
  ['GIF8', 'picture'],
  ['BM', 'picture'],
  ['II*\u0000', 'picture'],
  ['MM\u0000*', 'picture'],
  ['Rar!', 'archive'],
  ['7z\u00bc\u00af', 'archive'],
  ['\u001f\u008b', 'archive'],
  ['MZ', 'program'],
  ['\u007fELF', 'program'],
  ['{\\rtf', 'document'],
]
const COMPOUND = '\u00d0\u00cf\u0011\u00e0'
/** An .xls of Excel 2 to 4 begins with its first record, without a compound file around it. */
const BARE_XLS = ['\u0009\u0000', '\u0009\u0002', '\u0009\u0004', '\u0009\u0008']

/** Names of the streams within a compound file, as its directory writes them. */
const streams: readonly (readonly [string, Content])[] = [
  ['EncryptedPackage', 'encrypted'],
  ['WordDocument', 'document'],
  ['PowerPoint Document', 'slides'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
]

function inCompound(file: Buffer): Content {
  const named = streams.find(([name]) => file.includes(Buffer.from(name, 'utf16le')))
  return named?.[1] ?? 'office'
}

function inZip(file: Buffer): Content {
  const names = namesIn(file)
  if (names === null) return 'broken'
  const has = (name: string) => names.includes(name)
  const below = (folder: string) => names.some(name => name.startsWith(folder))
  if (has('encrypted-package')) return 'encrypted'
  if (has('xl/workbook.bin')) return 'xlsb'
  if (below('xl/')) return 'xlsx'
  if (below('word/')) return 'document'
  if (below('ppt/')) return 'slides'
  if (has('OFD.xml')) return 'ofd'
  if (names.some(name => name.endsWith('.iwa'))) return 'numbers'
  return has('content.xml') && has('mimetype') ? 'ods' : 'archive'
}

/** The beginning of a text as text, in whatever encoding it is written. */
function beginningOf(file: Buffer): string | null {
  const head = file.subarray(0, LOOKED_AT)
  const mark = head.length > 1 ? head.readUInt16BE(0) : 0
  if (mark === 0xff_fe || mark === 0xfe_ff)
    return new TextDecoder(mark === 0xff_fe ? 'utf-16le' : 'utf-16be').decode(head)
  const isText = head.every(byte => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x0c)
  return isText ? head.toString('utf8') : null
}

function inText(text: string): Content {
  const lower = text.replace('\uFEFF', '').trimStart().toLowerCase()
  if (lower.startsWith('mime-version:') || /^(?:from|subject|date):[^\n]*\n(?:[^\n]+\n)*mime-version:/.test(lower))
    return 'webArchive'
  if (/^id;p[a-z]/.test(lower)) return 'sylk'
  if (/^table\r?\n0,1\r?\n/.test(lower)) return 'dif'
  if (!lower.startsWith('<')) return 'text'
  if (lower.includes('urn:schemas-microsoft-com:office:spreadsheet')) return 'xmlSheet'
  if (lower.includes('<office:document')) return 'flatOds'
  if (lower.startsWith('<?xml') && !lower.includes('<html') && !lower.includes('<table')) return 'xml'
  return ['<html', '<!doctype html', '<table', '<meta', '<head', '<style', '<body', '<div'].some(tag =>
    lower.includes(tag),
  )
    ? 'page'
    : 'xml'
}

/** A table of dBASE: its kind, the day of its last change, and heads as long as it says, which end with a line. */
function isDbf(file: Buffer): boolean {
  if (file.length < 65 || ![0x02, 0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5].includes(file[0]!)) return false
  const [month, day, heads] = [file[2]!, file[3]!, file.readUInt16LE(8)]
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && heads > 64 && file.subarray(64, heads).includes(0x0d)
}

/** The type of a file by its bytes. */
export function contentOf(file: Buffer): Content {
  if (file.length === 0) return 'empty'
  const head = file.toString('latin1', 0, 16)
  if (isZip(file)) return inZip(file)
  if (head.startsWith(COMPOUND)) return inCompound(file)
  if (BARE_XLS.some(mark => head.startsWith(mark)) && beginningOf(file) === null) return 'xls'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'picture'
  if (head.startsWith('ftyp', 4)) return 'video'
  const known = starts.find(([mark]) => head.startsWith(mark))
  if (known && !(known[0].length === 2 && beginningOf(file) !== null)) return known[1]
  const text = beginningOf(file)
  if (text === null) return isDbf(file) ? 'dbf' : 'unknown'
  return inText(text)
}

/** The name of a kind of file for users. */
export const titleOf = (content: Content): string => titles[content]

/** A file of one of these contents; any other is refused with what it is and what is wanted. */
export function mustBe<const Wanted extends Content>(file: Buffer, wanted: readonly Wanted[], said: string): Wanted {
  const content = contentOf(file)
  if ((wanted as readonly Content[]).includes(content)) return content as Wanted
  const next = CONVERTED.has(content)
    ? '，请用 Excel 或 WPS 打开后另存为 .xlsx 再上传'
    : content === 'numbers'
      ? '，请用 Numbers 导出为 Excel 再上传'
      : content === 'broken'
        ? '，请重新下载或保存后再上传'
        : ''
  throw new BusinessError('invalid', `${isBare(content) ? '这是' : '这是一个'}${titles[content]}，这里要${said}${next}`)
}
const isBare = (content: Content): boolean => content === 'picture' || content === 'video' || content === 'unknown'
