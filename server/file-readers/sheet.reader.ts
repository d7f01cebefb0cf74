export { parseSheet as default } from '#server/file-readers/sheet-file.ts'
